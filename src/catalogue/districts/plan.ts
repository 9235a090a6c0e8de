import { Problem } from '../../common/errors.ts';
import type { DistrictLevel } from './rows.ts';

/** Codes of units, and of which level each is. */
export type DistrictLevels = ReadonlyMap<string, DistrictLevel>;

/** Which units go that are not given: none, those of a level of which some are given, or all. */
export type Replacement = 'none' | 'given-levels' | 'all-levels';

export interface DistrictCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** How many units there are afterwards. */
  readonly total: number;
}

export interface DistrictPlan {
  readonly counts: DistrictCounts;
  /** Codes of the units that go. */
  readonly removed: readonly string[];
}

/**
 * What becomes of the units there are when others are given.
 * @throws {Problem} when all units of a level would go because none of it is given, and nobody has asked for that.
 */
export function planDistricts(
  before: DistrictLevels,
  given: DistrictLevels,
  replacement: Replacement,
): DistrictPlan {
  const removed = replacement === 'none' ? [] : [...before.keys()].filter((code) => !given.has(code));
  if (replacement === 'given-levels') refuseEmptiedLevel(before, given, removed);
  const changed = [...given.keys()].filter((code) => before.has(code)).length;
  const added = given.size - changed;
  const total = before.size + added - removed.length;
  return { counts: { added, changed, removed: removed.length, total }, removed };
}

/** Whoever imports districts alone hardly means to remove the regions. */
function refuseEmptiedLevel(before: DistrictLevels, given: DistrictLevels, removed: readonly string[]): void {
  const isGiven = new Set(given.values());
  for (const level of ['region', 'district'] as const) {
    if (isGiven.has(level)) continue;
    const lost = removed.filter((code) => before.get(code) === level).length;
    if (lost === 0) continue;
    const other = level === 'region' ? 'district' : 'region';
    throw new Problem(
      'invalid',
      `--replace would remove ${countOf(lost, level)}: the file has none, only ${countOf(given.size, other)}. Nothing was changed. ` +
        `Leave --replace out to keep what the file does not have, or give --replace-all-levels to remove the ${level}s too.`,
    );
  }
}

function countOf(count: number, level: DistrictLevel): string {
  return `${count} ${level}${count === 1 ? '' : 's'}`;
}
