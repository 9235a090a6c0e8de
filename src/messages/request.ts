import { problem, sentences } from './define.ts';
import type { Message } from '../lib/message.ts';

/** Faults of a request's body as a whole, before its fields are checked. */
export const bodyProblems = sentences('body', {
  cutShort: problem('malformed', () => 'the body was cut short'),
  tooLarge: problem('too_large', (maxBytes: number) => `the body must have at most ${maxBytes} bytes`),
  nestedTooDeep: problem(
    'malformed',
    (levels: number) => `the body must not be nested deeper than ${levels}`,
  ),
  notUtf8: problem('malformed', () => 'the body is not UTF-8'),
  notJson: problem('malformed', () => 'the body is not JSON'),
  notAnObject: problem('malformed', () => 'the body must be a JSON object'),
  encoded: problem('unsupported', () => 'the body must not have a Content-Encoding'),
  notMultipart: problem('malformed', () => 'the body must be multipart/form-data'),
  noBoundary: problem('malformed', () => 'the multipart body has no boundary'),
  brokenMultipart: problem('malformed', () => 'the multipart body is broken or cut short'),
});

/** Faults of a request before its body is read. */
export const requestProblems = sentences('request', {
  noSuchPath: problem('not_found', () => 'there is nothing at this path'),
  methodNotAllowed: problem(
    'method_not_allowed',
    (method: string, allowed: string) => `${method} is not allowed here; allowed are ${allowed}`,
  ),
  hostMissing: problem('malformed', () => 'the Host header is missing'),
  hostRepeated: problem('malformed', () => 'the Host header was sent more than once'),
  codingInHttp10: problem('malformed', () => 'HTTP/1.0 does not have Transfer-Encoding'),
  codingNotChunked: problem('malformed', () => 'the Transfer-Encoding must be chunked'),
  queryNotUtf8: problem('malformed', () => 'the query contains an escape that is not UTF-8'),
  wrongParameters: problem('malformed', (faults: Readonly<Record<string, Message>>) =>
    Object.entries(faults)
      .map(([name, { english }]) => `${name}: ${english}`)
      .join('; '),
  ),
  wrongContentType: problem('malformed', () => 'the Content-Type is malformed'),
});

export const serviceProblems = sentences('service', {
  unavailable: problem(
    'unavailable',
    (component: 'database' | 'object_store' | 'identity provider') => `${component} unavailable`,
  ),
});

/** The sentence for a fault of the service's own. */
export const serverFaults = sentences('server', { internalError: 'internal error' });

/** Faults of one part of a form, without its name. */
export const partFaults = sentences('part', {
  tooManyParts: (max: number) => `the form must have at most ${max} parts`,
  fileForText: 'must be text, not a file',
  textForFile: 'must be sent as a file, with a file name',
  tooLong: (maxBytes: number) => `must have at most ${maxBytes} bytes`,
  notUtf8: 'must be UTF-8 without U+0000',
  filenameTooLong: (maxBytes: number) => `must have a file name of at most ${maxBytes} bytes`,
  filenameNotUtf8: 'must have a file name in UTF-8',
});

export const fileProblems = sentences('file', {
  gone: problem('not_found', () => 'the file is gone'),
  changed: 'the file is not the one that If-Match names; get all of it again',
  outOfRange: (sizeBytes: number) => `the range lies outside the file, which has ${sizeBytes} bytes`,
});
