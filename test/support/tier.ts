/** `npm test` repeats little of what could be repeated for ever; the other tiers repeat it in larger numbers. */
export const isLongTier = process.env['STEPPE_TEST_TIER'] === 'long';

const until = Number(process.env['STEPPE_TEST_UNTIL'] ?? Infinity);
/** The long tier within a number of minutes: of combinations it takes others than the short tier, and not all. */
const isLimited = isLongTier && Number.isFinite(until);

/** The number in the variable, which is for one run by hand, or that of the tier. */
export function repetitions(variable: string, short: number, long: number): number {
  return Number(process.env[variable] ?? (isLongTier ? long : short));
}

/** The number in the variable; in the long tier all, and few within a number of minutes: for what takes a minute each. */
export function fewOrAll(variable: string, few: number, all: number): number {
  return Number(process.env[variable] ?? (isLongTier && !isLimited ? all : few));
}

/** All items in the long tier, and one of each `every` in the short one. */
export function sampleOf<T>(items: readonly T[], every: number): readonly T[] {
  return isLongTier ? items : items.filter((_, index) => index % every === 0);
}

/** One item, in which the callers take turns; in the long tier the next one. */
export function turnOf<T>(items: readonly T[], turn: number): readonly T[] {
  return items.filter((_, index) => index === (turn + (isLongTier ? 1 : 0)) % items.length);
}

/** All items in the long tier, and one in the short one; the next one within a number of minutes. */
export function allOrTurnOf<T>(items: readonly T[], turn: number): readonly T[] {
  return isLongTier && !isLimited ? items : turnOf(items, turn);
}

/** Returns whether a test that has repeated something at least once should stop: `--minutes` bounds a tier. */
export function isTimeUp(): boolean {
  return Date.now() > until;
}
