import { SaxesParser } from 'saxes';

/** An element without its prefix; text is that of its own, without white space at the ends. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
}

interface OpenElement {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: Element[];
  text: string;
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

/** Reads XML into a tree; prefixes need no declaration. @throws Error when it is not well formed or has a DOCTYPE. */
export function readXml(xml: string): Element {
  const top: OpenElement = { name: '', attributes: {}, children: [], text: '' };
  const open: OpenElement[] = [top];
  const parser = new SaxesParser({ xmlns: false });
  parser.on('doctype', () => {
    throw new Error('a DOCTYPE is not read');
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const own = Object.entries(attributes).map(([key, value]) => [localName(key), value]);
    open.push({ name: localName(name), attributes: Object.fromEntries(own), children: [], text: '' });
  });
  const addText = (text: string) => {
    const last = open.at(-1);
    if (last !== undefined) last.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const closed = open.pop();
    if (closed !== undefined) open.at(-1)?.children.push({ ...closed, text: closed.text.trim() });
  });
  parser.write(xml).close();
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
  return element.children.flatMap((child) =>
    child.name === name ? [child, ...descendantsOf(child, name)] : descendantsOf(child, name),
  );
}
