import { SaxesParser } from 'saxes';
import { writeInPieces } from './xml-pieces.ts';

/** An element without its prefix; text is that of its own, without white space at the ends. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
  /** True when the tree ends within this element, because it has more elements than are read. */
  readonly isCut: boolean;
}

interface OpenElement {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: Element[];
  text: string;
}

export const maxElements = 100_000;
const maxDepth = 256;

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

/**
 * Reads XML into a tree of at most `maxElements` elements; what follows is not looked at. Prefixes need no declaration.
 * @throws Error when it is not well formed, has a DOCTYPE or is nested deeper than 256 levels.
 */
export function readXml(xml: string): Element {
  const top: OpenElement = { name: '', attributes: {}, children: [], text: '' };
  const open: OpenElement[] = [top];
  let elements = 0;
  const close = (isCut: boolean) => {
    const closed = open.pop();
    if (closed !== undefined) open.at(-1)?.children.push({ ...closed, text: closed.text.trim(), isCut });
  };
  const parser = new SaxesParser({ xmlns: false });
  parser.on('doctype', () => {
    throw new Error('a DOCTYPE is not read');
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    elements += 1;
    if (elements > maxElements) return;
    if (open.length > maxDepth) throw new Error(`the elements are nested deeper than ${maxDepth} levels`);
    const own = Object.entries(attributes).map(([key, value]) => [localName(key), value]);
    open.push({ name: localName(name), attributes: Object.fromEntries(own), children: [], text: '' });
  });
  const addText = (text: string) => {
    const last = open.at(-1);
    if (last !== undefined && elements <= maxElements) last.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    if (elements <= maxElements) close(false);
  });
  for (const _ of writeInPieces(parser, xml)) if (elements > maxElements) break;
  if (elements <= maxElements) parser.close();
  while (open.length > 1) close(true);
  const [root] = top.children;
  if (root === undefined) throw new Error('there is no element');
  return root;
}

/** The first child of this name. */
export function childOf(element: Element | undefined, name: string): Element | undefined {
  return element?.children.find((child) => child.name === name);
}

/** All elements of this name below, in document order. */
export function descendantsOf(element: Element, name: string): readonly Element[] {
  const found: Element[] = [];
  const visit = ({ children }: Element) => {
    for (const child of children) {
      if (child.name === name) found.push(child);
      visit(child);
    }
  };
  visit(element);
  return found;
}
