import { shown, wrongSld } from './sld-faults.ts';

/** In a longer XML declaration the encoding might be overlooked. */
export const maxDeclarationCharacters = 512;
/** Of UTF-16, where a character takes two. */
const headBytes = 2 * maxDeclarationCharacters;
const advice = 'save it as UTF-8';

/**
 * Decodes by byte-order mark, then by the look of the first bytes, then by the XML declaration, then as UTF-8.
 * @throws {Problem} `invalid` on `file`.
 */
export function decodeXml(bytes: Buffer): string {
  const head = bytes.toString('latin1', 0, headBytes);
  const foreign = foreignStarts.find(({ start }) => head.startsWith(start));
  if (foreign !== undefined) throw wrongSld(foreign.detail);
  const marked = marks.find(({ start }) => head.startsWith(start))?.encoding;
  // Other readers may take the declaration for truer than the mark: it must name what can be read, too.
  const declared = declaredEncoding(
    marked === undefined ? head : decode(bytes.subarray(0, headBytes), marked),
  );
  if (
    marked === undefined &&
    /^(?:utf-?16|utf-?32|ucs-?[24]|csunicode|unicode|iso-10646-ucs)/i.test(declared)
  ) {
    throw wrongSld(
      `says that it is in ${shown(declared)}, but is not; ${advice}, and say so in its first line`,
    );
  }
  const known = encodingNamed(declared);
  const encoding = marked ?? known;
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    const example = '<?xml version="1.0" encoding="windows-1251"?>';
    const detail = `is not valid ${encoding} text; ${advice}, or name its encoding in its first line, such as ${example}`;
    throw wrongSld(detail, error);
  }
}

/** What the first bytes tell, as latin1: a byte-order mark, or `<` in two bytes. */
const marks = [
  { start: '\xEF\xBB\xBF', encoding: 'utf-8' },
  { start: '\xFE\xFF', encoding: 'utf-16be' },
  { start: '\0<', encoding: 'utf-16be' },
  { start: '\xFF\xFE', encoding: 'utf-16le' },
  { start: '<\0', encoding: 'utf-16le' },
] as const;

const utf32 = `is in UTF-32, which is not read; ${advice}`;
const foreignStarts = [
  { start: '\xFF\xFE\0\0', detail: utf32 },
  { start: '<\0\0\0', detail: utf32 },
  { start: '\0\0\xFE\xFF', detail: utf32 },
  { start: '\0\0\0<', detail: utf32 },
  { start: 'L\x6F\xA7\x94', detail: `is in EBCDIC, which is not read; ${advice}` },
  { start: '+/v', detail: `is in UTF-7, which is not read; ${advice}` },
  { start: 'PK\x03\x04', detail: 'is a ZIP archive; unpack it, and upload the .sld file that is in it' },
] as const;

function declaredEncoding(head: string): string {
  return /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"']*)["']/.exec(head)?.[1] ?? 'utf-8';
}

/** The head of a file, in which a character may be cut in two. */
function decode(head: Buffer, encoding: string): string {
  return new TextDecoder(encoding).decode(head);
}

function encodingNamed(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch (error) {
    throw wrongSld(`says that it is in ${shown(label)}, an unknown encoding; ${advice}`, error);
  }
}
