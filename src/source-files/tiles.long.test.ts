import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { startCountingApp } from '../../test/support/areas/counting-app.ts';
import { insertCategory, type Refusal, send, sendJson } from '../../test/support/datasets.ts';
import { writeRaster } from '../../test/support/geo/geotiffs.ts';
import { hostileZip, type ZipEntry } from '../../test/support/hostile/hostile-zip.ts';
import { append, begin } from '../../test/support/http/tus.ts';
import { eventually } from '../../test/support/processes.ts';
import { getDataset } from '../datasets/queries.ts';
import type { RasterOrder, SourceDescriptionAnswer } from './schema.ts';

const { app, db, ...rest } = await startCountingApp();
const folder = await mkdtemp(join(tmpdir(), 'steppe-tiles-'));
after(async () => {
  await rest.close();
  await rm(folder, { recursive: true });
});
const category_id = await insertCategory(db);

interface Part {
  readonly left?: number;
  readonly width?: number;
  readonly step?: number;
  readonly dataType?: string;
  readonly noData?: number;
  readonly scale?: number;
  readonly value?: (column: number, row: number) => number;
}

/** A GeoTIFF of two rows with its upper left corner at 50° N. */
async function tile({ left = 60, width = 4, step = 0.5, value, dataType = 'Int16', ...more }: Part) {
  const path = join(folder, 'tile.tif');
  const affine = [left, step, 0, 50, 0, -step] as const;
  const raster = { width, height: 2, affine, epsg: 4326, dataType, ...more };
  writeRaster(path, { ...raster, value: value ?? ((column, row) => left * 100 + column + row * 50) });
  return await readFile(path);
}

async function keep(entries: readonly ZipEntry[], filename = 'heights.zip'): Promise<string> {
  const bytes = hostileZip(entries);
  const path = await begin(app.baseUrl, bytes.length, { filename, use: 'rasters' });
  const answer = await append(app.baseUrl + path, 0, new Uint8Array(bytes));
  assert.equal(answer.status, 204, await answer.text());
  return answer.headers.get('location') ?? assert.fail('no location');
}

const variables = async (path: string) =>
  await send<SourceDescriptionAnswer & Refusal>(app, `${path}/variables?wait=60`);

async function order(path: string, more: object = {}, headers: Record<string, string> = {}) {
  return await send<RasterOrder[] & Refusal>(app, `${path}/rasters?wait=60`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ variable: 'band 1', category_id, ...more }),
  });
}

/** Orders a mosaic and returns it with its dataset and the statistics of its band. */
async function made(path: string, more: object = {}) {
  const ordered = await order(path, more);
  assert.equal(ordered.status, 201, ordered.text);
  const [first] = await eventually('the mosaic is made', async () => {
    const { body } = await send<RasterOrder[]>(app, `${path}/rasters`);
    return body.every(({ state }) => state !== 'pending') ? body : undefined;
  });
  const id = first?.rasters[0]?.dataset_id ?? assert.fail(first?.failure ?? 'no dataset');
  const dataset = await eventually('the dataset is ready', async () => {
    const row = await getDataset(db, id);
    assert.notEqual(row.status, 'failed', row.parse_error ?? '');
    return row.status === 'ready' ? row : undefined;
  });
  const band = await eventually('the cells are counted', async () => {
    const { body } = await send<{ bands?: readonly Record<string, number>[] }>(
      app,
      `/datasets/${id}/statistics`,
    );
    return body.bands?.[0];
  });
  const { text } = await send(app, `/datasets/${id}/report`);
  const [, type] = /"data_type":"(\w+)"/.exec(text) ?? [];
  return { mosaic: first?.mosaic, dataset, band, type };
}

