import { KiB } from '../../lib/units.ts';
import { bodyProblems } from '../../messages/request/english.ts';

const maxHeaderBytes = 64 * KiB;
const maxPadding = 256;
const crlf = Buffer.from('\r\n');
const headersEnd = Buffer.from('\r\n\r\n');

export interface FormPart {
  /** By lower-case name; one character per byte, because the text of a part may be in any encoding. */
  readonly headers: ReadonlyMap<string, string>;
  /** A reader that stops early loses only the rest of this part. */
  readonly body: AsyncIterable<Buffer>;
}

/**
 * Splits a multipart body into its parts (RFC 2046 section 5.1.1) while it arrives, with at most one chunk in memory.
 * The next part begins on demand.
 * @throws {Problem} `malformed` if the body is broken or cut short; the errors of `chunks`.
 */
export async function* readParts(chunks: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<FormPart> {
  const source = chunks[Symbol.asyncIterator]();
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  let held: Buffer = crlf; // the first delimiter may be at the very beginning
  let place: 'part' | 'between' | 'end' = 'part'; // text before the first delimiter is skipped like a part

  async function holdMore(): Promise<void> {
    const next = await source.next();
    if (next.done === true) throw bodyProblems.brokenMultipart();
    held = held.length === 0 ? next.value : Buffer.concat([held, next.value]);
  }

  function takeHeld(length: number): Buffer {
    const taken = held.subarray(0, length);
    held = held.subarray(length);
    return taken;
  }

  /** Counts the blanks behind a delimiter, and buffers the two bytes after them. */
  async function paddingAfter(start: number): Promise<number> {
    for (let length = 0; ; length += 1) {
      while (held.length < start + length + crlf.length) await holdMore();
      const byte = held[start + length];
      if ((byte !== 0x20 && byte !== 0x09) || length === maxPadding) return length;
    }
  }

  /** Returns the next bytes of the part, at least one; undefined at its end. */
  async function nextBytes(): Promise<Buffer | undefined> {
    while (place === 'part') {
      const at = held.indexOf(delimiter);
      if (at > 0) return takeHeld(at);
      if (at === -1) {
        const length = startOfPrefix(held, delimiter);
        if (length > 0) return takeHeld(length);
        await holdMore();
        continue;
      }
      const padding = await paddingAfter(delimiter.length);
      const end = delimiter.length + padding;
      const after = held.toString('latin1', end, end + crlf.length);
      const isLast = after === '--' && padding === 0;
      if (!isLast && after !== '\r\n') return takeHeld(delimiter.length); // resembles a delimiter
      takeHeld(end);
      place = isLast ? 'end' : 'between';
    }
    return undefined;
  }

  async function* readBody(): AsyncGenerator<Buffer> {
    for (let bytes = await nextBytes(); bytes !== undefined; bytes = await nextBytes()) yield bytes;
  }

  /** Skips the rest of a part. @returns true if another part follows */
  async function reachNextPart(): Promise<boolean> {
    while ((await nextBytes()) !== undefined);
    return place === 'between';
  }

  async function readHeaders(): Promise<ReadonlyMap<string, string>> {
    let end = held.indexOf(headersEnd);
    for (; end === -1; end = held.indexOf(headersEnd)) {
      if (held.length > maxHeaderBytes) throw bodyProblems.brokenMultipart();
      await holdMore();
    }
    if (end > maxHeaderBytes) throw bodyProblems.brokenMultipart(); // independent of the chunk sizes
    const text = takeHeld(end + headersEnd.length).toString('latin1', crlf.length, end);
    place = 'part';
    return parseHeaders(text);
  }

  try {
    while (await reachNextPart()) yield { headers: await readHeaders(), body: readBody() };
    while ((await source.next()).done !== true); // skips the text after the last delimiter
  } finally {
    await source.return?.();
  }
}

/** Returns the index from which all bytes may begin the delimiter; the length if none may. */
function startOfPrefix(bytes: Buffer, delimiter: Buffer): number {
  const cr = 0x0d;
  let at = bytes.indexOf(cr, Math.max(0, bytes.length - delimiter.length + 1));
  for (; at !== -1; at = bytes.indexOf(cr, at + 1)) {
    if (bytes.compare(delimiter, 0, bytes.length - at, at) === 0) return at;
  }
  return bytes.length;
}

function parseHeaders(text: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const line of text === '' ? [] : text.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const [, name, value = ''] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*(.*)$/s.exec(line) ?? [];
    if (name === undefined) throw bodyProblems.brokenMultipart();
    headers.set(name.toLowerCase(), withoutTrailingBlanks(value));
  }
  return headers;
}

/** Parses the parameters of a `Content-Type` or `Content-Disposition`, by lower-case name; the first of repeated ones counts. */
export function headerParameters(header: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  const pattern = /;[ \t]*([\w!#$%&'*+.^`|~-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/gs;
  for (const [, name = '', quoted, bare = ''] of header.matchAll(pattern)) {
    // A backslash that escapes nothing is literal: old clients send whole paths.
    const value = quoted?.replaceAll(/\\(["\\])/g, '$1') ?? withoutTrailingBlanks(bare);
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value);
  }
  return parameters;
}

/** Not `trimEnd`: it takes the last byte of some multi-byte letters for a blank. Not a pattern: it would take quadratic time. */
export function withoutTrailingBlanks(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ' || text[end - 1] === '\t') end -= 1;
  return text.slice(0, end);
}

/** Decodes text (UTF-8 by default); undefined for invalid bytes or an unknown encoding. */
export function decodeStrictly(bytes: Buffer, encoding = 'utf-8'): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes an extended parameter such as `UTF-8''%D2%9A.tif` (RFC 8187); undefined for another value. */
export function decodeExtended(value: string): string | undefined {
  const [, encoding = '', encoded = ''] = /^([\w!#$%&+^`{}~-]+)'[^']*'(.*)$/s.exec(value) ?? [];
  const bytes = encoded.replaceAll(/%([0-9a-f]{2})/gi, (_escape, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return decodeStrictly(Buffer.from(bytes, 'latin1'), encoding);
}
