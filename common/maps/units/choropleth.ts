import { type BreakMethod, breaksOf } from '../style/breaks.ts';
import { classOf, parseColour, type Rgba, rampColours } from '../style/colour-map.ts';
import type { ClassLabel } from '../legend/model.ts';

/** A class of a map by districts. Bounds: from inclusive, to exclusive; the last class is unbounded. */
export interface UnitClass {
  readonly colour: Rgba;
  readonly label: ClassLabel;
}

/** The part of a series that decides its classes: the values of each unit, one per date. */
export interface UnitValues {
  readonly units: readonly { readonly values: readonly (number | string | null)[] }[];
}

/** Classes of values, the same for all dates. */
export interface Classes {
  readonly list: readonly UnitClass[];
  readonly classOf: (value: number | string) => number | undefined;
}

/** Qualitative colours: ColorBrewer 2, Set3 (Apache-2.0). */
export const unorderedColours: readonly string[] =
  '#8dd3c7 #ffffb3 #bebada #fb8072 #80b1d3 #fdb462 #b3de69 #fccde5 #bc80bd #ccebc5 #ffed6f #d9d9d9'.split(
    ' ',
  );

/** Returns classes of the numbers of a series over all dates, or of its words if it has no numbers. */
export function classesOf(series: UnitValues, method: BreakMethod, count: number): Classes {
  const all = series.units.flatMap(({ values }) => values);
  const numbers = all.filter((value) => typeof value === 'number');
  if (numbers.length === 0) return classesOfWords(all.filter((value) => typeof value === 'string'));
  const bounds = breaksOf(method, numbers, count);
  const colours = rampColours('ylgn', bounds.length + 1);
  let [least, greatest] = [Infinity, -Infinity];
  for (const number of numbers) {
    least = Math.min(least, number);
    greatest = Math.max(greatest, number);
  }
  const list = colours.map((colour, index) => {
    const [from, to] = [bounds[index - 1] ?? least, bounds[index] ?? greatest];
    return { colour, label: { kind: 'range' as const, from, to } };
  });
  return { list, classOf: (value) => (typeof value === 'number' ? classOf(value, bounds) : undefined) };
}

function classesOfWords(words: readonly string[]): Classes {
  const counts = new Map<string, number>();
  for (const word of words) if (word !== '') counts.set(word, (counts.get(word) ?? 0) + 1);
  const frequent = [...counts].toSorted(([, a], [, b]) => b - a).map(([word]) => word);
  const room =
    frequent.length > unorderedColours.length ? unorderedColours.length - 1 : unorderedColours.length;
  const named = frequent.slice(0, room).toSorted(inCodeOrder);
  const labels: ClassLabel[] = named.map((text) => ({ kind: 'text', text }));
  if (frequent.length > room) labels.push({ kind: 'others' });
  const list = labels.map((label, index) => ({
    colour: parseColour(unorderedColours[index] ?? '') ?? ([217, 217, 217, 255] as const),
    label,
  }));
  const indices = new Map(named.map((word, index) => [word, index]));
  const others = frequent.length > room ? list.length - 1 : undefined;
  return { list, classOf: (value) => indices.get(String(value)) ?? others };
}

/** An order that does not depend on the language of a browser or server. */
const inCodeOrder = (a: string, b: string) => (a < b ? -1 : 1);
