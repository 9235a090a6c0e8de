import { randomUUID } from 'node:crypto';
import type { Database } from '../../database/tables/tables.ts';
import { inTransaction } from '../../database/transaction.ts';
import { createLimiter } from '../../lib/concurrency/limiter.ts';
import { createShareCurrent } from '../../lib/concurrency/single-flight.ts';
import { datasetProblems } from '../../messages/datasets/english.ts';
import { writeDraft } from '../../object-store/ledger.ts';
import { filesOfDataset, findFile, findForms, replaceFiles } from '../../datasets/files.ts';
import { type ObjectWriter, storeForms } from '../../datasets/geojson-forms.ts';
import type { StorageDependencies } from '../../datasets/original/receive-file.ts';
import { type GeoJsonObjects, getGeoJsonKeys } from '../../datasets/outputs.ts';
import { getDataset } from '../../datasets/queries.ts';
import type { DatasetRow } from '../../datasets/schema.ts';
import { parseYearColumns } from '../../table/mapping-schema.ts';
import { katoGeoJson } from './kato-geojson.ts';
import { readVersions } from '../../database/districts-version.ts';
import { katoSeries } from './kato-series.ts';
import { spooled } from './spool.ts';

/** Each holds a database connection while it reads; others queue. */
const maxRemakes = 4;

/** A kind of file that depends on observations and districts. */
type FileKind = 'geojson' | 'series';
const writers = { geojson: katoGeoJson, series: katoSeries } as const;

/** @throws {Problem} if the dataset cannot have such a file. */
function findCurrent(dataset: DatasetRow, kind: FileKind) {
  if (kind === 'geojson') return getGeoJsonKeys(dataset);
  const { file_type: fileType, status, observation_set_id: setId } = dataset;
  if (fileType !== 'vector_with_kato') throw datasetProblems.noTable();
  if (status !== 'ready' || setId === null) throw datasetProblems.noSeriesYet(dataset);
  return findForms(dataset.files, kind);
}

export type CurrentFiles = ReturnType<typeof createCurrentFiles>;

/**
 * Keeps files by KATO current, for one process; several processes may do so at once. A file older than the districts is
 * written again before its keys are returned, once for all concurrent requests.
 */
export function createCurrentFiles(storage: StorageDependencies) {
  const { db } = storage;
  const share = createShareCurrent<void>();
  const limited = createLimiter(maxRemakes);

  async function keysOf(datasetId: string, kind: FileKind): Promise<GeoJsonObjects> {
    // The request asks for the current file; later changes of districts concern later requests.
    let wanted: number | undefined;
    for (;;) {
      const dataset = await getDataset(db, datasetId);
      const { key, encodedKeys, madeFrom } = findCurrent(dataset, kind);
      const { observation_set_id: setId } = dataset;
      if (setId === null && key !== null) return { key, encodedKeys }; // not by KATO: independent of districts
      wanted ??= await readVersionOf(db, kind);
      if (key !== null && madeFrom !== null && madeFrom >= wanted) return { key, encodedKeys };
      const name = `${kind} ${datasetId} ${setId} ${key}`;
      await share(name, async () => await limited(async () => await remake(storage, dataset, kind)));
    }
  }

  return {
    /**
     * Returns the object keys of a dataset's GeoJSON.
     * @throws {Problem} `not_found`; `invalid` for a raster; `conflict` while the dataset is not ready.
     */
    geoJsonKeysOf: async (datasetId: string) => await keysOf(datasetId, 'geojson'),
    /**
     * Returns the object keys of a dataset's series, which is written at the first request.
     * @throws {Problem} `not_found`; `invalid` for another type; `conflict` while the dataset is not ready.
     */
    seriesKeysOf: async (datasetId: string) => await keysOf(datasetId, 'series'),
  };
}

/** A series also depends on the history of the districts. */
async function readVersionOf(db: Database, kind: FileKind): Promise<number> {
  const { version, history } = await readVersions(db);
  return kind === 'series' ? version + history : version;
}

/** Does nothing if the dataset was changed, deleted or updated by another process meanwhile. */
async function remake(
  { db, objectStore }: StorageDependencies,
  { id, observation_set_id: setId, year_columns: columns, files: before }: DatasetRow,
  kind: FileKind,
): Promise<void> {
  if (setId === null) return;
  const remakeId = randomUUID();
  await using drafts = new AsyncDisposableStack();
  const madeFrom = await readVersionOf(db, kind);
  const text = await spooled(writers[kind](db, setId, parseYearColumns(columns)));
  const writer: ObjectWriter = {
    async store(folder, extension, form) {
      const made = `${folder}/${id}/${remakeId}${extension}`;
      return drafts.use(await writeDraft(db, objectStore, made, form)).key;
    },
  };
  const files = await storeForms(objectStore, text, writer, { kind, madeFrom });
  await inTransaction(db, async (trx) => {
    const dataset = trx.selectFrom('datasets').where('id', '=', id);
    const lock = dataset.select('id').where('status', '=', 'ready').where('observation_set_id', '=', setId);
    if ((await lock.forUpdate().executeTakeFirst()) === undefined) return;
    // A separate statement: the snapshot of the locking one may predate the commit of another process.
    const { files: now } = await dataset.select(filesOfDataset).executeTakeFirstOrThrow();
    if (findFile(now, kind) === findFile(before, kind)) await replaceFiles(trx, id, files);
  });
}
