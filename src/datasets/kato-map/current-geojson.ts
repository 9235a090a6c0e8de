import { spooled } from './spool.ts';
import { katoGeoJson, readDistrictsVersion } from './kato-geojson.ts';
import { parseYearColumns } from '../table/mapping-schema.ts';
import { storeGeoJson } from '../geojson-forms.ts';
import type { StorageDependencies } from '../original/receive-file.ts';
import { type GeoJsonObjects, getGeoJsonKeys } from '../outputs.ts';
import { getDataset } from '../queries.ts';
import type { DatasetRow } from '../schema.ts';
import { createRemakes, remakeFile } from './remake.ts';

/** The objects of a map that is outdated, and what it is made from. */
type Outdated = GeoJsonObjects & Pick<DatasetRow, 'id' | 'year_columns'> & { readonly setId: number };

/** Creates the remaker of GeoJSON by KATO for one process; several processes may work at once. */
export function createCurrentGeoJson(storage: StorageDependencies, remakes = createRemakes()) {
  const { db } = storage;
  return {
    /**
     * Returns the object keys of a dataset's GeoJSON. One by KATO whose districts have changed since is made anew first,
     * once however many ask.
     * @throws {Problem} `not_found`; `invalid` for a raster; `conflict` while the dataset is not ready.
     */
    async keysOf(datasetId: string): Promise<GeoJsonObjects> {
      // The request asks for the map of this moment; later changes of districts belong to later requests.
      let wanted: number | undefined;
      for (;;) {
        const dataset = await getDataset(db, datasetId);
        const keys = getGeoJsonKeys(dataset);
        const { observation_set_id: setId, districts_version: version } = dataset;
        if (setId === null) return keys; // not by KATO: no districts in it
        wanted ??= await readDistrictsVersion(db);
        if (version !== null && version >= wanted) return keys;
        await remakes.once(
          keys.key,
          async () => await remakeGeoJson(storage, { ...dataset, ...keys, setId }),
        );
      }
    },
  };
}

async function remakeGeoJson(storage: StorageDependencies, outdated: Outdated): Promise<void> {
  const { id, setId, key, encodedKeys } = outdated;
  const version = await readDistrictsVersion(storage.db);
  const text = katoGeoJson(storage.db, setId, parseYearColumns(outdated.year_columns));
  await remakeFile(storage, {
    datasetId: id,
    oldKeys: [key, ...Object.values(encodedKeys)],
    store: async (writer) => await storeGeoJson(storage.objectStore, await spooled(text), writer),
    async replace(trx, keys) {
      const { numUpdatedRows } = await trx
        .updateTable('datasets')
        .set({ ...keys, districts_version: version })
        .where('id', '=', id)
        .where('status', '=', 'ready')
        .where('observation_set_id', '=', setId)
        .where('geojson_storage_key', '=', key)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  });
}
