/** Separates sign and number and surrounds the dash; labels of other styles do not use it. */
const space = '\u00a0';
const number = String.raw`-?\d+(?:\.\d+)?(?:e[+-]?\d+)?`;
const between = new RegExp(`^(${number})${space}–${space}(${number})$`);
const below = new RegExp(`^<${space}(${number})$`);
const from = new RegExp(`^≥${space}(${number})$`);

/** A half-open range `[from, to)` that may be unbounded. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Formats the range of a class as a language-neutral label of a style: `< 5`, `5 – 10`, `≥ 10`. */
export function rangeLabel({ from: low, to: high }: Range): string {
  if (low === -Infinity) return `<${space}${high}`;
  return high === Infinity ? `≥${space}${low}` : `${low}${space}–${space}${high}`;
}

/** Parses a label of `rangeLabel`, so that legends can show it in the reader's language; undefined for any other text. */
export function readRangeLabel(text: string): Range | undefined {
  const [, low, high] = between.exec(text) ?? [];
  if (low !== undefined && high !== undefined) return { from: Number(low), to: Number(high) };
  const least = from.exec(text)?.[1];
  if (least !== undefined) return { from: Number(least), to: Infinity };
  const most = below.exec(text)?.[1];
  return most === undefined ? undefined : { from: -Infinity, to: Number(most) };
}
