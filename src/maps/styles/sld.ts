import type { Problem } from '../../lib/errors.ts';
import { KiB, MiB } from '../../lib/units.ts';
import { sldProblems } from '../../messages/drawing/english.ts';
import { maxDeclarationCharacters, type XmlFault } from '../../../common/maps/style/xml-tree.ts';

export const maxSldBytes = 5 * MiB;
/** The start of a file that is not XML, enough to recognise its format. */
const keptCharacters = 4 * KiB;
/** Enough for a declaration in UTF-16, with two bytes per character. */
const headBytes = 2 * maxDeclarationCharacters;

/** Decodes the bytes of an uploaded Styled Layer Descriptor. @throws {Problem} `invalid` on `file`. */
export function decodeSld(bytes: Buffer): string {
  if (bytes.length === 0) throw sldProblems.empty();
  if (bytes.length > maxSldBytes) throw sldProblems.tooLarge(maxSldBytes / MiB);
  return decodeXml(bytes);
}

/** Explains why `text`, the whole file, cannot be read: `invalid` on `file`. */
export function explainFault(text: string, { kind, detail }: XmlFault): Problem {
  switch (kind) {
    case 'longDeclaration':
      return sldProblems.longDeclaration();
    case 'tooDeep':
    case 'tooManyAttributes':
      return sldProblems[kind](Number(detail));
    case 'doctype':
    case 'wrongRoot':
      return sldProblems[kind](detail);
    default:
      return explainNotWellFormed(text, detail);
  }
}

function explainNotWellFormed(text: string, fault: string): Problem {
  const head = text.slice(0, keptCharacters).trimStart();
  if (/^[{[]/.test(head)) return sldProblems.json();
  if (/^<(?:!doctype\s+)?html[\s>]/i.test(head)) return sldProblems.wrongRoot('html');
  if (head === '') return sldProblems.blank();
  if (!head.startsWith('<')) return sldProblems.notXml(head.slice(0, 20));
  const [, line, column, reason = ''] = /^(?:(\d+):(\d+): )?(.*?)\.?$/s.exec(fault.slice(0, 200)) ?? [];
  return sldProblems.notWellFormed(reason, line, column);
}

/** Decodes by byte-order mark, first bytes, XML declaration, then UTF-8. @throws {Problem} `invalid` on `file`. */
export function decodeXml(bytes: Buffer): string {
  const head = bytes.toString('latin1', 0, headBytes);
  if (head.startsWith('PK\x03\x04')) throw sldProblems.zip();
  const unsupported = encodingByStart(head, unsupportedStarts);
  if (unsupported !== undefined) throw sldProblems.unsupportedEncoding(unsupported);
  const marked = encodingByStart(head, marks);
  // Other readers may trust the declaration rather than the mark, so that it must also name a known encoding.
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
