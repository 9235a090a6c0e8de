import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { FileType } from '../../../src/database/tables/tables.ts';
import type { GeoJsonObjects } from '../../../src/datasets/outputs.ts';
import { openEngineHere } from '../geo/engine-here.ts';
import { startProcessing } from '../processing.ts';

type Columns = Parameters<Awaited<ReturnType<typeof startProcessing>>['upload']>[2];

/** Everything that processes tables, with an engine in this process. */
export async function startTables() {
  const processing = await startProcessing({ engine: await openEngineHere('vector') });
  const { folder, objectStore, upload, untilStatus } = processing;
  const tables = {
    ...processing,
    async uploadText(name: string, text: string, fileType: FileType, columns?: Columns): Promise<string> {
      const path = join(folder, name);
      await writeFile(path, text);
      return await upload(path, fileType, columns);
    },
    /** Uploads a table without geometry. */
    async uploadRows(rows: readonly object[], columns?: Columns): Promise<string> {
      const features = rows.map((properties) => ({ type: 'Feature', geometry: null, properties }));
      const text = JSON.stringify({ type: 'FeatureCollection', features });
      return await tables.uploadText('rows.geojson', text, 'vector_with_kato', columns);
    },
    /** Uploads a table and waits until it can be mapped. */
    async uploadTable(rows: readonly object[]): Promise<string> {
      const id = await tables.uploadRows(rows);
      await untilStatus(id, 'awaiting_mapping');
      return id;
    },
    /** Maps columns of a table and waits until it is ready. */
    async mapColumns(id: string, kato: string, ...columns: string[]): Promise<void> {
      await processing.map(id, mappingOf(kato, ...columns));
      await untilStatus(id, 'ready');
    },
    /** Keys of the objects of a dataset, or of those of one kind. */
    async storedKeys(id: string, kind = ''): Promise<string[]> {
      const keys = await Array.fromAsync(objectStore.keys());
      return keys.filter((key) => key.startsWith(kind) && key.includes(id)).toSorted();
    },
    /** Text of an object, asserted to be equal in all its encodings. */
    async readForms({ key, encodedKeys: { gzip, br } }: GeoJsonObjects): Promise<string> {
      const read = async (each: string | null) => await buffer(await objectStore.read(each ?? ''));
      const plain = await read(key);
      assert.deepEqual(gunzipSync(await read(gzip)), plain);
      assert.deepEqual(brotliDecompressSync(await read(br)), plain);
      return plain.toString();
    },
  };
  return tables;
}

/** A mapping of columns: the first one to the beginning of 2020, each following one a year later. */
export function mappingOf(kato: string, ...columns: string[]) {
  return {
    kato_column: kato,
    year_columns: columns.map((column, index) => ({ column, start_date: `${2020 + index}-01-01` })),
  };
}
