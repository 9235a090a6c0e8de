import { spooled } from './spool.ts';
import { datasetProblems } from '../../messages/datasets.ts';
import { storeSeries } from '../geojson-forms.ts';
import type { StorageDependencies } from '../original/receive-file.ts';
import type { GeoJsonObjects } from '../outputs.ts';
import { getDataset } from '../queries.ts';
import type { DatasetRow } from '../schema.ts';
import { parseYearColumns } from '../table/mapping-schema.ts';
import { readDistrictsVersion } from './kato-geojson.ts';
import { katoSeries } from './kato-series.ts';
import { createRemakes, remakeFile } from './remake.ts';

/** Creates the maker of series for one process; several processes may work at once. */
export function createCurrentSeries(storage: StorageDependencies, remakes = createRemakes()) {
  const { db } = storage;
  return {
    /**
     * Returns the object keys of a dataset's series. They are made when somebody asks for the first time, and again when the
     * districts have changed since, once however many ask.
     * @throws {Problem} `not_found`; `invalid` for another type; `conflict` while the dataset is not ready.
     */
    async keysOf(datasetId: string): Promise<GeoJsonObjects> {
      // As with the map: later changes of districts belong to later requests.
      let wanted: number | undefined;
      for (;;) {
        const dataset = await getDataset(db, datasetId);
        const setId = getObservationSet(dataset);
        const { series_storage_key: key, series_districts_version: version } = dataset;
        wanted ??= await readDistrictsVersion(db);
        if (key !== null && version !== null && version >= wanted) {
          const { series_gzip_storage_key: gzip, series_br_storage_key: br } = dataset;
          return { key, encodedKeys: { gzip, br } };
        }
        const name = `series ${datasetId} ${setId} ${key}`;
        await remakes.once(name, async () => await remakeSeries(storage, dataset, setId));
      }
    },
  };
}

/** @throws {Problem} `invalid` for another type, or `conflict` before `ready`. */
function getObservationSet(dataset: DatasetRow): number {
  const { file_type: fileType, status, observation_set_id: setId } = dataset;
  if (fileType !== 'vector_with_kato') throw datasetProblems.noTable();
  if (status !== 'ready' || setId === null) throw datasetProblems.noSeriesYet(dataset);
  return setId;
}

async function remakeSeries(storage: StorageDependencies, dataset: DatasetRow, setId: number): Promise<void> {
  const { id, series_storage_key: key } = dataset;
  const version = await readDistrictsVersion(storage.db);
  const text = katoSeries(storage.db, setId, parseYearColumns(dataset.year_columns));
  await remakeFile(storage, {
    datasetId: id,
    oldKeys: [key, dataset.series_gzip_storage_key, dataset.series_br_storage_key],
    store: async (writer) => await storeSeries(storage.objectStore, await spooled(text), writer),
    async replace(trx, keys) {
      const { numUpdatedRows } = await trx
        .updateTable('datasets')
        .set({ ...keys, series_districts_version: version })
        .where('id', '=', id)
        .where('status', '=', 'ready')
        .where('observation_set_id', '=', setId)
        .where('series_storage_key', 'is not distinct from', key)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  });
}
