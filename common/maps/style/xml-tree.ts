import { SaxesParser } from 'saxes';

/** An element without its prefix; `text` is its own text, trimmed. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
  /** True if the tree was truncated within this element. */
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
const maxAttributesPerElement = 1024;
/** The encoding could be overlooked in a longer XML declaration. */
export const maxDeclarationCharacters = 512;

export interface XmlFault {
  readonly kind:
    | 'doctype'
    | 'longDeclaration'
    | 'tooDeep'
    | 'tooManyAttributes'
    | 'wrongRoot'
    | 'notWellFormed';
  /** The limit, the name of the root, or the parser's message: `line:column: reason.` */
  readonly detail: string;
}

/** A text cannot be read as XML. */
export class XmlRefused extends Error {
  override readonly name = 'XmlRefused';
  readonly fault: XmlFault;
  constructor(kind: XmlFault['kind'], detail: string | number) {
    super(`${kind}: ${detail}`);
    this.fault = { kind, detail: String(detail) };
  }
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

/**
 * Parses XML completely, into a tree of its first `maxElements` elements. Prefixes need no declaration.
 * @param rootName required name of the root, without prefix; any by default. @throws {XmlRefused} at the first fault.
 */
export function readXml(xml: string, rootName?: string): Element {
  const top: OpenElement = { name: '', attributes: {}, children: [], text: '' };
  const open: OpenElement[] = [top];
  let [elements, depth, attributeCount] = [0, 0, 0];
  const close = (isCut: boolean) => {
    const closed = open.pop();
    if (closed !== undefined) open.at(-1)?.children.push({ ...closed, text: closed.text.trim(), isCut });
  };
  const parser = new SaxesParser({ xmlns: false });
  parser.on('error', ({ message }) => {
    throw new XmlRefused('notWellFormed', message);
  });
  parser.on('xmldecl', () => {
    if (parser.position > maxDeclarationCharacters) throw new XmlRefused('longDeclaration', '');
  });
  parser.on('doctype', (declaration) => {
    throw new XmlRefused('doctype', /[^\s[>]+/.exec(declaration.slice(0, keptCharacters))?.[0] ?? 'nothing');
  });
  parser.on('opentagstart', ({ name }) => {
    if (elements === 0 && rootName !== undefined && localName(name) !== rootName)
      throw new XmlRefused('wrongRoot', name);
    elements += 1;
    depth += 1;
    attributeCount = 0;
    if (depth > maxDepth) throw new XmlRefused('tooDeep', maxDepth);
  });
  parser.on('attribute', () => {
    attributeCount += 1;
    if (attributeCount > maxAttributesPerElement)
      throw new XmlRefused('tooManyAttributes', maxAttributesPerElement);
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (elements > maxElements) return;
    const own: Record<string, string> = Object.create(null);
    for (const key in attributes) own[localName(key)] = attributes[key] ?? '';
    open.push({ name: localName(name), attributes: own, children: [], text: '' });
  });
  const addText = (text: string) => {
    const last = open.at(-1);
    if (last !== undefined && elements <= maxElements) last.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    depth -= 1;
    if (elements <= maxElements) close(false);
  });
  writeInPieces(parser, xml);
  const entity = pendingOf(parser, 'entity');
  if (entity !== '') parser.fail(`the entity &${entity.slice(0, 20)} does not end`);
  parser.close();
  while (open.length > 1) close(true);
  const [root] = top.children;
  if (root === undefined) throw new XmlRefused('notWellFormed', 'there is no element');
  return root;
}

const charactersPerPiece = 16 * 1024;
/** Characters kept of a text, attribute or comment that is longer than a piece. */
const keptCharacters = 4 * 1024;

type Parser = Pick<SaxesParser, 'write'>;

/**
 * Writes XML to a parser piece by piece, and shortens after each piece the comment or attribute that the parser has collected: a rope with
 * a link per line break, dash or `&`, which takes thirty times the memory of the text. This does not affect well-formedness. saxes has
 * neither a limit nor an accessor for it; its version is pinned, and the tests with bombs notice a change.
 */
function writeInPieces(parser: Parser, xml: string): void {
  for (let at = 0; at < xml.length; at += charactersPerPiece) {
    parser.write(xml.slice(at, at + charactersPerPiece));
    for (const field of ['text', 'entity'] as const) {
      const pending = pendingOf(parser, field);
      if (pending.length > keptCharacters) Reflect.set(parser, field, pending.slice(0, keptCharacters));
    }
  }
}

/** Returns the characters of a text or entity that a parser has collected but not reported. */
function pendingOf(parser: Parser, field: 'text' | 'entity'): string {
  const pending: unknown = Reflect.get(parser, field);
  return typeof pending === 'string' ? pending : '';
}

export function childOf(element: Element | undefined, name: string): Element | undefined {
  return element?.children.find((child) => child.name === name);
}

/** Returns all descendants with this name, in document order. */
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
