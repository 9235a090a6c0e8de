import { address } from '../../address/address.ts';
import type { DatasetAreas } from '../../service/types.ts';

/** The level of units by which hectares are counted. */
type By = DatasetAreas['by'];

export const levels = ['district', 'region', 'all'] as const satisfies readonly By[];

/** The level of units in the address whose areas are shown; undefined if the address names none. */
export function unitsAsked(): By | undefined {
  return levels.find((level) => level === address.value.query.get('areas'));
}
