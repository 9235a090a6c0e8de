import { address } from '../../address/address.ts';
import type { DatasetAreas } from '../../service/types.ts';

/** The units by which hectares are counted. */
type By = DatasetAreas['by'];

export const levels = ['district', 'region', 'all'] as const satisfies readonly By[];

/** The units that the address asks for areas of; undefined where it does not. */
export function unitsAsked(): By | undefined {
  return levels.find((level) => level === address.value.query.get('areas'));
}
