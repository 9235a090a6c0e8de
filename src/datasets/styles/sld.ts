import { setImmediate as nextTurn } from 'node:timers/promises';
import { SaxesParser } from 'saxes';
import { Problem } from '../../lib/errors.ts';
import { KiB, MiB } from '../../lib/units.ts';
import { sldProblems, unendedEntity } from '../../messages/drawing.ts';
import { pendingOf, writeInPieces } from '../../maps/style/xml-pieces.ts';

export const maxSldBytes = 5 * MiB;
const maxDepth = 256;
const maxAttributesPerElement = 1024;
const keptCharacters = 4 * KiB;
/** In a longer XML declaration the encoding might be overlooked. */
const maxDeclarationCharacters = 512;
/** Enough for a declaration in UTF-16, where a character takes two bytes. */
const headBytes = 2 * maxDeclarationCharacters;

/**
 * Checks that bytes are a Styled Layer Descriptor: well-formed XML in an encoding that can be read, without DOCTYPE,
 * its root `StyledLayerDescriptor` under any prefix. Undeclared prefixes are accepted: real files have them.
 * @returns the text of the file
 * @throws {Problem} `invalid` on `file`, saying what is wrong.
 */
export async function checkSld(bytes: Buffer): Promise<string> {
  if (bytes.length === 0) throw sldProblems.empty();
  if (bytes.length > maxSldBytes) throw sldProblems.tooLarge(maxSldBytes / MiB);
  const text = decodeXml(bytes);
  const parser = createStrictParser();
  try {
    // Other requests are served between the pieces of a large file.
    for (const _ of writeInPieces(parser, text)) await nextTurn();
    const entity = pendingOf(parser, 'entity');
    if (entity !== '') parser.fail(unendedEntity(entity.slice(0, 20)));
    parser.close();
    return text;
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw explain(text, error instanceof Error ? error.message : '').because(error);
  }
}

/** Creates a parser that stops at the first fault; without `xmlns` it takes a prefix as a part of the name. */
function createStrictParser(): SaxesParser {
  const parser = new SaxesParser();
  let rootSeen = false;
  let depth = 0;
  let attributes = 0;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('xmldecl', () => {
    if (parser.position > maxDeclarationCharacters) throw sldProblems.longDeclaration();
  });
  parser.on('doctype', (declaration) => {
    const root = /[^\s[>]+/.exec(declaration.slice(0, keptCharacters))?.[0] ?? 'nothing';
    throw sldProblems.doctype(root);
  });
  parser.on('opentagstart', ({ name }) => {
    if (!rootSeen && !/^(?:[^:]*:)?StyledLayerDescriptor$/.test(name)) throw sldProblems.wrongRoot(name);
    rootSeen = true;
    depth += 1;
    attributes = 0;
    if (depth > maxDepth) throw sldProblems.tooDeep(maxDepth);
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > maxAttributesPerElement) throw sldProblems.tooManyAttributes(maxAttributesPerElement);
  });
  parser.on('closetag', () => {
    depth -= 1;
  });
  return parser;
}

/** Explains a fault of the parser's, `line:column: reason.`, in `text`, the whole file. */
function explain(text: string, fault: string): Problem {
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