describe('a ZIP of tiles', () => {
  test('becomes one raster, with its overlap and the difference there', async () => {
    const path = await keep([
      { name: 'b/east.tif', bytes: await tile({ left: 61.5, noData: 6151 }) },
      { name: 'a/west.tif', bytes: await tile({}) },
      { name: '__MACOSX/a/._west.tif', bytes: Buffer.from('junk') },
      { name: 'readme.txt', bytes: Buffer.from('heights') },
    ]);
    const { body, text } = await variables(path);
    assert.deepEqual(
      body.tiles?.map(({ name, set, refusal }) => [name, set, refusal]),
      [
        ['a/west.tif', 0, null],
        ['b/east.tif', 0, null],
      ],
      text,
    );
    assert.deepEqual(body.variables[0]?.grid, { left: 60, top: 50, cell_width: 0.5, cell_height: 0.5 });
    assert.deepEqual([body.variables[0]?.width, body.variables[0]?.height], [7, 2]);
    const { mosaic, dataset, band } = await made(path);
    // One shared column: 6003 and 6053 in the west, 6150 and 6200 in the east; one cell of the east has no value.
    assert.deepEqual(mosaic, { tiles: 2, cells: 14, valid: 13, overlap: 2, largest_difference: 147 });
    assert.equal(dataset.name, 'heights');
    assert.deepEqual(JSON.parse(dataset.meta ?? '{}').positions, { tiles: 2 });
    assert.deepEqual([band['valid'], band['min'], band['max']], [13, 6000, 6203]);
  });

  test('keeps bytes, except with 0 as a value, and applies a scale', async () => {
    const bytes = async (left: number, least: number) =>
      await tile({ left, dataType: 'Byte', value: (column) => (column === 3 ? 255 : column + least) });
    for (const least of [1, 0]) {
      const path = await keep([
        { name: 'a.tif', bytes: await bytes(60, least) },
        { name: 'b.tif', bytes: await bytes(62, least) },
      ]);
      const { band, type } = await made(path);
      assert.deepEqual([band['valid'], band['min'], band['max']], [16, least, 255]);
      assert.equal(type, least === 1 ? 'Byte' : 'Float32');
    }
    const path = await keep([{ name: 'a.tif', bytes: await tile({ scale: 0.5 }) }]);
    assert.deepEqual((await made(path)).band['max'], 3026.5);
  });

  test('on several grids is refused, or resampled onto the grid that was asked for', async () => {
    const path = await keep([
      { name: 'coarse.tif', bytes: await tile({ value: () => 7 }) },
      { name: 'fine.tif', bytes: await tile({ left: 62, step: 0.25, value: () => 8 }) },
    ]);
    const { body } = await variables(path);
    assert.deepEqual(
      body.tiles?.map(({ set }) => set),
      [0, 1],
    );
    assert.equal(body.variables[0]?.grid, null);
    const refused = await order(path);
    assert.equal(refused.status, 422, refused.text);
    assert.match(refused.body.errors?.['onto'] ?? '', /2 different grids \(coarse\.tif, fine\.tif\)/);
    const { mosaic, band } = await made(path, { onto: 'fine.tif' });
    assert.deepEqual([mosaic?.tiles, band['min'], band['max']], [2, 7, 8]);
  });

  test('reads heights by their name, and ASCII grids with the system beside them', async () => {
    const heights = (value: number) => {
      const bytes = Buffer.alloc(2 * 1201 * 1201);
      for (let i = 0; i < bytes.length; i += 2) bytes.writeInt16BE(i === 0 ? -32_768 : value, i);
      return bytes;
    };
    const path = await keep([
      { name: 'N47E066.hgt', bytes: heights(100), method: 8 },
      { name: 'N47E067.hgt', bytes: heights(200), method: 8 },
    ]);
    const { mosaic, dataset } = await made(path);
    // The shared column has the value of the first; the missing corner of the second lies in it.
    assert.deepEqual(mosaic, {
      tiles: 2,
      cells: 2401 * 1201,
      valid: 2401 * 1201 - 1,
      overlap: 1200,
      largest_difference: 100,
    });
    assert.deepEqual(
      dataset.bbox?.map((side) => Math.round(side)),
      [66, 47, 68, 48],
    );
    const grid = (left: number) =>
      Buffer.from(`ncols 2\nnrows 1\nxllcorner ${left}\nyllcorner 5400000\ncellsize 30\n1 2.5\n`);
    const ascii = [
      { name: 'a.asc', bytes: grid(500_000) },
      { name: 'b.asc', bytes: grid(500_060) },
    ];
    const without = await keep(ascii);
    const refused = await order(without);
    assert.deepEqual([refused.status, Object.keys(refused.body.errors ?? {})], [422, ['crs']]);
    assert.equal((await made(without, { crs: 'EPSG:32642' })).mosaic?.valid, 4);
    const prj = Buffer.from(
      'Projection UTM\nDatum WGS84\nZunits NO\nUnits METERS\nZone 42\nXshift 0\nYshift 0\n',
    );
    const beside = await keep([...ascii, { name: 'A.PRJ', bytes: prj }, { name: 'b.prj', bytes: prj }]);
    assert.match((await variables(beside)).body.tiles?.[0]?.crs ?? '', /central_meridian",69/);
    assert.equal((await made(beside)).mosaic?.overlap, 0);
  });

  test('of several coverages, without tiles, or with damaged ones says so', async () => {
    const two = await keep([
      { name: 'x_DSM.tif', bytes: await tile({}) },
      { name: 'x_MSK.tif', bytes: await tile({ value: () => 1 }) },
      { name: 'y_DSM.tif', bytes: await tile({ left: 62 }) },
      { name: 'z_DSM.tif', bytes: (await tile({ left: 64 })).subarray(0, 90) },
    ]);
    const all = await order(two);
    assert.match(all.body.errors?.['tiles'] ?? '', /z_DSM\.tif” cannot be used/);
    const good = await order(two, { tiles: ['x_DSM.tif', 'x_MSK.tif'] });
    assert.match(good.body.errors?.['tiles'] ?? '', /x_DSM\.tif” and “x_MSK\.tif” cover the same area/);
    const onto = await order(two, { tiles: ['x_DSM.tif', 'y_DSM.tif'], onto: 'x_MSK.tif' });
    assert.deepEqual(Object.keys(onto.body.errors ?? {}), ['onto']);
    assert.equal((await made(two, { tiles: ['x_DSM.tif', 'y_DSM.tif'] })).mosaic?.valid, 16);
    for (const [entries, words] of [
      [[{ name: 'N47E066.hgt.zip', bytes: Buffer.from('PK') }], /no tiles.*N47E066\.hgt\.zip/],
      [[{ name: 'a.tif', bytes: Buffer.from('SIMPLE  =') }], /not a GeoTIFF/],
      [[{ name: 'tile.hgt', bytes: Buffer.alloc(2 * 1201 * 1201) }], /N47E066\.hgt/],
      [[{ name: 'a.tif', bytes: await tile({}), says: { flags: 1 } }], /encrypted/],
    ] as const) {
      const { status, body } = await variables(await keep(entries));
      assert.equal(status, 422);
      assert.match(body.error ?? '', words);
    }
  });

  test('is ordered once for all requests with one key', async () => {
    const path = await keep([{ name: 'a.tif', bytes: await tile({}) }]);
    const key = { 'idempotency-key': '"once"' };
    const [first, again] = [await order(path, {}, key), await order(path, {}, key)];
    assert.deepEqual([first.status, again.status, again.body], [201, 201, first.body]);
    assert.equal((await send<RasterOrder[]>(app, `${path}/rasters`)).body.length, 1);
    assert.equal((await order(path, { name: 'Other' }, key)).status, 422);
    const only = await sendJson<Refusal>(app, 'POST', `${path}/rasters`, {
      variable: 'band 1',
      category_id,
      axis: 'time',
    });
    assert.equal(only.status, 422, only.text);
  });
});
