import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DistrictCounts } from '../catalogue/districts/plan.ts';
import { type DistrictImport, importDistricts } from '../catalogue/districts/import.ts';
import type { GeoEngine } from '../geo/engine.ts';
import type { Components } from './components.ts';

/**
 * Takes administrative units from the file at `inputPath`.
 * @throws {Problem} as `importDistricts` does.
 */
export async function importDistrictsFile(
  parts: { readonly components: Components; readonly engine: GeoEngine; readonly signal: AbortSignal },
  inputPath: string,
  wanted: DistrictImport,
): Promise<DistrictCounts> {
  const { components, engine, signal } = parts;
  const scratch = await mkdtemp(join(tmpdir(), 'steppe-districts-'));
  try {
    return await importDistricts({ db: components.db, engine }, { inputPath, scratch, signal }, wanted);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
