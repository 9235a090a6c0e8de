import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureMissing } from './extents.ts';
import { reportOf, writeReport } from '../report.ts';
import { startTestApp } from '../../../test/support/app.ts';
import { insertCategory, setState, upload } from '../../../test/support/datasets.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';

const app = await closeAfterTests(startTestApp());
const { db, objectStore } = app.services;
const category_id = await insertCategory(db);
const warnings: unknown[] = [];
const log = { warn: (fact: unknown) => void warnings.push(fact) };

/** Inserts a dataset from before extents were measured. */
async function add(
  fileType: string,
  columns: object,
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { id } = await upload(app, { category_id, file_type: fileType });
  await setState(app.services, id, { status: 'ready', ...columns }, files);
  return id;
}

const extentOf = async (id: string) =>
  (await db.selectFrom('datasets').select('extent').where('id', '=', id).executeTakeFirstOrThrow()).extent;

test('datasets of before are measured, the newest first, and none twice', async () => {
  const geojson =
    '{"type":"FeatureCollection","features":[{"geometry":{"type":"Point","coordinates":[60,40]}}]}';
  const placed = await add('raster', { bbox: [60, 40, 70, 45] });
  const drawn = await add('raster', { bbox: [1, 2, 3, 4], view_state: 'made' });
  const nowhere = await add('raster', { bbox: [0, 0, 500, 400], view_state: 'none' });
  const vector = await add('vector', {}, { geojson });
  const lost = await add('vector', {});
  const raster = {
    width: 1,
    height: 1,
    bands: 1,
    data_type: 'Byte',
    nodata: null,
    crs: 'EPSG:4326',
    proj: null,
    extent: null,
    resolution: null,
    cog: null,
  };
  const findings = { source: null, raster, timings: {}, warnings: [] };
  await db
    .transaction()
    .execute(
      async (trx) => await writeReport(trx, reportOf(placed, { engine: 'GDAL 3', findings, rows: null })),
    );
  const counts: number[] = [];
  for (let areLeft = true; areLeft;) {
    const { enqueued, areLeft: left } = await measureMissing(db, { objectStore, log });
    counts.push(enqueued);
    areLeft = left;
  }
  assert.deepEqual(counts, [4, 1, 0]);
  const extents = await Promise.all([placed, drawn, nowhere, vector, lost].map(extentOf));
  assert.deepEqual(extents, [[60, 40, 70, 45], [1, 2, 3, 4], null, [60, 40, 60, 40], null]);
  assert.deepEqual(warnings, []);
});
