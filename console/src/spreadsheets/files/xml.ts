import { SpreadsheetFault } from '../model/types.ts';

/** Handler of the elements of a document. Names have no prefix; attributes are unparsed. */
export interface XmlHandler {
  readonly open: (name: string, attributes: string) => void;
  readonly close: (name: string) => void;
  /** Text with unresolved references. */
  readonly text: (text: string) => void;
}

/** Limit for a tag or a text; spreadsheets have none longer. */
const maxPieceCharacters = 1024 * 1024;

const [quote, apostrophe, greater, slash] = ['"', "'", '>', '/'].map((character) => character.charCodeAt(0));

/**
 * Reads XML as it occurs in spreadsheets, piece by piece; several times as fast as a full XML parser. Document types
 * are refused, and custom entities with them.
 * @throws {SpreadsheetFault}
 */
export async function readXml(
  pieces: AsyncIterable<string>,
  handler: XmlHandler,
  part: string,
): Promise<void> {
  let rest = '';
  let depth = 0;
  const damaged = (): SpreadsheetFault => new SpreadsheetFault('damaged', part);
  for await (const piece of pieces) {
    const text = rest + piece;
    let at = 0;
    for (;;) {
      const start = text.indexOf('<', at);
      const end = start === -1 ? -1 : endOf(text, start, part);
      if (end === -1) break;
      if (start > at) handler.text(text.slice(at, start));
      at = end;
      const second = text.charAt(start + 1);
      if (second === '?') continue;
      if (second === '!') {
        if (text.startsWith('<![CDATA[', start)) handler.text(escaped(text.slice(start + 9, end - 3)));
      } else if (second === '/') {
        depth -= 1;
        if (depth < 0) throw damaged();
        handler.close(localName(text.slice(start + 2, end - 1).trimEnd()));
      } else {
        const isEmpty = text.charCodeAt(end - 2) === slash;
        const tag = text.slice(start + 1, isEmpty ? end - 2 : end - 1);
        const space = tag.search(/\s/);
        const name = localName(space === -1 ? tag : tag.slice(0, space));
        handler.open(name, space === -1 ? '' : tag.slice(space));
        if (isEmpty) handler.close(name);
        else depth += 1;
      }
    }
    rest = text.slice(at);
    if (rest.length > maxPieceCharacters) throw damaged();
  }
  if (depth !== 0 || rest.trim() !== '') throw damaged();
}

/** The position after a tag, comment or section that begins at `start`; -1 if its end has not arrived yet. */
function endOf(text: string, start: number, part: string): number {
  if (text.charCodeAt(start + 1) === 0x21) {
    if (text.startsWith('<!--', start)) return behind(text, '-->', start + 4);
    if (text.startsWith('<![CDATA[', start)) return behind(text, ']]>', start + 9);
    if (text.length - start < 9) return -1;
    throw new SpreadsheetFault('documentType', part);
  }
  let open = 0;
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (open !== 0) {
      if (code === open) open = 0;
    } else if (code === greater) return at + 1;
    else if (code === quote || code === apostrophe) open = code;
  }
  return -1;
}

function behind(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? -1 : found + mark.length;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;');
}

/** Returns the value of an attribute, whatever its prefix. */
export function attributeOf(attributes: string, name: string): string | undefined {
  let at = attributes.indexOf(name);
  if (at === -1) return undefined;
  // The common form of attributes; the general one takes ten times as long.
  if (!attributes.includes("'")) {
    for (; at !== -1; at = attributes.indexOf(name, at + 1)) {
      const before = attributes.charCodeAt(at - 1);
      const from = at + name.length + 2;
      if ((before === blank || before === colon) && attributes.startsWith('="', from - 2))
        return plainText(attributes.slice(from, attributes.indexOf('"', from)));
    }
    if (!uncommon.test(attributes)) return undefined;
  }
  for (const [, found, , value = ''] of attributes.matchAll(attribute))
    if (found !== undefined && localName(found) === name) return plainText(value);
  return undefined;
}

const [blank, colon] = [' ', ':'].map((character) => character.charCodeAt(0));
/** Blanks around the sign, or others than spaces between attributes. */
const uncommon = /\s=|=\s|[^\S ]/;
const attribute = /([^\s=]+)\s*=\s*(["'])(.*?)\2/gs;

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Resolves the references in a text. */
export function plainText(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi, (all, hex, decimal, name) => {
    if (name !== undefined) return named[name] ?? all;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
