import { filterFaults } from '../../messages/standards.ts';
import { refuseFilter } from './refuse.ts';
import type { Token } from './tokens.ts';

/** A place in the tokens of a filter. */
export interface Reader {
  /** Returns whether the next token is this symbol or word, whatever its case, and steps over it if so. */
  skip(symbolOrWord: string): boolean;
  /** Steps over it. @throws {Problem} `malformed` where something else stands. */
  expect(symbolOrWord: string): void;
  /** Returns the next token without stepping over it. */
  peek(ahead?: number): Token | undefined;
  next(): Token;
  fail(): never;
}

/** Creates a reader at the first token. @param length of the text, where its end is at fault */
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
