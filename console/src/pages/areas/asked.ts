import { address } from '../../address/address.ts';
import type { DatasetAreas } from '../../service/types.ts';

/** The level of units by which hectares are counted. */
type By = DatasetAreas['by'];

export const levels = ['district', 'region', 'all'] as const satisfies readonly By[];

/** Levels that are offered as well if they have borders. */
const further = ['okrug', 'settlement', 'republic'] as const satisfies readonly By[];

/** The levels to choose from: the usual ones, the one that is asked for, and all others with borders. */
export function levelsOf(value: DatasetAreas | undefined, by: By): readonly By[] {
  const others = further.filter((level) => level === by || value?.levels?.includes(level) === true);
  return ['district', ...others, 'region', 'all'];
}

/** The level of units in the address whose areas are shown; undefined if the address names none. */
export function unitsAsked(): By | undefined {
  return [...levels, ...further].find((level) => level === address.value.query.get('areas'));
}
