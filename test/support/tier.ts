/** True in the later tiers, which repeat in large numbers what `npm test` repeats a few times. */
export const isLongTier = process.env['STEPPE_TEST_TIER'] === 'long';

const until = Number(process.env['STEPPE_TEST_UNTIL'] ?? Infinity);
/** True in a tier with `--minutes`: it takes other combinations than the short tier, and not all. */
const isLimited = isLongTier && Number.isFinite(until);

/** Number in the variable, which is for one run by hand; otherwise that of the tier. */
export function repetitions(variable: string, short: number, long: number): number {
  return Number(process.env[variable] ?? (isLongTier ? long : short));
}

/** Number in the variable; otherwise all in an unlimited long tier, else few. For what takes a minute each. */
export function fewOrAll(variable: string, few: number, all: number): number {
  return Number(process.env[variable] ?? (isLongTier && !isLimited ? all : few));
}

/** All items in the long tier; every n-th item in the short tier. */
export function sampleOf<T>(items: readonly T[], every: number): readonly T[] {
  return isLongTier ? items : items.filter((_, index) => index % every === 0);
}

/** One item, which changes with `turn`; the long tier takes the next one. */
export function turnOf<T>(items: readonly T[], turn: number): readonly T[] {
  return items.filter((_, index) => index === (turn + (isLongTier ? 1 : 0)) % items.length);
}

/** All items in an unlimited long tier; one in the short tier; the next one in a limited long tier. */
export function allOrTurnOf<T>(items: readonly T[], turn: number): readonly T[] {
  return isLongTier && !isLimited ? items : turnOf(items, turn);
}

/** Returns whether a test that has done one repetition should stop, because `--minutes` limits the tier. */
export function isTimeUp(): boolean {
  return Date.now() > until;
}
