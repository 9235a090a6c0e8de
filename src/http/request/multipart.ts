import type { IncomingMessage } from 'node:http';
import { type FieldErrors, Problem } from '../../lib/errors.ts';
import { KiB, MiB } from '../../lib/units.ts';
import { bodyProblems, fieldFaults, partFaults } from '../../messages/request/english.ts';
import { readBody } from './body.ts';
import { decodeExtended, decodeStrictly, type FormPart, headerParameters, readParts } from './form-parts.ts';
import type { Message } from '../../lib/message.ts';

const maxFieldBytes = MiB;
/** Limit of the name as sent, including the percent signs of an extended name. */
const maxFilenameBytes = 4 * KiB;
const maxParts = 64;

/** A file part as it arrives. The unread rest of its body is skipped. */
export interface FormFile {
  /** File name as sent, including folders. */
  readonly filename: string;
  /** The part's `Content-Type` as sent. */
  readonly mediaType: string | undefined;
  readonly body: AsyncIterable<Buffer>;
  /** Upper bound of its size: a store needs it before the first byte. */
  readonly maxSizeBytes: number;
}

interface FormOptions<T> {
  /** Names of the text parts to read; others except `file` are ignored. */
  readonly knownFields: readonly string[];
  /** Limit of the whole body. */
  readonly maxBytes: number;
  /**
   * Reads the part named `file` while it arrives, or ignores it. A Problem with field errors joins `problems`, and the
   * rest of the form is read; any other error ends the request.
   */
  takeFile(file: FormFile): Promise<T | undefined>;
}

/** A completely read form. Disposal disposes of the file. */
export interface Form<T> extends AsyncDisposable {
  readonly fields: Readonly<Record<string, string>>;
  /** Result of `takeFile`; undefined if the form has no file or the file is invalid. */
  readonly file: T | undefined;
  /** Errors of single parts, to be thrown (422) together with other validation errors. */
  readonly problems: FieldErrors;
}

/**
 * Reads a multipart form whose parts come in any order; the file is streamed, so that memory use stays constant.
 * @throws {Problem} `malformed` if the body is not multipart, broken or cut short; `too_large`.
 */
export async function readForm<T extends AsyncDisposable>(
  request: { readonly raw: IncomingMessage },
  options: FormOptions<T>,
): Promise<Form<T>> {
  const parts = readParts(readBody(request.raw, options.maxBytes), boundaryOf(request.raw));
  const taker = createPartTaker(options, Math.min(options.maxBytes, lengthOf(request.raw)));
  try {
    for await (const part of parts) await taker.take(part);
  } catch (error) {
    await taker.form[Symbol.asyncDispose]();
    throw error;
  }
  return taker.form;
}

/** Returns the length of a body, an upper bound of each part; infinite if the client does not state it. */
function lengthOf({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? Infinity);
}

function boundaryOf({ headers }: IncomingMessage): string {
  const contentType = headers['content-type'] ?? '';
  if (!/^multipart\/form-data[ \t]*(?:;|$)/i.test(contentType)) throw bodyProblems.notMultipart();
  const boundary = headerParameters(contentType).get('boundary') ?? '';
  if (boundary === '') throw bodyProblems.noBoundary();
  return boundary;
}

function createPartTaker<T extends AsyncDisposable>(
  { knownFields, takeFile }: FormOptions<T>,
  maxSizeBytes: number,
) {
  const fields = new Map<string, string>();
  const problems = new Map<string, Message>();
  const seen = new Set<string>();
  let count = 0;
  let file: T | undefined;

  /** Reads a known part; skips any other one, which may have any content and repeat. */
  async function take({ headers, body }: FormPart): Promise<void> {
    count += 1;
    if (count > maxParts) problems.set('file', partFaults.tooManyParts(maxParts));
    const disposition = headers.get('content-disposition') ?? '';
    const parameters = headerParameters(disposition);
    const name = decodeParameter(parameters.get('name'));
    if (name === undefined || !/^form-data[ \t]*;/i.test(disposition)) return;
    if (count > maxParts || (name !== 'file' && !knownFields.includes(name))) return;
    const problem = seen.has(name)
      ? fieldFaults.repeated
      : await takeKnown(name, { parameters, mediaType: headers.get('content-type'), body });
    seen.add(name);
    if (problem !== undefined) problems.set(name, problem);
  }

  async function takeKnown(name: string, part: DescribedPart): Promise<Message | undefined> {
    const isFile = part.parameters.has('filename') || part.parameters.has('filename*');
    if (name === 'file') return isFile ? await takeFilePart(part) : partFaults.textForFile;
    return isFile ? partFaults.fileForText : await takeField(name, part);
  }

  async function takeField(name: string, { mediaType, body }: DescribedPart) {
    const bytes = await readUpTo(body, maxFieldBytes);
    if (bytes.length > maxFieldBytes) return partFaults.tooLong(maxFieldBytes);
    const text = decodeStrictly(bytes, headerParameters(mediaType ?? '').get('charset'));
    if (text === undefined || text.includes('\u0000')) return partFaults.notUtf8;
    fields.set(name, text);
    return undefined;
  }

  async function takeFilePart({ parameters, mediaType, body }: DescribedPart) {
    const extended = parameters.get('filename*');
    const sent = extended ?? parameters.get('filename') ?? '';
    if (sent.length > maxFilenameBytes) return partFaults.filenameTooLong(maxFilenameBytes);
    const filename = extended === undefined ? decodeParameter(sent) : decodeExtended(sent);
    if (filename === undefined) return partFaults.filenameNotUtf8;
    try {
      file = await takeFile({ filename, mediaType, body, maxSizeBytes });
    } catch (error) {
      if (!(error instanceof Problem) || error.fields === undefined) throw error;
      for (const [field, message] of Object.entries(error.fields)) problems.set(field, message);
    }
    return undefined;
  }

  const form: Form<T> = {
    get fields() {
      return Object.fromEntries(fields);
    },
    get file() {
      return file;
    },
    get problems() {
      return Object.fromEntries(problems);
    },
    async [Symbol.asyncDispose]() {
      await file?.[Symbol.asyncDispose]();
    },
  };
  return { take, form };
}

interface DescribedPart {
  /** Parameters of the `Content-Disposition`. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly mediaType: string | undefined;
  readonly body: AsyncIterable<Buffer>;
}

function decodeParameter(value: string | undefined): string | undefined {
  return value === undefined ? undefined : decodeStrictly(Buffer.from(value, 'latin1'));
}

/** Reads a body into memory; stops after the first chunk beyond `maxBytes`. */
export async function readUpTo(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) break;
  }
  return Buffer.concat(chunks);
}
