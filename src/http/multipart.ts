import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import busboy from 'busboy';
import { type FieldErrors, Problem } from '../errors.ts';
import { KiB, MiB } from '../units.ts';
import { readBody } from './body.ts';
import { detach } from './detach.ts';

const maxFieldBytes = MiB;
const maxFilenameBytes = 4 * KiB;
const maxParts = 64;

/** A file part as it arrives. Its body may be left half read, or be destroyed: the rest of the form is still read. */
export interface FormFile {
  /** As it was sent, folders included. */
  readonly filename: string | undefined;
  /** Type and subtype in lower case; `text/plain` when the part says nothing. */
  readonly mediaType: string;
  readonly body: Readable;
}

export interface FormOptions<T> {
  /** The names of the text parts that count; others but `file` are ignored. */
  readonly knownFields: readonly string[];
  /** Of the whole body. */
  readonly maxBytes: number;
  /**
   * Reads the part named `file` while it arrives. A Problem that names fields joins `problems`, and the rest of the
   * form is read; anything else ends the request.
   */
  takeFile(file: FormFile): Promise<T>;
}

/** A form that was read to its end. Disposing of it disposes of the file. */
export interface Form<T> extends AsyncDisposable {
  readonly fields: ReadonlyMap<string, string>;
  /** What `takeFile` made of the file part; undefined when there was none, or when it is among the `problems`. */
  readonly file: T | undefined;
  /** What is wrong with single parts: to be thrown together with whatever else is wrong with them (422). */
  readonly problems: FieldErrors;
}

/**
 * Reads a multipart form whose parts come in any order; the file is streamed, so memory stays flat.
 * @throws {Problem} `malformed` when the body is not multipart, broken or cut short; `too_large`.
 */
export async function readForm<T extends AsyncDisposable>(
  request: { readonly raw: IncomingMessage },
  options: FormOptions<T>,
): Promise<Form<T>> {
  const parser = openParser(request.raw);
  // Made before anything is awaited: an error that nobody listens to would end the process.
  const parsed = finished(parser);
  parsed.catch(() => undefined);
  parser.on('error', (error) => parser.destroy(asError(error)));
  const parts = collectParts(parser, options);
  try {
    for await (const chunk of readBody(request.raw, options.maxBytes)) {
      if (parser.destroyed) break;
      if (!parser.write(chunk)) await Promise.race([once(parser, 'drain'), parsed]);
    }
    parser.end();
    await parsed;
  } catch (error) {
    parser.destroy(asError(error));
    const file = await parts.file();
    await file?.[Symbol.asyncDispose]();
    if (error instanceof Problem) throw error;
    throw (
      parts.fatal() ?? new Problem('malformed', 'the multipart body is broken or cut short', { cause: error })
    );
  }
  const file = await parts.file();
  const fatal = parts.fatal();
  if (fatal !== undefined) throw fatal;
  return {
    fields: parts.fields,
    file,
    problems: Object.fromEntries(parts.problems),
    async [Symbol.asyncDispose]() {
      await file?.[Symbol.asyncDispose]();
    },
  };
}

function openParser(request: IncomingMessage): busboy.Busboy {
  const contentType = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(contentType)) {
    throw new Problem('malformed', 'the body must be multipart/form-data');
  }
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      preservePath: true,
      highWaterMark: 256 * KiB,
      // One more than is allowed: busboy says that a limit was hit when it is merely reached.
      limits: { fieldSize: maxFieldBytes + 1, parts: maxParts + 1 },
    });
  } catch (cause) {
    throw new Problem('malformed', 'the multipart body has no boundary', { cause });
  }
}

/** Listens to every event of the parser. */
function collectParts<T>(parser: busboy.Busboy, { knownFields, takeFile }: FormOptions<T>) {
  const fields = new Map<string, string>();
  const problems = new Map<string, string>();
  const seen = new Set<string>();
  let taking: Promise<T | undefined> = Promise.resolve(undefined);
  let fatal: unknown;

  /** Whether a part is the first with its name; the second is wrong and does not count. */
  function isFirst(name: string): boolean {
    if (seen.has(name)) problems.set(name, 'was sent more than once');
    const first = !seen.has(name);
    seen.add(name);
    return first;
  }

  function onField(name: string | undefined, value: string, isTruncated: boolean): void {
    if (name === undefined || (name !== 'file' && !knownFields.includes(name)) || !isFirst(name)) return;
    if (name === 'file') problems.set(name, 'must be sent as a file, with a file name');
    else if (isTruncated) problems.set(name, `must have at most ${maxFieldBytes} bytes`);
    else if (!isStorable(value)) problems.set(name, 'must be UTF-8 without U+0000');
    else fields.set(name, value);
  }

  function onFile(name: string | undefined, file: FormFile): void {
    const problem = findFileProblem(name, file.filename);
    if (problem !== undefined) problems.set(problem.name, problem.message);
    else if (name === 'file' && isFirst(name)) taking = take(file);
    else file.body.destroy();
    if (problem !== undefined) file.body.destroy();
  }

  function findFileProblem(name: string | undefined, filename: string | undefined) {
    if (name === undefined) return undefined;
    if (knownFields.includes(name)) return { name, message: 'must be text, not a file' };
    if (name !== 'file' || filename === undefined) return undefined;
    if (Buffer.byteLength(filename) > maxFilenameBytes) {
      return { name, message: `must have a file name of at most ${maxFilenameBytes} bytes` };
    }
    return filename.includes('\ufffd') ? { name, message: 'must have a file name in UTF-8' } : undefined;
  }

  async function take(file: FormFile): Promise<T | undefined> {
    try {
      return await takeFile(file);
    } catch (error) {
      if (parser.destroyed) return undefined; // the form broke, which is told already
      if (error instanceof Problem && error.fields !== undefined) {
        for (const [name, message] of Object.entries(error.fields)) problems.set(name, message);
        return undefined;
      }
      fatal = error;
      parser.destroy(asError(error));
      return undefined;
    } finally {
      file.body.destroy();
    }
  }

  parser.on('field', (name, value, { valueTruncated }) => onField(name, value, valueTruncated));
  parser.on('file', (name, stream, { filename, mimeType }) => {
    onFile(name, { filename, mediaType: mimeType, body: detach(stream) });
  });
  parser.on('partsLimit', () => problems.set('file', `the form must have at most ${maxParts} parts`));
  return { fields, problems, file: async () => await taking, fatal: () => fatal };
}

/** busboy puts U+FFFD where bytes are not UTF-8. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000') && !text.includes('\ufffd');
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('not an error', { cause: error });
}
