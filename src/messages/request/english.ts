import type { Message } from '../../lib/message.ts';
import { quoted } from '../../lib/readable.ts';
import { problem, sentences } from '../base/define.ts';

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
  unknownMcpVersion: problem(
    'malformed',
    (version: string, known: readonly string[]) =>
      `MCP-Protocol-Version ${quoted(version)} is not supported; supported are ${known.join(', ')}`,
  ),
  listTooLong: problem(
    'busy',
    () =>
      'looking through the datasets takes longer than a second; ask again, or narrow the list by category, group, type or status',
  ),
});

/** Faults of a request with an Idempotency-Key. */
export const keyProblems = sentences('key', {
  underWay: problem(
    'conflict',
    () => 'a request with this Idempotency-Key is under way; ask again with the same key',
  ),
  otherRequest: problem(
    'invalid',
    () => 'this Idempotency-Key was sent with another request; a new request needs a new key',
  ),
});

/** Faults of the header Idempotency-Key itself. */
export const keyFaults = sentences('key_fault', {
  syntax: 'must be a string in double quotes, such as "8e03978e-40d5-43e8-bc93-6894a57f9324"',
  length: (max: number) => `must have 1 to ${max} characters`,
});

export const serviceProblems = sentences('service', {
  unavailable: problem(
    'unavailable',
    (component: 'database' | 'object_store' | 'identity provider') => `${component} unavailable`,
  ),
});

/** Sentence for a bug of the service. */
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

export const accessProblems = sentences('access', {
  tokenMissing: problem('unauthorized', () => 'a bearer token is required: Authorization: Bearer <token>'),
  tokenInvalid: problem('unauthorized', () => 'the token is not valid, or no longer valid'),
  scopeMissing: problem('forbidden', (scope: string) => `the token lacks the scope ${scope}`),
  foreignPage: problem(
    'forbidden',
    () => 'a page from another origin must not write here; CORS_ALLOWED_ORIGINS can list its origin',
  ),
  hostNotListed: problem('forbidden', () => `${wrongHost}; ALLOWED_HOSTS does not list it`),
  hostNotLoopback: problem(
    'forbidden',
    () => `${wrongHost}; set ALLOWED_HOSTS to the names of the service, or PUBLIC_URL to its address`,
  ),
});

const wrongHost = 'the service does not answer under this host name';

/** Reasons for failing to fetch the keys of an OpenID issuer. */
export const issuerFaults = {
  wrongStatus: (url: string, status: number) => `${url} answers with ${status}`,
  notMetadata: (url: string) => `${url} does not describe an OpenID issuer`,
  otherIssuer: (url: string, issuer: string) => `${url} belongs to the issuer ${issuer}`,
  keysWithoutTls: (issuer: string, keysUrl: string) =>
    `the keys of ${issuer} must be fetched over TLS, not from ${keysUrl}`,
};

export const fileFaults = sentences('file_fault', {
  nameless: 'must have a file name',
  empty: 'is empty',
  /** `found` is one of `contents`; undefined for unknown bytes. */
  wrongContent: (extension: string, found: Message | undefined, remedy: Message) =>
    `is not a ${extension} file by its first bytes${found === undefined ? '' : `: it is ${found.english}`}; ${remedy.english}`,
  wrongExtension: (allowed: readonly string[], advice: Message | undefined) =>
    `must have one of the extensions ${allowed.join(', ')}${advice === undefined ? '' : `: ${advice.english}`}`,
});

/** Faults of the text of `meta`. */
export const metaFaults = sentences('meta', {
  syntax: 'must be a JSON object',
  depth: (levels: number) => `must not be nested deeper than ${levels}`,
});

export const uploadProblems = sentences('upload', {
  fileGone: problem(
    'unavailable',
    () => 'The uploaded file is no longer in the object store; upload it again.',
  ),
  noSuchUpload: problem('not_found', () => 'no such upload'),
  expired: problem('gone', () => 'the upload has expired; start it again'),
  wrongVersion: problem('precondition_failed', () => 'the header Tus-Resumable must be 1.0.0'),
  notConcatenated: problem(
    'malformed',
    () =>
      'a file is sent in one upload: the extension concatenation, which parallelUploads of tus-js-client needs, is not supported',
  ),
  notDeferred: problem(
    'malformed',
    () =>
      'an upload has its length from the beginning, in Upload-Length: the extension creation-defer-length is not supported',
  ),
  wrongMetadata: problem(
    'malformed',
    () => 'the header Upload-Metadata must have names, each once and with its value as Base64 of UTF-8',
  ),
  wrongMediaType: problem('unsupported', (type: string) => `the Content-Type must be ${type}`),
  unknownChecksum: problem(
    'malformed',
    (algorithms: readonly string[]) =>
      `the header Upload-Checksum must have one of ${algorithms.join(', ')}, a blank and the checksum as Base64`,
  ),
  wrongChecksum: problem('mismatch', () => 'the bytes do not have the checksum that Upload-Checksum states'),
  otherOffset: problem(
    'conflict',
    (received: number) => `${received} bytes of the upload have arrived; continue after them`,
  ),
  takenOver: problem('conflict', () => 'another request has continued the upload'),
  tooLarge: problem('too_large', (maxBytes: number) => `the file must have at most ${maxBytes} bytes`),
  beyondEnd: problem('too_large', (length: number) => `the upload has ${length} bytes in all, not more`),
  tooMany: problem('busy', (max: number) => `${max} uploads are not finished; try again later`),
  full: problem('busy', () => 'unfinished uploads take all the space reserved for them; try again later'),
});

