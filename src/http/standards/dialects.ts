import { z } from 'zod';
import { errorResponses, type ErrorStatus, jsonResponse } from '../openapi/responses.ts';

/** The roots of what other programs ask for as a standard has it. */
const roots = ['/stac', '/ogc'] as const;
export type DoorRoot = (typeof roots)[number];

/** The codes of errors, as examples in OGC API documents have them. */
const codes: Readonly<Record<number, string>> = {
  400: 'InvalidParameterValue',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  429: 'TooManyRequests',
  503: 'ServiceUnavailable',
};
const anyFault = 'InternalError';

/** An error as this service has it and as OGC APIs and STAC have it. */
const StandardError = z
  .object({
    error: z.string().describe('What is wrong, in one sentence'),
    code: z.string().describe('The kind of fault'),
    description: z
      .string()
      .describe('The same as `error`, under the name that OGC APIs and STAC have for it'),
  })
  .meta({
    id: 'StandardError',
    description: 'Why a request was refused',
    examples: [
      {
        error: 'limit: must be a whole number of 1 or more',
        code: 'InvalidParameterValue',
        description: 'limit: must be a whole number of 1 or more',
      },
    ],
  });

/** Returns whether a request goes to one of the roots, whatever is there. */
function isBehindDoor(url: string): boolean {
  return roots.some((root) => url.startsWith(root) && /^[/?]?$/.test(url.charAt(root.length)));
}

/** Returns the body of an error as those who ask at this address expect it. */
export function inDialects(url: string, status: number, body: { readonly error?: unknown }): object {
  if (!isBehindDoor(url)) return body;
  const description = typeof body.error === 'string' ? body.error : JSON.stringify(body);
  return { error: description, code: codes[status] ?? anyFault, description };
}

/** The error answers of an operation behind one of the roots. */
export function doorErrors(...statuses: readonly ErrorStatus[]) {
  return Object.fromEntries(
    Object.entries(errorResponses(401, 403, ...statuses)).map(([status, { description }]) => [
      status,
      jsonResponse(description, StandardError),
    ]),
  );
}
