import { type ClassBand, classNoData, type FloatBand, floatNoData } from '../../model/bands.ts';
import { suitabilityLegend } from '../../model/palettes.ts';
import { classNode, type GraphNode } from '../../model/node.ts';
import {
  divided,
  type Lookup,
  rate,
  type RatingsByBits,
  ratingsByBits,
  type RatingTable,
} from '../../model/rating.ts';
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
        if (isLookup(table) && values instanceof Uint8Array) lowerByLookup(output, table, values);
        else if (!isLookup(table) && values instanceof Float32Array)
          lowerByTable(output, prepared(table), values);
        else throw new Error(`the factor ${name} is rated by a table of another kind`);
      }
    },
  });
}

function isLookup(table: RatingTable | Lookup): table is Lookup {
  return table instanceof Float64Array;
}

/** Lowers ratings to those of classes; to none where there is no class, or one without a rating. */
function lowerByLookup(output: Uint8Array, table: Lookup, classes: Uint8Array): void {
  for (let i = 0; i < output.length; i++) {
    const rating = table[classes[i] ?? classNoData] ?? classNoData;
    if (rating < (output[i] ?? 0)) output[i] = rating;
  }
}

/** Tables by the bits of what they rate, made when they are first needed. */
const made = new WeakMap<RatingTable, RatingsByBits>();

function prepared(table: RatingTable) {
  let byBits = made.get(table);
  if (byBits === undefined) made.set(table, (byBits = ratingsByBits(table, floatNoData)));
  return { table, byBits };
}

/** Lowers ratings to those of numbers; to none where there is no number. */
function lowerByTable(
  output: Uint8Array,
  { table, byBits }: { readonly table: RatingTable; readonly byBits: RatingsByBits },
  numbers: Float32Array,
): void {
  // Little-endian, as every machine is that this runs on: the upper half of a number comes second.
  const halves = new Uint16Array(numbers.buffer, numbers.byteOffset, numbers.length * 2);
  for (let i = 0; i < output.length; i++) {
    let rating = byBits[halves[2 * i + 1] ?? 0] ?? classNoData;
    if (rating === divided) {
      const number = numbers[i] ?? floatNoData;
      rating = number === floatNoData ? classNoData : rate(table, number);
    }
    if (rating < (output[i] ?? 0)) output[i] = rating;
  }
}
