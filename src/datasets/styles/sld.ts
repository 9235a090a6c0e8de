import { setImmediate as nextTurn } from 'node:timers/promises';
import { SaxesParser } from 'saxes';
import { Problem } from '../../common/errors.ts';
import { KiB, MiB } from '../../common/units.ts';
import { decodeXml, maxDeclarationCharacters } from './sld-encoding.ts';
import { hasDoctype, notWellFormed, rootName, wrongRoot, wrongSld } from './sld-faults.ts';

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
  if (bytes.length === 0) throw wrongSld('is empty');
  if (bytes.length > maxSldBytes) throw wrongSld(`must have at most ${maxSldBytes / MiB} MiB`);
  const text = decodeXml(bytes);
  const parser = createStrictParser();
  try {
    for (let at = 0; at < text.length; at += charactersPerTurn) {
      parser.write(text.slice(at, at + charactersPerTurn));
      dropPendingText(parser);
      await nextTurn(); // other requests are served between the pieces of a large file
    }
    const entity = pendingOf(parser, 'entity');
    if (entity !== '') parser.fail(`the entity &${entity.slice(0, 20)} does not end`);
    parser.close();
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw notWellFormed(text, error instanceof Error ? error.message : 'unreadable');
  }
}

/**
 * What saxes has read of a comment or an attribute is a chain with a link for each line break, dash or `&` in it, which
 * takes thirty times the memory of the text. Whether XML is well-formed does not depend on what is dropped here.
 */
function dropPendingText(parser: SaxesParser): void {
  for (const field of ['text', 'entity'] as const) {
    const pending = pendingOf(parser, field);
    if (pending.length > keptCharacters) Reflect.set(parser, field, pending.slice(0, keptCharacters));
  }
}

/** What has been read of the text or entity that the parser is in; `saxes` has no other way to tell. */
function pendingOf(parser: SaxesParser, field: 'text' | 'entity'): string {
  const pending: unknown = Reflect.get(parser, field);
  return typeof pending === 'string' ? pending : '';
}

/** A parser that stops at the first fault; without `xmlns` it takes prefixes as parts of names. */
function createStrictParser(): SaxesParser {
  const parser = new SaxesParser();
  let rootSeen = false;
  let depth = 0;
  let attributes = 0;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('xmldecl', () => {
    if (parser.position > maxDeclarationCharacters) {
      const example = '<?xml version="1.0" encoding="UTF-8"?>';
      throw wrongSld(`has an XML declaration that is too long; shorten it to ${example}`);
    }
  });
  parser.on('doctype', (declaration) => {
    throw hasDoctype(declaration);
  });
  parser.on('opentagstart', ({ name }) => {
    const localName = name.slice(name.indexOf(':') + 1);
    if (!rootSeen && localName !== rootName) throw wrongRoot(name);
    rootSeen = true;
    depth += 1;
    attributes = 0;
    if (depth > maxDepth) throw wrongSld(`is nested deeper than ${maxDepth} elements`);
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > maxAttributesPerElement) {
      throw wrongSld(`has an element with more than ${maxAttributesPerElement} attributes`);
    }
  });
  parser.on('closetag', () => {
    depth -= 1;
  });
  return parser;
}
