import { sldProblems } from '../../messages/styles.ts';

/** In a longer XML declaration the encoding might be overlooked. */
export const maxDeclarationCharacters = 512;
/** Enough for a declaration in UTF-16, where a character takes two bytes. */
const headBytes = 2 * maxDeclarationCharacters;

/**
 * Decodes by byte-order mark, then by the look of the first bytes, then by the XML declaration, then as UTF-8.
 * @throws {Problem} `invalid` on `file`.
 */
export function decodeXml(bytes: Buffer): string {
  const head = bytes.toString('latin1', 0, headBytes);
  if (head.startsWith('PK\x03\x04')) throw sldProblems.zip();
  const unsupported = encodingByStart(head, unsupportedStarts);
  if (unsupported !== undefined) throw sldProblems.unsupportedEncoding(unsupported);
  const marked = encodingByStart(head, marks);
  // Other readers may trust the declaration more than the mark, so it must name a known encoding, too.
  const declaration =
    marked === undefined ? head : new TextDecoder(marked).decode(bytes.subarray(0, headBytes));
  const label = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"']*)["']/.exec(declaration)?.[1] ?? 'utf-8';
  if (marked === undefined && wideEncoding.test(label)) throw sldProblems.falseEncoding(label);
  const declared = encodingOf(label);
  const encoding = marked ?? declared;
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    throw sldProblems.wrongBytes(encoding).because(error);
  }
}

const wideEncoding = /^(?:utf-?16|utf-?32|ucs-?[24]|csunicode|unicode|iso-10646-ucs)/i;

type Starts = Readonly<Record<string, readonly string[]>>;

/** First bytes as latin1: a byte-order mark, or `<` in two bytes. */
const marks: Starts = {
  'utf-8': ['\xEF\xBB\xBF'],
  'utf-16be': ['\xFE\xFF', '\0<'],
  'utf-16le': ['\xFF\xFE', '<\0'],
};

const unsupportedStarts: Starts = {
  'UTF-32': ['\xFF\xFE\0\0', '<\0\0\0', '\0\0\xFE\xFF', '\0\0\0<'],
  EBCDIC: ['L\x6F\xA7\x94'],
  'UTF-7': ['+/v'],
};

function encodingByStart(head: string, encodings: Starts): string | undefined {
  return Object.entries(encodings).find(([, starts]) => starts.some((start) => head.startsWith(start)))?.[0];
}

function encodingOf(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch (error) {
    throw sldProblems.unknownEncoding(label).because(error);
  }
}
