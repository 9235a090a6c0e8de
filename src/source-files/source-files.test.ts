import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { sql } from 'kysely';
import { startCountingApp } from '../../test/support/areas/counting-app.ts';
import { insertCategory, insertGroup, type Refusal, send, sendJson } from '../../test/support/datasets.ts';
import { netcdfFile } from '../../test/support/geo/netcdf-files.ts';
import { hostileZip } from '../../test/support/hostile/hostile-zip.ts';
import { append, begin, tus } from '../../test/support/http/tus.ts';
import { eventually } from '../../test/support/processes.ts';
import { findFile } from '../datasets/files.ts';
import { getDataset } from '../datasets/queries.ts';
import { checkStore } from '../object-store/fsck.ts';
import type { RasterOrder, SourceDescriptionAnswer, SourceFile } from './schema.ts';
import { sweepSourceFiles } from './source-files.ts';

const { app, db, ...rest } = await startCountingApp();
after(async () => await rest.close());
const category_id = await insertCategory(db);
const dg_id = await insertGroup(db);

/** Two months of packed temperatures, south up, with one hole. */
const climate = netcdfFile({ time: 2, lat: 3, lon: 4 }, [
  {
    name: 'lat',
    type: 'float64',
    dimensions: ['lat'],
    attributes: { units: 'degrees_north' },
    values: [48, 49, 50],
  },
  {
    name: 'lon',
    type: 'float64',
    dimensions: ['lon'],
    attributes: { units: 'degrees_east' },
    values: [60, 61, 62, 63],
  },
  {
    name: 'time',
    type: 'int32',
    dimensions: ['time'],
    attributes: { units: 'days since 2000-01-01', calendar: '360_day' },
    values: [15, 45],
  },
  {
    name: 't2m',
    type: 'int16',
    dimensions: ['time', 'lat', 'lon'],
    attributes: { units: 'K', long_name: 'Temperature', scale_factor: 0.5, add_offset: 100, _FillValue: -1 },
    values: Array.from({ length: 24 }, (_, index) => (index === 17 ? -1 : index)),
  },
  {
    name: 'lunar',
    type: 'float32',
    dimensions: ['lat', 'lon'],
    attributes: { grid_mapping: 'pole' },
    values: Array.from({ length: 12 }, () => 1),
  },
  {
    name: 'pole',
    type: 'int32',
    dimensions: [],
    attributes: { grid_mapping_name: 'rotated_latitude_longitude' },
    values: [0],
  },
]);

async function keep(bytes: Buffer, filename = 'климат.nc'): Promise<string> {
  const path = await begin(app.baseUrl, bytes.length, { filename, use: 'rasters' });
  const answer = await append(app.baseUrl + path, 0, new Uint8Array(bytes));
  assert.equal(answer.status, 204, await answer.text());
  return answer.headers.get('location') ?? assert.fail('no location');
}

const untilMade = async (path: string) =>
  await eventually('the rasters are made', async () => {
    const { body } = await send<RasterOrder[]>(app, `${path}/rasters`);
    return body.every(({ state }) => state !== 'pending') ? body : undefined;
  });

