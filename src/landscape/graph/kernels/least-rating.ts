import { type ClassBand, classNoData, type FloatBand, floatNoData } from '../../model/bands.ts';
import { classNode } from '../../model/define-node.ts';
import type { GraphNode } from '../../model/node.ts';
import { suitabilityLegend } from '../../model/palettes.ts';
import { type Lookup, rate, type RatingTable } from '../../model/rating.ts';
import { allocable, allocableLand } from './allocable.ts';

const highestRating = 5;

/** A factor of a suitability and what rates it, 1 to 5: a number by intervals, a class by a lookup. */
type Factor = readonly [FloatBand | GraphNode<FloatBand>, RatingTable] | readonly [ClassBand, Lookup];

/** Defines a suitability that is the least of the ratings of its factors. */
export function leastRatingNode({
  factors,
  ...facts
}: Pick<Parameters<typeof classNode>[0], 'name' | 'title' | 'source'> & {
  /** By the names that inputs and tables have. */
  readonly factors: Readonly<Record<string, Factor>>;
}): GraphNode<ClassBand> {
  const named = Object.entries(factors);
  const inputs: Readonly<Record<string, Factor[0] | typeof allocable>> = {
    ...Object.fromEntries(named.map(([name, [source]]) => [name, source])),
    allocable,
  };
  return classNode({
    ...facts,
    formula:
      'The least of the ratings of its factors (law of the minimum), from 1 to 5, on allocable land; none where a factor has no value.',
    inputs,
    tables: Object.fromEntries(named.map(([name, [, table]]) => [name, table])),
    legend: suitabilityLegend,
    compute(pixels, output) {
      const ratings = named.map(([name, [, table]]) => ratingOf(table, pixels[name] ?? []));
      for (let i = 0; i < output.length; i++) {
        let least = pixels['allocable']?.[i] === allocableLand ? highestRating : classNoData;
        for (let k = 0; k < ratings.length && least !== classNoData; k++) {
          const rating = ratings[k]?.(i) ?? classNoData;
          if (rating < least) least = rating;
        }
        output[i] = least;
      }
    },
  });
}

/** Returns the rating of a pixel by its index; no class where it has no value, or a class without a rating. */
function ratingOf(table: RatingTable | Lookup, values: ArrayLike<number>): (index: number) => number {
  if (table instanceof Float64Array) return (i) => table[values[i] ?? classNoData] ?? classNoData;
  return (i) => {
    const number = values[i] ?? floatNoData;
    return number === floatNoData ? classNoData : rate(table, number);
  };
}