/** Advice for a file of another format. */
export const advice = sentences('advice', {
  packShapefile: 'put the .shp together with its .shx, .dbf and .prj into one .zip, and upload that',
  saveTable:
    'choose the file on the page of this service, which reads tables by KATO from .xlsx, .xls, .ods and .csv, or save the table as GeoJSON, in QGIS with "Export > Save Features As…" as GeoJSON with geometry type "No Geometry"',
  exportVector: 'export it as GeoJSON or GeoPackage, in QGIS with "Export > Save Features As…"',
  renameGeoJson: 'give it the extension .geojson if it is GeoJSON',
  packZip: 'pack it as .zip',
  sendAsRaster: 'it is a raster: send it with the file_type raster',
  convertRaster: 'convert it to GeoTIFF, in QGIS with "Export > Save As…" or with gdal_translate',
  unpackRaster: 'unpack it and upload the .tif in it',
});

/** Returns advice for a file that cannot become a vector; undefined for an unknown extension. */
export const vectorAdvice = adviceByExtension({
  '.shp .shx .dbf .prj .cpg .sbn .sbx .qix': advice.packShapefile,
  '.csv .tsv .xls .xlsx .ods': advice.saveTable,
  '.kml .kmz .gpx .gml .dxf .dgn .tab .mif .fgb .parquet .sqlite .gdb .topojson': advice.exportVector,
  '.json': advice.renameGeoJson,
  '.rar .7z .tar .gz .tgz': advice.packZip,
  '.tif .tiff': advice.sendAsRaster,
});

/** Returns advice for a file that cannot become a raster; undefined for an unknown extension. */
export const rasterAdvice = adviceByExtension({
  '.img .jp2 .vrt .asc .hgt .nc .hdf .h5 .grd .bil .ecw .sid .png .jpg .jpeg': advice.convertRaster,
  '.zip .rar .7z .tar .gz .tgz': advice.unpackRaster,
});

function adviceByExtension(byExtensions: Readonly<Record<string, Message>>) {
  const entries = Object.entries(byExtensions);
  return (extension: string): Message | undefined =>
    entries.find(([extensions]) => extensions.split(' ').includes(extension))?.[1];
}

const typeNames: ReadonlyMap<string, string> = new Map([
  ['string', 'text'],
  ['int', 'a whole number'],
  ['number', 'a number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['tuple', 'a list'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['null', 'null'],
]);

const formatNames: ReadonlyMap<string, string> = new Map([
  ['guid', 'a uuid'],
  ['uuid', 'a uuid'],
  ['date', 'a calendar date written YYYY-MM-DD'],
  ['datetime', 'a time written YYYY-MM-DDThh:mm:ssZ'],
  ['url', 'a URL with its scheme in front, such as https://maps.example'],
]);

/** Faults of the value of a field, without its name. */
export const fieldFaults = sentences('field', {
  missing: 'is required',
  blank: 'must not be blank',
  repeated: 'was sent more than once',
  notStorable: 'must not contain U+0000 or half a surrogate pair',
  beforeYearOne: 'must not be before 0001-01-01',
  notAllowed: 'is not one of the allowed values',
  tooManyCharacters: (max: number) => `must have at most ${max} characters`,
  wrongType: (expected: string) =>
    typeNames.has(expected) ? `must be ${typeNames.get(expected)}` : 'is of the wrong type',
  wrongFormat: (format: string) =>
    formatNames.has(format) ? `must be ${formatNames.get(format)}` : 'does not have the required format',
  notAmong: (choices: readonly unknown[]) =>
    `must be ${choices.length === 1 ? '' : 'one of '}${choices.map(String).join(', ')}`,
  writtenLike: (example: string) => `must be written like ${example}`,
  namesUnknown: (unknown: readonly string[], known: readonly string[]) =>
    `${unknown.map(quoted).join(', ')}: no such value; the values are ${known.join(', ')}`,
  notNames: (known: readonly string[], most: number) =>
    `must have 1 to ${most} of ${known.join(', ')}, separated by commas without spaces`,
  escaped: 'must be written without % escapes',
  notACursor: 'must be taken from the Link header of this list',
  notMultipleOf: (divisor: number | bigint) => `must be a multiple of ${divisor}`,
  unknownKeys: (keys: readonly string[]) => `must not have ${keys.join(', ')}`,
  wrongCount: (noun: 'character' | 'item', bound: string, limit: number | bigint) =>
    `must have ${bound} ${limit} ${noun}${Number(limit) === 1 ? '' : 's'}`,
  wrongSize: (bound: string, limit: number | bigint) => `must be ${bound} ${limit}`,
  /** States the whole range: a client that learns one end only may miss the other one next. */
  outOfRange(min: number | undefined, max: number | undefined, isInteger = true): string {
    const noun = isInteger ? 'must be a whole number' : 'must be a number';
    if (min !== undefined && max !== undefined) return `${noun} from ${min} to ${max}`;
    if (min !== undefined) return `${noun} of ${min} or more`;
    return max === undefined ? noun : `${noun} of ${max} or less`;
  },
});

/** The sentences of this folder that have translations, by the area that prefixes their codes. */
export const english = {
  access: accessProblems,
  advice: advice,
  body: bodyProblems,
  field: fieldFaults,
  file: fileProblems,
  file_fault: fileFaults,
  key: keyProblems,
  key_fault: keyFaults,
  meta: metaFaults,
  part: partFaults,
  request: requestProblems,
  server: serverFaults,
  service: serviceProblems,
  upload: uploadProblems,
};