describe('a source file', () => {
  const kept = keep(climate);

  test('is kept by its content, whatever its name, and tells its variables and times', async () => {
    const path = await kept;
    assert.match(path, /^\/source-files\/[0-9a-f-]{36}$/);
    const { body: file } = await send<SourceFile>(app, path);
    assert.deepEqual([file.format, file.filename, file.size_bytes], ['netcdf', 'климат.nc', climate.length]);
    const { status, body, text } = await send<SourceDescriptionAnswer>(
      app,
      `${path}/variables?wait=60&lang=ru`,
    );
    assert.equal(status, 200, text);
    const [t2m, lunar] = body.variables;
    assert.deepEqual([t2m?.name, t2m?.unit, t2m?.scale, t2m?.offset], ['t2m', 'K', 0.5, 100]);
    assert.deepEqual(t2m?.grid, { left: 59.5, top: 50.5, cell_width: 1, cell_height: 1 });
    assert.deepEqual(body.axes[t2m?.axes[0] ?? -1]?.values, ['2000-01-16T00:00:00', '2000-02-16T00:00:00']);
    assert.deepEqual(body.axes[0]?.periods, [
      { start_date: '2000-01-01', end_date: '2000-01-31' },
      { start_date: '2000-02-01', end_date: '2000-02-29' },
    ]);
    assert.match(lunar?.refusal ?? '', /повёрнутый полюс/);
  });

  test('becomes one dataset per time, in a group, with its period and its origin', async () => {
    const path = await kept;
    const wanted = { variable: 't2m', axis: 'time', steps: [0, 1], category_id, dg_id };
    const ordered = await sendJson<RasterOrder[]>(app, 'POST', `${path}/rasters?wait=60`, wanted);
    assert.equal(ordered.status, 201, ordered.text);
    const [order] = await untilMade(path);
    assert.equal(order?.state, 'made', order?.failure ?? '');
    assert.deepEqual(
      order.rasters.map(({ name }) => name),
      ['Temperature 2000-01', 'Temperature 2000-02'],
    );
    const id = order.rasters[1]?.dataset_id ?? assert.fail('no dataset');
    const dataset = await eventually('the dataset is ready', async () => {
      const row = await getDataset(db, id);
      assert.notEqual(row.status, 'failed', row.parse_error ?? '');
      return row.status === 'ready' ? row : undefined;
    });
    assert.deepEqual([dataset.start_date, dataset.end_date, dataset.unit], ['2000-02-01', '2000-02-29', 'K']);
    assert.deepEqual(JSON.parse(dataset.meta ?? '{}'), {
      source_file: 'климат.nc',
      source_sha256: (await send<SourceFile>(app, path)).body.sha256,
      variable: 't2m',
      positions: { time: '2000-02-16T00:00:00' },
    });
    assert.ok(findFile(dataset.files, 'cog') !== null);
    // North up, with the scale and offset of the file, and the hole.
    const values = await send<{
      bands: readonly { valid: number; nodata: number; min: number; max: number }[];
    }>(app, `/datasets/${id}/statistics`);
    const [band] = values.body.bands;
    assert.deepEqual([band?.valid, band?.nodata, band?.min, band?.max], [11, 1, 106, 111.5]);
  });

  test('refuses what it does not have, part by part', async () => {
    const path = await kept;
    for (const [wanted, field] of [
      [{ variable: 'none' }, 'variable'],
      [{ variable: 'lunar' }, 'variable'],
      [{ variable: 't2m' }, 'positions'],
      [{ variable: 't2m', axis: 'level', steps: [0] }, 'axis'],
      [{ variable: 't2m', axis: 'time', steps: [2] }, 'steps'],
      [{ variable: 't2m', axis: 'time', steps: [0, 0] }, 'steps'],
      [{ variable: 't2m', axis: 'time', steps: [0], crs: 'EPSG:32642' }, 'crs'],
      [{ variable: 't2m', axis: 'time', steps: [0], dg_id: crypto.randomUUID() }, 'dg_id'],
    ] as const) {
      const body = { category_id, ...wanted };
      const answer = await sendJson<Refusal>(app, 'POST', `${path}/rasters?wait=60`, body);
      assert.equal(answer.status, 422, answer.text);
      assert.deepEqual(Object.keys(answer.body.errors ?? {}), [field], answer.text);
    }
  });

  test('takes a reference system from the request if it has none', async () => {
    const grid = 'ncols 2\nnrows 2\nxllcorner 500000\nyllcorner 5400000\ncellsize 30\n1 2\n3 4.5\n';
    const path = await keep(Buffer.from(grid), 'dem.asc');
    const wanted = { variable: 'band 1', category_id };
    const without = await sendJson<Refusal>(app, 'POST', `${path}/rasters?wait=60`, wanted);
    assert.deepEqual([without.status, Object.keys(without.body.errors ?? {})], [422, ['crs']]);
    const all = { ...wanted, crs: 'EPSG:32642', name: 'Рельеф' };
    assert.equal((await sendJson(app, 'POST', `${path}/rasters?wait=60`, all)).status, 201);
    const [order] = await untilMade(path);
    const id = order?.rasters[0]?.dataset_id ?? assert.fail(order?.failure ?? 'no dataset');
    const [west] = await eventually('the dataset is ready', async () => {
      const { status, bbox } = await getDataset(db, id);
      return status === 'ready' ? (bbox ?? undefined) : undefined;
    });
    assert.ok(Math.abs((west ?? NaN) - 69) < 0.001);
  });

  test('of tiles becomes one raster, ordered once for all requests with one key', async () => {
    const heights = (west: number, value: number): string =>
      `ncols 2\nnrows 1\nxllcorner ${west}\nyllcorner 5400000\ncellsize 30\n${value} ${value + 1}\n`;
    const archive = hostileZip([
      { name: 'b.asc', bytes: heights(500_030, 20) },
      { name: 'a.asc', bytes: heights(500_000, 10) },
    ]);
    const path = await keep(archive, 'heights.zip');
    const request = async (more: object) =>
      await send<RasterOrder[] & Refusal>(app, `${path}/rasters?wait=60`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': '"once"' },
        body: JSON.stringify({ variable: 'band 1', category_id, crs: 'EPSG:32642', ...more }),
      });
    const first = await request({});
    assert.equal(first.status, 201, first.text);
    assert.deepEqual((await request({})).body, first.body);
    assert.equal((await request({ tiles: ['a.asc'] })).status, 422);
    const [order, ...others] = await untilMade(path);
    assert.deepEqual(others, []);
    assert.deepEqual(order?.mosaic, { tiles: 2, cells: 3, valid: 3, overlap: 1, largest_difference: 9 });
    const id = order.rasters[0]?.dataset_id ?? assert.fail(order.failure ?? 'no dataset');
    assert.equal((await getDataset(db, id)).name, 'heights');
  });

  test('that is damaged says so, and another kind of file is not kept', async () => {
    const path = await keep(climate.subarray(0, 200));
    const answer = await send<Refusal>(app, `${path}/variables?wait=60`);
    assert.equal(answer.status, 422);
    assert.match(answer.body.error ?? '', /cut short or damaged/);
    const upload = await begin(app.baseUrl, 9, { filename: 'a.nc', use: 'rasters' });
    const refused = await append(app.baseUrl + upload, 0, 'not a map');
    const { errors }: Refusal = JSON.parse(await refused.text());
    assert.equal(refused.status, 422);
    assert.match(errors?.['file'] ?? '', /NetCDF/);
  });

  test('goes with DELETE, or when it is not used, and its rasters stay', async () => {
    const path = await kept;
    const before = (await send<RasterOrder[]>(app, `${path}/rasters`)).body;
    assert.equal((await send(app, path, { method: 'DELETE', headers: tus })).status, 204);
    assert.equal((await send(app, path)).status, 404);
    const id = before[0]?.rasters[0]?.dataset_id ?? assert.fail('no dataset');
    assert.equal((await send(app, `/datasets/${id}`)).status, 200);
    await db
      .updateTable('source_files')
      .set({ used_at: sql<Date>`now() - interval '31 days'` })
      .execute();
    assert.ok((await sweepSourceFiles(db)) > 0);
    assert.deepEqual((await send(app, '/source-files')).body, []);
    assert.deepEqual((await checkStore(db, app.services.objectStore)).damage, []);
  });
});
