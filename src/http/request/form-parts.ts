import { KiB } from '../../lib/units.ts';
import { bodyProblems } from '../../messages/request.ts';

const maxHeaderBytes = 64 * KiB;
const maxPadding = 256;
const crlf = Buffer.from('\r\n');
const headersEnd = Buffer.from('\r\n\r\n');

export interface FormPart {
  /** By lower-case name; a character for each byte, as the parts' own text may be in any encoding. */
  readonly headers: ReadonlyMap<string, string>;
  /** A reader that stops before the end loses only the rest of this part. */
  readonly body: AsyncIterable<Buffer>;
}

/**
 * Splits a multipart body into its parts (RFC 2046 section 5.1.1) while it arrives, holding no more than a chunk. The
 * next part begins when it is asked for.
 * @throws {Problem} `malformed` when the body is broken or cut short; whatever `chunks` throws.
 */
export async function* readParts(chunks: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<FormPart> {
  const source = chunks[Symbol.asyncIterator]();
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  let held: Buffer = crlf; // the first delimiter may stand at the very beginning
  let place: 'part' | 'between' | 'end' = 'part'; // what stands before the first delimiter is skipped like a part

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

  /** Counts the blanks that a sender may put behind a delimiter; holds the two bytes behind them, too. */
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
      if (!isLast && after !== '\r\n') return takeHeld(delimiter.length); // it only looks like one
      takeHeld(end);
      place = isLast ? 'end' : 'between';
    }
    return undefined;
  }

  async function* readBody(): AsyncGenerator<Buffer> {
    for (let bytes = await nextBytes(); bytes !== undefined; bytes = await nextBytes()) yield bytes;
  }

  /** Skips what is left of a part and tells whether another one follows. */
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
    if (end > maxHeaderBytes) throw bodyProblems.brokenMultipart(); // however the bytes arrived
    const text = takeHeld(end + headersEnd.length).toString('latin1', crlf.length, end);
    place = 'part';
    return parseHeaders(text);
  }

  try {
    while (await reachNextPart()) yield { headers: await readHeaders(), body: readBody() };
    while ((await source.next()).done !== true); // what stands after the last delimiter says nothing
  } finally {
    await source.return?.();
  }
}

/** The place from which on all bytes may be the beginning of the delimiter; the length when none may. */
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

/** The parameters of a `Content-Type` or `Content-Disposition` by lower-case name; of one sent twice the first. */
export function headerParameters(header: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  const pattern = /;[ \t]*([\w!#$%&'*+.^`|~-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/gs;
  for (const [, name = '', quoted, bare = ''] of header.matchAll(pattern)) {
    // A backslash that escapes nothing is itself: old clients send whole paths.
    const value = quoted?.replaceAll(/\\(["\\])/g, '$1') ?? withoutTrailingBlanks(bare);
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value);
  }
  return parameters;
}

/** Not `trimEnd`: to it the last byte of many a letter is a blank. Not a pattern: those take a square of the time. */
export function withoutTrailingBlanks(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ' || text[end - 1] === '\t') end -= 1;
  return text.slice(0, end);
}

/** Text that is wholly in its encoding (UTF-8 unless told); undefined when it is not, or the encoding is unknown. */
export function decodeStrictly(bytes: Buffer, encoding = 'utf-8'): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The value of an extended parameter such as `UTF-8''%D2%9A.tif` (RFC 8187); undefined when it is none. */
export function decodeExtended(value: string): string | undefined {
  const [, encoding = '', encoded = ''] = /^([\w!#$%&+^`{}~-]+)'[^']*'(.*)$/s.exec(value) ?? [];
  const bytes = encoded.replaceAll(/%([0-9a-f]{2})/gi, (_escape, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return decodeStrictly(Buffer.from(bytes, 'latin1'), encoding);
}
