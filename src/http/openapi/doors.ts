import { z } from 'zod';
import { errorResponses, type ErrorStatus, jsonResponse } from './responses.ts';

/** The roots of what other programs ask for as a standard has it. */
const roots = ['/stac', '/ogc'] as const;
export type DoorRoot = (typeof roots)[number];

/** Returns whether an address is one of the roots or below it, whatever is there. */
export function isBehindDoor(url: string): boolean {
  return roots.some((root) => url.startsWith(root) && ['', '/', '?'].includes(url.charAt(root.length)));
}

/** Returns an address without a slash at the end of its path, where it is behind a door: clients write links with one or without. */
export function withoutSlash(url: string): string {
  const [path = '', ...query] = url.split('?');
  return isBehindDoor(url) && path.endsWith('/') ? [path.slice(0, -1), ...query].join('?') : url;
}

/** An error as this service has it and as OGC APIs and STAC have it. */
const StandardError = z
  .object({
    error: z.string().describe('What is wrong, in one sentence'),
    code: z.string().describe('The kind of fault'),
    description: z.string().describe('The same as `error`, under the name that OGC APIs and STAC use'),
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

/** The error answers of an operation behind one of the roots. */
export function doorErrors(...statuses: readonly ErrorStatus[]) {
  return inStandardForm(errorResponses(...statuses));
}

/** The same of one that looks at nothing but the program: it is unavailable at most until the database has its tables. */
export function doorProgramErrors(...statuses: readonly (400 | 503)[]) {
  const { 400: malformed, 503: unavailable } = doorErrors(400);
  return {
    ...(statuses.includes(400) && { 400: malformed }),
    ...(statuses.includes(503) && { 503: unavailable }),
  };
}

/** Those of an operation that requires credentials. */
export const doorAccessResponses = (() => {
  const { 401: unauthorized, 403: forbidden } = doorErrors(401, 403);
  return { 401: unauthorized, 403: forbidden };
})();

function inStandardForm(responses: ReturnType<typeof errorResponses>) {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { description }]) => [
      status,
      jsonResponse(description, StandardError),
    ]),
  );
}

/** The codes of errors, as examples in OGC API documents have them. */
const codes: Readonly<Record<number, string>> = {
  400: 'InvalidParameterValue',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  422: 'UnprocessableContent',
  429: 'TooManyRequests',
  503: 'ServiceUnavailable',
};
const anyFault = 'InternalError';

/** Returns the body of an error as those who ask at this address expect it. */
export function inDialects(url: string, status: number, body: { readonly error?: unknown }): object {
  if (!isBehindDoor(url)) return body;
  const description = typeof body.error === 'string' ? body.error : JSON.stringify(body);
  return { error: description, code: codes[status] ?? anyFault, description };
}
