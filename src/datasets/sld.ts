import { setImmediate as nextTurn } from 'node:timers/promises';
import { SaxesParser } from 'saxes';
import { invalidFields, Problem } from '../errors.ts';
import { KiB, MiB } from '../units.ts';

export const maxSldBytes = 5 * MiB;
const maxDepth = 256;
const maxAttributesPerElement = 1024;
const charactersPerTurn = 64 * KiB;
const rootName = 'StyledLayerDescriptor';

/**
 * Checks that bytes are a Styled Layer Descriptor: well-formed XML in an encoding that can be read, without DOCTYPE,
 * its root `StyledLayerDescriptor` under any prefix. Prefixes that nobody declared are forgiven: real files have them.
 * @throws {Problem} `invalid` on `file`, saying what is wrong.
 */
export async function checkSld(bytes: Buffer): Promise<void> {
  if (bytes.length === 0) throw wrong('is empty');
  if (bytes.length > maxSldBytes) throw wrong(`must have at most ${maxSldBytes / MiB} MiB`);
  const text = decodeXml(bytes);
  const parser = createStrictParser();
  try {
    for (let at = 0; at < text.length; at += charactersPerTurn) {
      parser.write(text.slice(at, at + charactersPerTurn));
      await nextTurn(); // other requests are served between the pieces of a large file
    }
    parser.close();
  } catch (error) {
    if (error instanceof Problem) throw error;
    const reason = error instanceof Error ? error.message : 'unreadable';
    throw wrong(`is not well-formed XML: ${shorten(reason)}`, error);
  }
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
  parser.on('doctype', (declaration) => {
    const root = /[^\s[>]+/.exec(declaration.slice(0, 200))?.[0] ?? 'nothing';
    throw wrong(`must not have a DOCTYPE (its root element is ${shorten(root)})`);
  });
  parser.on('opentagstart', ({ name }) => {
    const localName = name.slice(name.indexOf(':') + 1);
    if (!rootSeen && localName !== rootName) {
      throw wrong(`must have the root element ${rootName}, not ${shorten(name)}`);
    }
    rootSeen = true;
    depth += 1;
    attributes = 0;
    if (depth > maxDepth) throw wrong(`is nested deeper than ${maxDepth} elements`);
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > maxAttributesPerElement) {
      throw wrong(`has an element with more than ${maxAttributesPerElement} attributes`);
    }
  });
  parser.on('closetag', () => {
    depth -= 1;
  });
  return parser;
}

/** Decodes by byte-order mark, then by the look of the first bytes, then by the XML declaration, then as UTF-8. */
function decodeXml(bytes: Buffer): string {
  const encoding = encodingOf(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    const unknown = error instanceof RangeError; // the constructor's; wrong bytes are a TypeError
    throw wrong(
      unknown ? `is in an unknown encoding, ${shorten(encoding)}` : `is not valid ${encoding} text`,
      error,
    );
  }
}

function encodingOf(bytes: Buffer): string {
  const head = bytes.toString('latin1', 0, 1024);
  if (head.startsWith('\xEF\xBB\xBF')) return 'utf-8';
  if (head.startsWith('\xFE\xFF') || head.startsWith('\0<')) return 'utf-16be';
  if (head.startsWith('\xFF\xFE') || head.startsWith('<\0')) return 'utf-16le';
  const declared = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"']*)["']/.exec(head)?.[1] ?? 'utf-8';
  if (/^(utf-?16|utf-?32|ucs-?[24]|csunicode|unicode|iso-10646-ucs-2)/i.test(declared)) {
    throw wrong(`says that it is in ${shorten(declared)}, but is not`);
  }
  return declared;
}

function shorten(name: string): string {
  return name.length > 100 ? `${name.slice(0, 100)}…` : name;
}

function wrong(detail: string, cause?: unknown): Problem {
  return invalidFields({ file: detail }, cause);
}
