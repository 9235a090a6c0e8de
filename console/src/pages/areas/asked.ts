import { address } from '../../address/address.ts';
import type { By } from '../../service/areas.ts';

export const levels = ['district', 'region', 'all'] as const satisfies readonly By[];

/** The units that the address asks for areas of; undefined where it does not. */
export function unitsAsked(): By | undefined {
  return levels.find((level) => level === address.value.query.get('areas'));
}
