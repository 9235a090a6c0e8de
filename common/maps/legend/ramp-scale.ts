import type { LegendModel } from './model.ts';

type Stop = Extract<LegendModel, { kind: 'ramp' }>['stops'][number];

/** Positions of the colours and the numbers of a ramp, from 0 at the lowest value to 1 at the highest. */
export interface RampScale {
  readonly colours: readonly (Stop & { readonly at: number })[];
  readonly ticks: readonly Tick[];
}

interface Tick {
  readonly at: number;
  readonly value: number;
  /** Label in the style; absent for a number. */
  readonly label?: string;
}

const maxTicks = 6;
/** With more stops, they were generated rather than chosen. */
const maxNamedStops = 12;
/** Numbers closer than this share of the length overlap. */
const nearest = 0.08;

/**
 * Lays out a ramp: by value, with round numbers or the style's labels beside it; evenly with each stop's own label if stops are too close.
 */
export function scaleRamp(stops: readonly Stop[]): RampScale {
  const ordered = stops
    .filter(({ value }) => Number.isFinite(value))
    .toSorted((one, other) => one.value - other.value);
  const [first] = ordered;
  const last = ordered.at(-1);
  if (first === undefined || last === undefined) return { colours: [], ticks: [] };
  const span = last.value - first.value;
  if (span === 0) return { colours: [{ ...first, at: 0 }], ticks: [tickOf({ ...first, at: 0.5 })] };
  const byValue = ordered.map((stop) => ({ ...stop, at: (stop.value - first.value) / span }));
  const isNamed = ordered.some(({ label }) => label !== undefined);
  const ticked = (placed: typeof byValue) =>
    placed.filter(
      ({ label }, index) => !isNamed || label !== undefined || index === 0 || index === placed.length - 1,
    );
  if (isCrowded(ticked(byValue)) && ordered.length <= maxNamedStops) {
    const colours = ordered.map((stop, index) => ({ ...stop, at: index / (ordered.length - 1) }));
    return { colours, ticks: ticked(colours).map(tickOf) };
  }
  if (isNamed) return { colours: byValue, ticks: withRoom(ticked(byValue)).map(tickOf) };
  const ticks = roundNumbers(first.value, last.value).map((value) => ({
    at: (value - first.value) / span,
    value,
  }));
  return { colours: byValue, ticks };
}

const isCrowded = (ticks: readonly { readonly at: number }[]): boolean =>
  ticks.some(({ at }, index) => index > 0 && at - (ticks[index - 1]?.at ?? 0) < nearest);

/** Removes labels that would overlap; keeps both ends. */
function withRoom<T extends { readonly at: number }>(ticks: readonly T[]): readonly T[] {
  const kept: T[] = [];
  for (const [index, tick] of ticks.entries()) {
    const isLast = index === ticks.length - 1;
    const isFree = tick.at - (kept.at(-1)?.at ?? -1) >= nearest && (isLast || 1 - tick.at >= nearest);
    if (isFree || isLast) kept.push(tick);
  }
  return kept;
}

function tickOf({ at, value, label }: Tick): Tick {
  return { at, value, ...(label === undefined ? {} : { label }) };
}

/** Returns round numbers in a range: steps of 1, 2, 2.5 or 5 times a power of ten, as many as fit. */
export function roundNumbers(from: number, to: number): readonly number[] {
  const power = 10 ** Math.floor(Math.log10((to - from) / maxTicks));
  for (const factor of [1, 2, 2.5, 5, 10]) {
    const step = factor * power;
    // Tolerates rounding errors of a billionth of a step.
    const [start, end] = [Math.ceil(from / step - 1e-9), Math.floor(to / step + 1e-9)];
    if (end - start < maxTicks && Number.isFinite(step) && step > 0) {
      return Array.from({ length: end - start + 1 }, (_, index) =>
        Number(((start + index) * step).toPrecision(12)),
      );
    }
  }
  return [from, to];
}
