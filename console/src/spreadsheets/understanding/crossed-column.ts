import { lineOf } from '../model/cells.ts';
import type { Cell, Role } from '../model/types.ts';

interface Facts {
  readonly column: number;
  readonly counts: { readonly text: number };
  readonly filled: number;
  readonly distinct: number;
  readonly units: number;
}

const rowsLookedAt = 5000;
/** Crops, kinds of animals, forms of property: few texts, that come again with each place. */
const mostTexts = 100;
/** Each place comes so often on average. */
const fewestRepeats = 1.5;
/** So much of all pairs of a place and a text is there. */
const fewestPairs = 0.5;

/**
 * Finds the column whose few texts come again with each place, where no column has a time: `Регион | Культура | 2022 | 2023`.
 * Undefined where none tells all rows of a place apart. A place or a text may stand once for the rows below it.
 */
export function crossedColumn(
  facts: readonly Facts[],
  roles: readonly Role[],
  rows: readonly (readonly Cell[])[],
): number | undefined {
  if (!roles.includes('value')) return undefined;
  const places = roles.flatMap((role, at) => (/^(?:code|name|region)$/.test(role) ? [at] : []));
  if (places.length === 0) return undefined;
  const sample = rows.slice(0, rowsLookedAt);
  const placesOf = filledDown(places, sample);
  const count = new Set(placesOf).size;
  if (count * fewestRepeats > sample.length) return undefined;
  return facts.find(({ column, counts, filled, distinct, units }) => {
    const isOfTexts = roles[column] === 'note' && counts.text * 2 > filled && units * 2 <= filled;
    if (!isOfTexts || distinct < 2 || distinct > mostTexts || sample.length < 2 * distinct) return false;
    const pairs = new Set(filledDown([column], sample).map((text, at) => `${placesOf[at] ?? ''}\n${text}`));
    return pairs.size === sample.length && pairs.size >= fewestPairs * count * distinct;
  })?.column;
}

/** The texts of columns in each row; what is empty has the text above it. */
function filledDown(columns: readonly number[], rows: readonly (readonly Cell[])[]): readonly string[] {
  const last = columns.map(() => '');
  return rows.map((row) => {
    for (const [at, column] of columns.entries()) last[at] = lineOf(row[column]) || (last[at] ?? '');
    return last.join('\t');
  });
}
