import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../database/tables.ts';
import { bringObject, ObjectMissing } from '../../object-store/object-store.ts';
import { runFaults } from '../../messages/datasets.ts';
import type { BandFile } from '../compute/landscape-engine.ts';
import type { RunDependencies } from './compute-pass.ts';
import type { PassSource } from './pass.ts';
import { lowestFault, RunFailed, type RunFault } from './run-failed.ts';

/**
 * Brings the COG of each source dataset once into a new `folder`: the stored file itself, without a copy, where the
 * engine's children cannot write to it. @throws {RunFailed} when one is gone.
 */
export async function fetchSources(
  { db, objectStore, engines }: Pick<RunDependencies, 'db' | 'objectStore' | 'engines'>,
  sources: ReadonlyMap<string, PassSource>,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<BandFile[]> {
  const keys = await findCogs(db, [...sources.values()]);
  const lost = (source: PassSource) => !keys.has(source.datasetId);
  const fault = lowestFault([...sources.values()].filter(lost).map(notAvailable));
  if (fault !== undefined) throw new RunFailed(fault);
  await mkdir(folder);
  const pathOf = (datasetId: string) => join(folder, `${datasetId}.tif`);
  for (const source of new Map([...sources.values()].map((each) => [each.datasetId, each])).values()) {
    const bring = bringObject(objectStore, keys.get(source.datasetId) ?? '', {
      path: pathOf(source.datasetId),
      isGuarded: engines.geo.guardsInput,
      signal,
    });
    await bring.catch((error: unknown) => {
      if (!(error instanceof ObjectMissing)) throw error;
      throw new RunFailed(notAvailable(source), { cause: error });
    });
  }
  return [...sources].map(([key, { datasetId }]) => ({ key, path: pathOf(datasetId) }));
}

/** Finds the object keys of the rasters that are still there, by dataset id. */
async function findCogs(db: Database, sources: readonly PassSource[]): Promise<Map<string, string>> {
  const ids = [...new Set(sources.map(({ datasetId }) => datasetId))];
  const rows = await db
    .selectFrom('datasets')
    .innerJoin('dataset_files', 'dataset_files.dataset_id', 'datasets.id')
    .select(['id', 'object_key'])
    .where('id', 'in', ids)
    .where('status', '=', 'ready')
    .where('kind', '=', 'cog')
    .execute();
  return new Map(rows.map(({ id, object_key: key }) => [id, key]));
}

function notAvailable({ band, datasetId, firstReader }: PassSource): RunFault {
  return { nodeCode: firstReader, error: runFaults.datasetNotAvailable(datasetId, band.group) };
}
