import { filterFaults } from '../../messages/standards/english.ts';
import { readNumber } from './filter.ts';
import { refuseFilter } from './refuse.ts';

export type Token =
  | { readonly kind: 'name' | 'quoted' | 'text' | 'symbol'; readonly text: string; readonly at: number }
  | { readonly kind: 'number'; readonly value: number | bigint; readonly text: string; readonly at: number };

const patterns = {
  blank: /[ \t\r\n\f\v\u00A0]+/y,
  number: /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?/iy,
  // A namespace may precede the name, as in proj:code.
  name: /[:_\p{L}][.:_\p{L}\p{M}\p{N}]*/uy,
  // A quote inside is doubled, or follows a backslash.
  text: /'(?:[^'\\]|''|\\[^])*'/y,
  quoted: /"(?:[^"])+"/y,
  symbol: /<>|<=|>=|[=<>(),/*+^%-]/y,
} as const;

/** Splits a CQL2 text into tokens in one pass. @throws {Problem} `malformed` at an invalid token. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (kind: keyof typeof patterns): string | undefined => {
    const pattern = patterns[kind];
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  while (at < text.length) {
    const found = take('blank') ?? readToken(take, at, tokens) ?? refuseFilter(filterFaults.syntax(at + 1));
    at += found.length;
  }
  return tokens;
}

function readToken(
  take: (kind: keyof typeof patterns) => string | undefined,
  at: number,
  tokens: Token[],
): string | undefined {
  const number = take('number');
  if (number !== undefined) {
    tokens.push({ kind: 'number', value: readNumber(number) ?? Number(number), text: number, at });
    return number;
  }
  for (const kind of ['name', 'text', 'quoted', 'symbol'] as const) {
    const found = take(kind);
    if (found === undefined) continue;
    tokens.push({ kind, text: tokenValue(kind, found), at });
    return found;
  }
  return undefined;
}

function tokenValue(kind: 'name' | 'text' | 'quoted' | 'symbol', found: string): string {
  if (kind === 'quoted') return found.slice(1, -1);
  return kind === 'text' ? found.slice(1, -1).replaceAll(/''|\\'/g, "'") : found;
}
