import { setImmediate as nextTurn } from 'node:timers/promises';
import { SaxesParser } from 'saxes';
import { Problem } from '../../common/errors.ts';
import { KiB, MiB } from '../../common/units.ts';
import { sldProblems, unendedEntity } from '../../messages/styles.ts';
import { decodeXml, maxDeclarationCharacters } from './sld-encoding.ts';

export const maxSldBytes = 5 * MiB;
const maxDepth = 256;
const maxAttributesPerElement = 1024;
const charactersPerTurn = 16 * KiB;
const keptCharacters = 4 * KiB;

/**
 * Checks that bytes are a Styled Layer Descriptor: well-formed XML in an encoding that can be read, without DOCTYPE,
 * its root `StyledLayerDescriptor` under any prefix. Prefixes that nobody declared are forgiven: real files have them.
 * @throws {Problem} `invalid` on `file`, saying what is wrong.
 */
export async function checkSld(bytes: Buffer): Promise<void> {
  if (bytes.length === 0) throw sldProblems.empty();
  if (bytes.length > maxSldBytes) throw sldProblems.tooLarge(maxSldBytes / MiB);
  const text = decodeXml(bytes);
  const parser = createStrictParser();
  try {
    for (let at = 0; at < text.length; at += charactersPerTurn) {
      parser.write(text.slice(at, at + charactersPerTurn));
      dropPendingText(parser);
      await nextTurn(); // other requests are served between the pieces of a large file
    }
    const entity = pendingOf(parser, 'entity');
    if (entity !== '') parser.fail(unendedEntity(entity.slice(0, 20)));
    parser.close();
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw explain(text, error instanceof Error ? error.message : '').because(error);
  }
}

/**
 * Shortens what the parser has gathered of a comment or an attribute: a chain with a link for each line break, dash or
 * `&`, which takes thirty times the memory of the text. Whether XML is well-formed does not depend on it. saxes has
 * neither a limit nor an accessor for it; its version is pinned, and the tests with bombs notice a change.
 */
function dropPendingText(parser: SaxesParser): void {
  for (const field of ['text', 'entity'] as const) {
    const pending = pendingOf(parser, field);
    if (pending.length > keptCharacters) Reflect.set(parser, field, pending.slice(0, keptCharacters));
  }
}

function pendingOf(parser: SaxesParser, field: 'text' | 'entity'): string {
  const pending: unknown = Reflect.get(parser, field);
  return typeof pending === 'string' ? pending : '';
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
    throw otherFile(root.toLowerCase()) ?? sldProblems.doctype(root);
  });
  parser.on('opentagstart', ({ name }) => {
    if (!rootSeen && localName(name) !== 'StyledLayerDescriptor')
      throw otherFile(name) ?? sldProblems.wrongRoot(name);
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

/** Files that are often taken for an SLD, by the lower-case local name of their root element. */
const otherFiles: ReadonlyMap<string, Parameters<typeof sldProblems.otherFile>[0]> = new Map([
  ['html', 'webPage'],
  ['qgis', 'qgisStyle'],
  ['qlr', 'qgisLayer'],
  ['qgis-layer-definition', 'qgisLayer'],
  ['serviceexceptionreport', 'errorReport'],
  ['exceptionreport', 'errorReport'],
  ['featuretypestyle', 'fragment'],
  ['coveragestyle', 'fragment'],
  ['userstyle', 'fragment'],
  ['namedlayer', 'fragment'],
  ['userlayer', 'fragment'],
]);

function otherFile(root: string): Problem | undefined {
  const kind = otherFiles.get(localName(root).toLowerCase());
  return kind === undefined ? undefined : sldProblems.otherFile(kind, root);
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Explains a fault of the parser's, `line:column: reason.`, in `text`, the whole file. */
function explain(text: string, fault: string): Problem {
  const head = text.slice(0, keptCharacters).trimStart();
  if (/^[{[]/.test(head)) return sldProblems.json();
  if (/^<(?:!doctype\s+)?html[\s>]/i.test(head)) return sldProblems.otherFile('webPage', 'html');
  if (head === '') return sldProblems.blank();
  if (!head.startsWith('<')) return sldProblems.notXml(head.slice(0, 20));
  const [, line, column, reason] = /^(\d+):(\d+): (.*?)\.?$/s.exec(fault.slice(0, 200)) ?? [];
  if (line === undefined || column === undefined || reason === undefined)
    return sldProblems.notWellFormed(fault);
  return sldProblems.notWellFormed(reason, { line, column });
}
