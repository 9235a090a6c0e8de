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
      const land = pixels['allocable'] ?? [];
      for (let i = 0; i < output.length; i++)
        output[i] = land[i] === allocableLand ? highestRating : classNoData;
      // Factor by factor: short loops over two arrays are several times as quick as all factors pixel by pixel.
      for (const [name, [, table]] of named) {
        const values = pixels[name];
        if (table instanceof Float64Array && values instanceof Uint8Array)
          lowerByLookup(output, table, values);
        else if (!(table instanceof Float64Array) && values instanceof Float32Array)
          lowerByTable(output, table, values);
        else throw new Error(`the factor ${name} is rated by a table of another kind`);
      }
    },
  });
}

/** Lowers ratings to those of classes; to none where there is no class, or one without a rating. */
function lowerByLookup(output: Uint8Array, table: Lookup, classes: Uint8Array): void {
  for (let i = 0; i < output.length; i++) {
    const rating = table[classes[i] ?? classNoData] ?? classNoData;
    if (rating < (output[i] ?? 0)) output[i] = rating;
  }
}

/** Lowers ratings to those of numbers; to none where there is no number. */
function lowerByTable(output: Uint8Array, table: RatingTable, numbers: Float32Array): void {
  for (let i = 0; i < output.length; i++) {
    if (output[i] === classNoData) continue;
    const number = numbers[i] ?? floatNoData;
    const rating = number === floatNoData ? classNoData : rate(table, number);
    if (rating < (output[i] ?? 0)) output[i] = rating;
  }
}
