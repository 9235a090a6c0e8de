/** What parts a sign from its number, and stands around the dash: other styles have no such labels. */
const space = '\u00a0';
const number = String.raw`-?\d+(?:\.\d+)?(?:e[+-]?\d+)?`;
const between = new RegExp(`^(${number})${space}–${space}(${number})$`);
const below = new RegExp(`^<${space}(${number})$`);
const from = new RegExp(`^≥${space}(${number})$`);

/** Numbers of a class, of which either end may be infinite and the lower belongs to it. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Writes the label of a class into a style, for programs of every language: `< 5`, `5 – 10`, `≥ 10`. */
export function rangeLabel({ from: low, to: high }: Range): string {
  if (low === -Infinity) return `<${space}${high}`;
  return high === Infinity ? `≥${space}${low}` : `${low}${space}–${space}${high}`;
}

/** Reads a label that `rangeLabel` has written, so that legends have it in the language of their readers; undefined for others. */
export function readRangeLabel(text: string): Range | undefined {
  const [, low, high] = between.exec(text) ?? [];
  if (low !== undefined && high !== undefined) return { from: Number(low), to: Number(high) };
  const least = from.exec(text)?.[1];
  if (least !== undefined) return { from: Number(least), to: Infinity };
  const most = below.exec(text)?.[1];
  return most === undefined ? undefined : { from: -Infinity, to: Number(most) };
}
