import { SaxesParser } from 'saxes';
import { spreadsheetProblems } from '../../../messages/forms/english.ts';

const mostDepth = 256;
const mostAttributes = 1024;

/** An opening tag; its bounds are offsets in the text, `end` behind the bracket. */
export interface OpenTag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly start: number;
  readonly end: number;
  readonly isSelfClosing: boolean;
}

export interface ScanHandlers {
  open(tag: OpenTag): void;
  /** `start` is the offset of the closing tag, or that behind a tag that closes itself. */
  close?(name: string, start: number, end: number): void;
  text?(text: string): void;
}

/**
 * Reads XML once, completely, and tells where each tag lies in the text, so that the text can be changed in place.
 * @param part the name of the part, for the sentence
 * @throws {Problem} for a document type, entities, and XML that is not well-formed
 */
export function scanXml(xml: string, part: string, { open, close, text }: ScanHandlers): void {
  const parser = new SaxesParser({ xmlns: false });
  const refuse = (): never => {
    throw spreadsheetProblems.brokenPart(part);
  };
  let [depth, attributes] = [0, 0];
  parser.on('error', refuse);
  parser.on('doctype', () => {
    throw spreadsheetProblems.entities(part);
  });
  parser.on('opentagstart', () => {
    depth += 1;
    attributes = 0;
    if (depth > mostDepth) refuse();
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > mostAttributes) refuse();
  });
  parser.on('opentag', (tag) => {
    const end = parser.position;
    // A `<` cannot be part of an attribute.
    const start = xml.lastIndexOf('<', end - 1);
    open({ name: tag.name, attributes: tag.attributes, start, end, isSelfClosing: tag.isSelfClosing });
  });
  parser.on('closetag', (tag) => {
    depth -= 1;
    const end = parser.position;
    close?.(tag.name, tag.isSelfClosing ? end : xml.lastIndexOf('<', end - 1), end);
  });
  if (text !== undefined) {
    parser.on('text', text);
    parser.on('cdata', text);
  }
  parser.write(xml).close();
}

/** A replacement of a part of a text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits that do not overlap, in any order; several at one place follow each other as they are listed. */
export function edited(text: string, edits: readonly Edit[], from = 0, to = text.length): string {
  const ordered = edits.toSorted((one, other) => one.start - other.start || one.end - other.end);
  let [at, made] = [from, ''];
  for (const { start, end, text: replacement } of ordered) {
    made += text.slice(at, start) + replacement;
    at = end;
  }
  return made + text.slice(at, to);
}

const attributePattern = (name: string) => new RegExp(`\\s+${name}\\s*=\\s*(?:"[^"]*"|'[^']*')`);

/** Returns a tag without attributes. */
export function withoutAttributes(tag: string, names: readonly string[]): string {
  return names.reduce((left, name) => left.replace(attributePattern(name), ''), tag);
}

/** Returns a tag up to its last attribute. A pattern from its end would take a square of the time for blanks within. */
const withoutEnd = (tag: string): string => tag.slice(0, tag.endsWith('/>') ? -2 : -1).trimEnd();

/** Returns a tag with attributes in front of its end. */
export function withAttributes(tag: string, written: string): string {
  const end = tag.endsWith('/>') ? '/>' : '>';
  return `${withoutEnd(tag)}${written}${end}`;
}

/** Returns a tag that does not close itself. */
export const opened = (tag: string): string => (tag.endsWith('/>') ? `${withoutEnd(tag)}>` : tag);

export const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
