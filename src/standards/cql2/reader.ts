import { filterFaults } from '../../messages/standards.ts';
import { refuseFilter } from './refuse.ts';
import type { Token } from './tokens.ts';

/** A position in the tokens of a filter. */
export interface Reader {
  /** Consumes the next token if it is this symbol or word in any case; returns whether it did. */
  skip(symbolOrWord: string): boolean;
  /** Consumes this token. @throws {Problem} `malformed` if the next token differs. */
  expect(symbolOrWord: string): void;
  /** Returns a token without consuming it. */
  peek(ahead?: number): Token | undefined;
  next(): Token;
  fail(): never;
}

/** Creates a reader at the first token. @param length of the text, for faults at its end */
export function createReader(tokens: readonly Token[], length: number): Reader {
  let place = 0;
  const fail = () => refuseFilter(filterFaults.syntax((tokens[place]?.at ?? length) + 1));
  const isNext = (wanted: string): boolean => {
    const token = tokens[place];
    return (token?.kind === 'symbol' || token?.kind === 'name') && token.text.toLowerCase() === wanted;
  };
  const skip = (wanted: string): boolean => {
    const isThere = isNext(wanted);
    if (isThere) place += 1;
    return isThere;
  };
  return {
    skip,
    expect(wanted) {
      if (!skip(wanted)) fail();
    },
    peek: (ahead = 0) => tokens[place + ahead],
    next: () => tokens[place++] ?? fail(),
    fail,
  };
}
