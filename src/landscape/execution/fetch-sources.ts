import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../database/tables/tables.ts';
import { bringObject, ObjectMissing } from '../../object-store/object-store.ts';
import { RemoteFault } from '../../remote/remote-answer.ts';
import { runFaults } from '../../messages/runs/english.ts';
import type { BandFile } from '../compute/landscape-engine.ts';
import type { RunDependencies } from './compute-pass.ts';
import type { PassSource } from './pass.ts';
import { lowestFault, RunFailed, type RunFault } from '../runs/run-failed.ts';

/** The object key of the COG of a source, and its local path. */
export interface WantedFile {
  readonly objectKey: string;
  readonly datasetId: string;
  readonly path: string;
}

export interface FetchOptions {
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Downloads a file in another way; returns its available windows, undefined for a complete file. @throws {ObjectMissing} */
  readonly bringFile?: (wanted: WantedFile) => Promise<BandFile['windows']>;
}

/**
 * Downloads the COG of each source dataset once into a new `folder`. Uses the stored file itself, without a copy, if the child processes
 * of the engine cannot write to it.
 * @throws {RunFailed} when one was deleted.
 */
export async function fetchSources(
  { db, objectStore, engines }: Pick<RunDependencies, 'db' | 'objectStore' | 'engines'>,
  sources: ReadonlyMap<string, PassSource>,
  { folder, signal, bringFile }: FetchOptions,
): Promise<BandFile[]> {
  const keys = await findCogs(db, [...sources.values()]);
  const lost = (source: PassSource) => !keys.has(source.datasetId);
  const fault = lowestFault([...sources.values()].filter(lost).map(notAvailable));
  if (fault !== undefined) throw new RunFailed(fault);
  await mkdir(folder);
  const pathOf = (datasetId: string) => join(folder, `${datasetId}.tif`);
  const whole = async ({ objectKey, path }: WantedFile): Promise<undefined> => {
    await bringObject(objectStore, objectKey, { path, isGuarded: engines.geo.guardsInput, signal });
  };
  const windows = new Map<string, BandFile['windows']>();
  for (const source of new Map([...sources.values()].map((each) => [each.datasetId, each])).values()) {
    const { datasetId } = source;
    const wanted = { objectKey: keys.get(datasetId) ?? '', datasetId, path: pathOf(datasetId) };
    const brought = await (bringFile ?? whole)(wanted).catch((error: unknown) => {
      if (error instanceof RemoteFault) {
        const { firstReader: nodeCode, band } = source;
        throw new RunFailed(
          { nodeCode, error: runFaults.sourceAway(band.group, error.told) },
          { cause: error },
        );
      }
      if (!(error instanceof ObjectMissing)) throw error;
      throw new RunFailed(notAvailable(source), { cause: error });
    });
    windows.set(datasetId, brought);
  }
  return [...sources].map(([key, { datasetId }]) => {
    const own = windows.get(datasetId);
    return { key, path: pathOf(datasetId), ...(own === undefined ? {} : { windows: own }) };
  });
}

/** Returns the object keys of existing rasters, by dataset id. */
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
