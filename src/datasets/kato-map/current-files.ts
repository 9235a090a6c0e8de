import { randomUUID } from 'node:crypto';
import type { Database } from '../../database/tables.ts';
import { inTransaction } from '../../database/transaction.ts';
import { createLimiter } from '../../lib/limiter.ts';
import { createShareCurrent } from '../../lib/single-flight.ts';
import { datasetProblems } from '../../messages/datasets.ts';
import { publishObject, retireObjects, writeDraft } from '../../object-store/ledger.ts';
import { storeGeoJson, storeSeries } from '../geojson-forms.ts';
import type { StorageDependencies } from '../original/receive-file.ts';
import { type GeoJsonObjects, getGeoJsonKeys } from '../outputs.ts';
import { getDataset } from '../queries.ts';
import type { DatasetRow } from '../schema.ts';
import { parseYearColumns, type YearColumn } from '../table/mapping-schema.ts';
import { katoGeoJson, readDistrictsVersion } from './kato-geojson.ts';
import { katoSeries } from './kato-series.ts';
import { spooled } from './spool.ts';

/** Each holds a database connection while it reads; later ones wait for their turn. */
const maxRemakes = 4;

/** A file and its version; `key` is null until the file has been made. */
interface Found extends Pick<GeoJsonObjects, 'encodedKeys'> {
  readonly key: string | null;
  /** The version of the districts that it was made with. */
  readonly version: number | null;
}

/** A kind of file that is made of observations and districts. */
interface FileKind {
  readonly keyColumn: 'geojson_storage_key' | 'series_storage_key';
  readonly versionColumn: 'districts_version' | 'series_districts_version';
  /** @throws {Problem} when the dataset cannot have one. */
  find(dataset: DatasetRow): Found;
  text(db: Database, setId: number, yearColumns: readonly YearColumn[]): AsyncIterable<string>;
  readonly store: typeof storeGeoJson | typeof storeSeries;
}

const geoJsonFile: FileKind = {
  keyColumn: 'geojson_storage_key',
  versionColumn: 'districts_version',
  find: (dataset) => ({ ...getGeoJsonKeys(dataset), version: dataset.districts_version }),
  text: katoGeoJson,
  store: storeGeoJson,
};

const seriesFile: FileKind = {
  keyColumn: 'series_storage_key',
  versionColumn: 'series_districts_version',
  find(dataset) {
    const { file_type: fileType, status, observation_set_id: setId } = dataset;
    if (fileType !== 'vector_with_kato') throw datasetProblems.noTable();
    if (status !== 'ready' || setId === null) throw datasetProblems.noSeriesYet(dataset);
    const { series_storage_key: key, series_gzip_storage_key: gzip, series_br_storage_key: br } = dataset;
    return { key, encodedKeys: { gzip, br }, version: dataset.series_districts_version };
  },
  text: katoSeries,
  store: storeSeries,
};

export type CurrentFiles = ReturnType<typeof createCurrentFiles>;

/**
 * Creates what keeps files by KATO current, for one process; several processes may work at once. A file whose districts have
 * changed since is made again before its keys are returned, once however many ask.
 */
export function createCurrentFiles(storage: StorageDependencies) {
  const { db } = storage;
  const share = createShareCurrent<void>();
  const limited = createLimiter(maxRemakes);

  async function keysOf(datasetId: string, kind: FileKind): Promise<GeoJsonObjects> {
    // The request asks for the file of this moment; later changes of districts belong to later requests.
    let wanted: number | undefined;
    for (;;) {
      const dataset = await getDataset(db, datasetId);
      const found = kind.find(dataset);
      const { key, encodedKeys, version } = found;
      const { observation_set_id: setId } = dataset;
      if (setId === null && key !== null) return { key, encodedKeys }; // not by KATO: no districts in it
      wanted ??= await readDistrictsVersion(db);
      if (key !== null && version !== null && version >= wanted) return { key, encodedKeys };
      const name = `${kind.keyColumn} ${datasetId} ${setId} ${key}`;
      await share(name, async () => await limited(async () => await remake(storage, dataset, kind, found)));
    }
  }

  return {
    /**
     * Returns the object keys of a dataset's GeoJSON.
     * @throws {Problem} `not_found`; `invalid` for a raster; `conflict` while the dataset is not ready.
     */
    geoJsonKeysOf: async (datasetId: string) => await keysOf(datasetId, geoJsonFile),
    /**
     * Returns the object keys of a dataset's series, which is made at the first request.
     * @throws {Problem} `not_found`; `invalid` for another type; `conflict` while the dataset is not ready.
     */
    seriesKeysOf: async (datasetId: string) => await keysOf(datasetId, seriesFile),
  };
}

/** No effect when the dataset was changed, deleted or served by another process meanwhile. */
async function remake(
  { db, objectStore }: StorageDependencies,
  { id, observation_set_id: setId, year_columns: columns }: DatasetRow,
  { keyColumn, versionColumn, text, store }: FileKind,
  { key: oldKey, encodedKeys }: Found,
): Promise<void> {
  if (setId === null) return;
  const remakeId = randomUUID();
  await using drafts = new AsyncDisposableStack();
  const version = await readDistrictsVersion(db);
  const keys = await store(objectStore, await spooled(text(db, setId, parseYearColumns(columns))), {
    async store(folder, extension, form) {
      const made = `${folder}/${id}/${remakeId}${extension}`;
      return drafts.use(await writeDraft(db, objectStore, made, form)).key;
    },
  });
  await inTransaction(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('datasets')
      .set({ ...keys, [versionColumn]: version })
      .where('id', '=', id)
      .where('status', '=', 'ready')
      .where('observation_set_id', '=', setId)
      .where(keyColumn, 'is not distinct from', oldKey)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    for (const made of Object.values(keys)) await publishObject(trx, made);
    await retireObjects(trx, [oldKey, ...Object.values(encodedKeys)]);
  });
}
