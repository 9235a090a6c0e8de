import type { SaxesParser } from 'saxes';

const charactersPerPiece = 16 * 1024;
/** What is kept of a text, an attribute or a comment when it is longer than a piece. */
const keptCharacters = 4 * 1024;

type Parser = Pick<SaxesParser, 'write'>;

/** Writes XML to a parser piece by piece; yields after each. */
export function* writeInPieces(parser: Parser, xml: string): Generator<void> {
  for (let at = 0; at < xml.length; at += charactersPerPiece) {
    parser.write(xml.slice(at, at + charactersPerPiece));
    dropPendingText(parser);
    yield;
  }
}

/**
 * Shortens what the parser has gathered of a comment or an attribute: a chain with a link for each line break, dash or
 * `&`, which takes thirty times the memory of the text. Whether XML is well-formed does not depend on it. saxes has
 * neither a limit nor an accessor for it; its version is pinned, and the tests with bombs notice a change.
 */
function dropPendingText(parser: Parser): void {
  for (const field of ['text', 'entity'] as const) {
    const pending = pendingOf(parser, field);
    if (pending.length > keptCharacters) Reflect.set(parser, field, pending.slice(0, keptCharacters));
  }
}

/** The characters of a text or of an entity that a parser has not told yet. */
export function pendingOf(parser: Parser, field: 'text' | 'entity'): string {
  const pending: unknown = Reflect.get(parser, field);
  return typeof pending === 'string' ? pending : '';
}
