import { isDatabaseLate, isDatabaseUnavailable } from '../../database/unavailable.ts';
import { StoreUnavailable } from '../../object-store/object-store.ts';

/** Returns whether the database or the object store is away for now, so that the same work may succeed later. */
export function isAway(error: unknown): boolean {
  return isDatabaseUnavailable(error) || isDatabaseLate(error) || error instanceof StoreUnavailable;
}
