import { z } from 'zod';
import { errorResponses, type ErrorStatus, jsonResponse } from './responses.ts';

/** Roots of the APIs that follow a standard. */
const roots = ['/stac', '/ogc'] as const;
export type StandardRoot = (typeof roots)[number];

/** Returns true if a URL is a standard's root or below it, existing or not. */
export function isStandardPath(url: string): boolean {
  return roots.some((root) => url.startsWith(root) && ['', '/', '?'].includes(url.charAt(root.length)));
}

/** Removes a trailing slash from the path of a URL below a standard's root: clients write links with and without it. */
export function withoutSlash(url: string): string {
  const [path = '', ...query] = url.split('?');
  return isStandardPath(url) && path.endsWith('/') ? [path.slice(0, -1), ...query].join('?') : url;
}

/** An error in the formats of this service, OGC APIs and STAC. */
const StandardError = z
  .object({
    error: z.string().describe('What is wrong, in one sentence'),
    code: z.string().describe('The kind of fault'),
    description: z.string().describe('The text of `error` under the name that OGC APIs and STAC use'),
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

/** Error answers of an operation below a standard's root. */
export function standardErrors(...statuses: readonly ErrorStatus[]) {
  return inStandardForm(errorResponses(...statuses));
}

/** Error answers of such an operation that reads only the program: it is unavailable only until the database has its tables. */
export function standardProgramErrors(...statuses: readonly (400 | 503)[]) {
  const { 400: malformed, 503: unavailable } = standardErrors(400);
  return {
    ...(statuses.includes(400) && { 400: malformed }),
    ...(statuses.includes(503) && { 503: unavailable }),
  };
}

/** Error answers of such an operation that requires credentials. */
export const standardAccessResponses = (() => {
  const { 401: unauthorized, 403: forbidden } = standardErrors(401, 403);
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

/** Error codes as in the examples of OGC API documents. */
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

/** Returns the body of an error in the format that clients of this URL expect. */
export function inDialects(url: string, status: number, body: { readonly error?: unknown }): object {
  if (!isStandardPath(url)) return body;
  const description = typeof body.error === 'string' ? body.error : JSON.stringify(body);
  return { error: description, code: codes[status] ?? anyFault, description };
}
