import type { Database } from '../../database/tables.ts';
import { changeDistricts, type ChangeOptions } from './change.ts';
import type { DistrictCounts } from './plan.ts';
import { readSeeds } from './districts.ts';

/**
 * Brings back the units that a new database is filled with, as they were, all at once. Units that are none of them stay,
 * unless they are replaced.
 */
export async function restoreDistricts(
  dependencies: { readonly db: Database; readonly signal: AbortSignal },
  options: ChangeOptions,
): Promise<DistrictCounts> {
  const units = await Array.fromAsync(readSeeds());
  const levels = new Map(units.flat().map(({ kato_code: code, level }) => [code, level]));
  async function* batches() {
    yield* units;
  }
  return await changeDistricts(dependencies, { levels, batches }, options);
}
