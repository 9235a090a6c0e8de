import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Database } from '../../database/tables.ts';
import { inTransaction } from '../../database/transaction.ts';
import { publishObject, retireObjects, writeDraft } from '../../object-store/ledger.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import { katoGeoJson, readDistrictsVersion } from './kato-geojson.ts';
import { parseYearColumns } from '../table/mapping-schema.ts';
import { storeGeoJson } from '../geojson-forms.ts';
import type { StorageDependencies } from '../original/receive-file.ts';
import { type GeoJsonObjects, getGeoJsonKeys } from '../outputs.ts';
import { getDataset } from '../queries.ts';
import type { DatasetRow } from '../schema.ts';

/** Each holds a database connection; later ones wait for their turn. */
const maxRemakes = 4;

/** The objects of a map that is outdated, and what it is made from. */
type Outdated = GeoJsonObjects & Pick<DatasetRow, 'id' | 'year_columns'> & { readonly setId: number };

/** Creates the remaker of GeoJSON by KATO for one process; several processes may work at once. */
export function createCurrentGeoJson({ db, objectStore }: StorageDependencies) {
  /** By the key that is replaced. */
  const remakes = new Map<string, Promise<void>>();
  const turns = createTurns(maxRemakes);

  async function remakeOnce(outdated: Outdated): Promise<void> {
    const underWay = remakes.get(outdated.key);
    if (underWay !== undefined) return await underWay;
    const remake = turns(async () => await remakeGeoJson(db, objectStore, outdated)).finally(() =>
      remakes.delete(outdated.key),
    );
    remakes.set(outdated.key, remake);
    await remake;
  }

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
        await remakeOnce({ ...dataset, ...keys, setId });
      }
    },
  };
}

/** Replaces the GeoJSON; no effect if the dataset was remapped, deleted or served by another process meanwhile. */
async function remakeGeoJson(db: Database, objectStore: ObjectStore, outdated: Outdated): Promise<void> {
  const { id, setId, key, encodedKeys } = outdated;
  const version = await readDistrictsVersion(db);
  const yearColumns = parseYearColumns(outdated.year_columns);
  const body = Readable.from(katoGeoJson(db, setId, yearColumns));
  const remake = randomUUID();
  await using drafts = new AsyncDisposableStack();
  const keys = await storeGeoJson(objectStore, body, {
    async store(folder, extension, form) {
      const made = `${folder}/${id}/${remake}${extension}`;
      return drafts.use(await writeDraft(db, objectStore, made, form)).key;
    },
  });
  await inTransaction(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('datasets')
      .set({ ...keys, districts_version: version })
      .where('id', '=', id)
      .where('status', '=', 'ready')
      .where('observation_set_id', '=', setId)
      .where('geojson_storage_key', '=', key)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    for (const made of Object.values(keys)) await publishObject(trx, made);
    await retireObjects(trx, [key, ...Object.values(encodedKeys)]);
  });
}

/** Limits work to `count` at a time; the rest waits in the order in which it came. */
function createTurns(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= count) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
