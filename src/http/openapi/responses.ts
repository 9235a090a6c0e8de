import { z } from 'zod';

const ErrorBody = z
  .object({ error: z.string().describe('What is wrong, in one sentence') })
  .meta({ id: 'Error', description: 'Why a request was refused', examples: [{ error: 'no such dataset' }] });
const ValidationErrors = z
  .object({ errors: z.record(z.string(), z.string()).describe('A message by field name') })
  .meta({
    id: 'ValidationErrors',
    description: 'All invalid fields; names of nested fields have dots and indexes',
    examples: [
      { errors: { name: 'is required', 'year_columns.0.end_date': 'must not be before start_date' } },
    ],
  });

export const FileBytes = z.unknown().meta({ type: 'string', format: 'binary' });

const descriptions = {
  400: 'Malformed request',
  401: 'No valid credentials',
  403: 'The credentials lack the scope',
  404: 'Not found',
  409: 'In conflict with existing data or with the state of the resource',
  410: 'It has expired',
  412: 'The current version is not the one that If-Match names',
  413: 'The body is over its limit',
  415: 'The media type is another one',
  416: 'The range is outside the file',
  422: 'Input failed validation',
  429: 'Over a limit of this client',
  460: 'The bytes do not have their checksum',
  500: 'Internal error',
  503: 'A component that the request needs is unavailable',
} as const;
export type ErrorStatus = keyof typeof descriptions;

/** Error answers for the `response` schema of an operation, with those that every operation has. */
export function errorResponses(...statuses: readonly ErrorStatus[]) {
  return Object.fromEntries(
    ([...statuses, 500, 503] as const).map((status) => [status, errorResponse(status)]),
  );
}

/** Answers of an operation that succeeds with 200 and JSON, and its error statuses. */
export function ok<T extends z.ZodType>(description: string, schema: T, ...errors: readonly ErrorStatus[]) {
  return { 200: jsonResponse(description, schema), ...errorResponses(...errors) };
}

export const accessResponses = { 401: errorResponse(401), 403: errorResponse(403) };
/** Answers of an operation with optional credentials. */
export const optionalAccessResponses = { 401: errorResponse(401), ...errorResponses() };

function errorResponse(status: ErrorStatus) {
  const schema = status === 422 ? z.union([ErrorBody, ValidationErrors]) : ErrorBody;
  return jsonResponse(descriptions[status], schema);
}

const notModified = z.null().describe('The copy of the client is current');

export function bytesResponse(description: string, mediaType: string) {
  return { description, content: { [mediaType]: { schema: FileBytes } } };
}

export function jsonResponse<T extends z.ZodType>(description: string, schema: T) {
  return { description, content: { 'application/json': { schema } } };
}

/** Answers of a file route: the file, a range of it, and the results of conditional requests. */
export function fileResponses(
  description: string,
  mediaType: string,
  schema: z.ZodType,
  ...statuses: readonly ErrorStatus[]
) {
  return {
    200: { description, content: { [mediaType]: { schema } } },
    206: { description: 'The requested range', content: { [mediaType]: { schema: FileBytes } } },
    304: notModified,
    ...errorResponses(400, 412, 416, ...statuses),
  };
}

/** Answers of a route that draws on request, with the results of conditional requests. */
export function drawnResponses(drawn: Drawn, ...statuses: readonly ErrorStatus[]) {
  return { 200: drawn, 304: notModified, ...errorResponses(412, ...statuses) };
}

/** Answers of such a route whose content is a file with ranges. */
export function madeFileResponses({ description, content }: Drawn, ...statuses: readonly ErrorStatus[]) {
  const ranges = Object.keys(content).map((mediaType) => [mediaType, { schema: FileBytes }] as const);
  return {
    ...drawnResponses({ description, content }, 416, ...statuses),
    206: { description: 'The requested range', content: Object.fromEntries(ranges) },
  };
}

/** Answers of such a route that reads only the program: it is unavailable only until the database has its tables. */
export function programResponses(drawn: Drawn) {
  return {
    200: drawn,
    304: notModified,
    400: errorResponse(400),
    412: errorResponse(412),
    503: errorResponse(503),
  };
}

interface Drawn {
  readonly description: string;
  readonly content: Readonly<Record<string, { readonly schema: z.ZodType }>>;
}
