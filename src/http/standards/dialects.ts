import { isBehindDoor } from '../openapi/doors.ts';

export { type DoorRoot, doorErrors, doorProgramErrors } from '../openapi/doors.ts';

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

/** Returns the body of an error as those who ask at this address expect it. */
export function inDialects(url: string, status: number, body: { readonly error?: unknown }): object {
  if (!isBehindDoor(url)) return body;
  const description = typeof body.error === 'string' ? body.error : JSON.stringify(body);
  return { error: description, code: codes[status] ?? anyFault, description };
}
