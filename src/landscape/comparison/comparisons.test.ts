import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { decode } from 'fast-png';
import { functionalZoning } from '../graph/nodes.ts';
import type { RunComparison } from './compare-schema.ts';
import { halfWorld } from '../../../common/maps/raster/web-mercator.ts';
import { startTestApp } from '../../../test/support/app.ts';
import {
  insertCategory,
  insertGroup,
  type Refusal,
  send,
  setState,
  upload,
} from '../../../test/support/datasets.ts';
import { closeAfterTests, temporaryFolder } from '../../../test/support/for-tests.ts';
import { insertSucceededRun } from '../../../test/support/landscape/gap-runs.ts';
import { writeRaster } from '../../../test/support/geo/geotiffs.ts';
import { meshBytes } from '../../../test/support/geo/drawable-raster.ts';

const app = await closeAfterTests(startTestApp({ landscape: true }));
const { db } = app.services;
const folder = await temporaryFolder();
const category = await insertCategory(db);
const group = await insertGroup(db);

const side = 256;
/** A tile with the same pixels as the rasters. */
const [zoom, column, row] = [10, 707, 341];
const span = (2 * halfWorld) / 2 ** zoom;
const corner = { left: -halfWorld + column * span, top: halfWorld - row * span };

type Draw = (x: number, y: number) => number;
const zonesOfA: Draw = (x, y) => (y < 16 ? 0 : x < 128 ? 13 : 31);
/** In some columns V1 becomes V2; some rows have no zone; one class is missing in the first raster. */
const zonesOfB: Draw = (x, y) => (y < 8 ? 40 : y > 239 ? 0 : x >= 64 && x < 128 ? 23 : zonesOfA(x, y));

async function addRaster(name: string, value: Draw, { epsg = 3857, width = side } = {}): Promise<string> {
  const path = join(folder, `${name}.tif`);
  const resolution = span / side;
  writeRaster(path, {
    width,
    height: side,
    affine: [corner.left, resolution, 0, corner.top, 0, -resolution],
    epsg,
    dataType: 'Byte',
    noData: 0,
    options: { TILED: 'YES', COMPRESS: 'DEFLATE' },
    value,
  });
  const { id } = await upload(app, { category_id: category, dg_id: group, file_type: 'raster' });
  const box = { ...corner, right: corner.left + span, bottom: corner.top - span, width, height: side };
  const files = { cog: await readFile(path), view_mesh: meshBytes(box) };
  await setState(app.services, id, { status: 'ready', view_state: 'made', name }, files);
  return id;
}

const [first, second] = [await addRaster('first', zonesOfA), await addRaster('second', zonesOfB)];
const [a, b] = [await insertSucceededRun(db, first), await insertSucceededRun(db, second)];
const params = { v1_min_s_e3: 5, tie_priority: [3, 1, 2, 4, 5], window_size: 512 };
await db
  .updateTable('landscape_runs')
  .set({ params: JSON.stringify(params) })
  .where('id', '=', b)
  .execute();
const inUtm = await insertSucceededRun(db, await addRaster('utm', zonesOfA, { epsg: 32642 }));
const narrow = await insertSucceededRun(db, await addRaster('narrow', zonesOfA, { width: 200 }));
const [waiting] = [(await send(app, '/landscape/runs', { method: 'POST' })).body.id];
const gone = await insertSucceededRun(db, '00000000-0000-4000-8000-00000000dead');

const pathOf = (one: string, other: string) => `/landscape/runs/${one}/compare/${other}`;
const place = `${zoom}/${column}/${row}.png`;

test('a tile shows what has changed in the colour of what it has become, all else pale', async () => {
  const legend = new Map(functionalZoning.legend.entries.map(({ value, color }) => [value, color]));
  const colourOf = (x: number, y: number): string => {
    const [one, two] = [zonesOfA(x, y), zonesOfB(x, y)];
    if (one === two) return one === 0 ? 'transparent' : '#e6e6e1';
    return two === 0 ? '#2b2b2b' : (legend.get(two) ?? '');
  };
  await checkTile(`${pathOf(a, b)}/tiles/${place}`, colourOf);
});

test('one change alone is shown where its pixels are', async () => {
  const isCrop = (x: number, y: number) => zonesOfA(x, y) === 13 && zonesOfB(x, y) === 23;
  const isAnything = (x: number, y: number) => zonesOfA(x, y) !== 0 || zonesOfB(x, y) !== 0;
  const colourOf = (x: number, y: number) =>
    isCrop(x, y) ? '#c2185b' : isAnything(x, y) ? '#e6e6e1' : 'transparent';
  await checkTile(`${pathOf(a, b)}/tiles/${place}?from=13&to=23`, colourOf);
  const lost = (x: number, y: number) =>
    zonesOfA(x, y) === 13 && zonesOfB(x, y) === 0 ? '#c2185b' : isAnything(x, y) ? '#e6e6e1' : 'transparent';
  await checkTile(`${pathOf(a, b)}/tiles/${place}?from=13&to=none`, lost);
});

async function checkTile(path: string, colourOf: (x: number, y: number) => string): Promise<void> {
  const response = await fetch(app.baseUrl + path);
  assert.equal(response.status, 200);
  const { data, palette = [], depth, width } = decode(await response.bytes());
  const rowBytes = Math.ceil((width * depth) / 8);
  const wrong: string[] = [];
  for (let at = 0; at < side * side; at += 1) {
    const [x, y] = [at % side, Math.floor(at / side)];
    const byte = data[y * rowBytes + ((x * depth) >> 3)] ?? 0;
    const index = (byte >> (8 - depth - ((x * depth) & 7))) & (2 ** depth - 1);
    const [red = 0, green = 0, blue = 0, alpha = 255] = palette[index] ?? [];
    const hex = [red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('');
    const shown = alpha === 0 ? 'transparent' : `#${hex}`;
    if (shown !== colourOf(x, y)) wrong.push(`${x} ${y}: ${shown}, not ${colourOf(x, y)}`);
  }
  assert.deepEqual(wrong.slice(0, 5), []);
}

test('a tile is kept by its ETag, which another change has not, and nothing is drawn beside the rasters', async () => {
  const path = `${pathOf(a, b)}/tiles/${place}`;
  const { headers } = await fetch(app.baseUrl + path);
  const etag = headers.get('etag') ?? '';
  const again = await fetch(app.baseUrl + path, { headers: { 'if-none-match': etag } });
  assert.equal(again.status, 304);
  const other = await fetch(`${app.baseUrl}${path}?from=13&to=23`, { headers: { 'if-none-match': etag } });
  assert.equal(other.status, 200);
  const swapped = await fetch(`${app.baseUrl}${pathOf(b, a)}/tiles/${place}`);
  assert.notEqual(swapped.headers.get('etag'), etag);
  const beside = await fetch(`${app.baseUrl}${pathOf(a, b)}/tiles/${zoom}/0/0.png`);
  const { palette = [] } = decode(await beside.bytes());
  assert.ok(palette.every(([, , , alpha]) => alpha === 0));
});

test('the legend says what the colours mean, in the language of the reader', async () => {
  const path = `${pathOf(a, b)}/legend.json`;
  const { body } = await send<{ title: string; entries: { label: string; colour: string }[] }>(
    app,
    `${path}?lang=ru`,
  );
  assert.match(body.title, /что изменилось$/);
  assert.deepEqual(
    body.entries.slice(-2).map(({ label, colour }) => [label, colour]),
    [
      ['класса больше нет', '#2b2b2b'],
      ['без изменений', '#e6e6e1'],
    ],
  );
  assert.equal(body.entries.length, functionalZoning.legend.entries.length + 2);
  const one = await send<typeof body>(app, `${path}?lang=en&from=13&to=none`);
  assert.deepEqual(
    one.body.entries.map(({ label }) => label),
    ['V1 crop → no class', 'other places'],
  );
});

const km2 = 1_000_000;
/** Counts both rasters as if each pixel had 1 km² and all lay in one unit, which is 5 km² larger. */
function countedFigures(kato: string): string {
  const names: string[] = [];
  const areas: number[] = [];
  for (let at = 0; at < side * side; at += 1) {
    const [x, y] = [at % side, Math.floor(at / side)];
    const name = JSON.stringify([zonesOfA(x, y) || null, zonesOfB(x, y) || null]);
    const index = names.indexOf(name) === -1 ? names.push(name) - 1 : names.indexOf(name);
    areas[index] = (areas[index] ?? 0) + km2;
  }
  const raster = areas.map((area, index) => [index, area]);
  const area_m2 = side * side * km2 + 5 * km2;
  return JSON.stringify({
    tuples: names.map((name) => JSON.parse(name)),
    raster,
    units: [{ id: kato, set: 'district', area_m2, areas: raster, outside_m2: 5 * km2 }],
    sets: [{ set: 'district', outside: [], overlap: [] }],
  });
}

test('the comparison is pending until the rasters are counted, then has matrix, units and what differs', async () => {
  const path = `${pathOf(a, b)}?wait=0`;
  const pending = await send<{ status: string }>(app, path);
  assert.deepEqual(
    [pending.status, pending.body.status, pending.headers.get('retry-after')],
    [202, 'pending', '1'],
  );
  const unit = await db
    .selectFrom('districts')
    .selectAll()
    .where('level', '=', 'district')
    .executeTakeFirst();
  const kato = unit?.kato_code ?? '111000000';
  await db
    .updateTable('area_counts')
    .set({ state: 'counted', figures: countedFigures(kato) })
    .execute();
  const { status, body, headers } = await send<RunComparison>(app, path, {
    headers: { 'accept-language': 'ru' },
  });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(body.matrix.from, [13, 23, 31, 40, null]);
  const hectaresOf = (isWanted: (one: number, two: number) => boolean) =>
    Array.from({ length: side * side }, (_, at) => [at % side, Math.floor(at / side)] as const).filter(
      ([x, y]) => isWanted(zonesOfA(x, y), zonesOfB(x, y)),
    ).length * 100;
  for (const [i, from] of body.matrix.from.entries())
    for (const [j, to] of body.matrix.to.entries())
      assert.equal(
        body.matrix.ha[i]?.[j],
        hectaresOf((one, two) => one === (from ?? 0) && two === (to ?? 0)),
        `${from} to ${to}`,
      );
  assert.equal(
    body.changed_ha,
    hectaresOf((one, two) => one !== 0 && two !== 0 && one !== two),
  );
  assert.equal(
    body.only_a_ha,
    hectaresOf((one, two) => one !== 0 && two === 0),
  );
  assert.equal(
    body.only_b_ha,
    hectaresOf((one, two) => one === 0 && two !== 0),
  );
  assert.equal(body.changed_share, body.changed_ha / (body.changed_ha + body.unchanged_ha));
  assert.equal(body.units[0]?.kato, kato);
  assert.equal(body.units[0]?.outside_raster_ha, 500);
  assert.equal(body.units[0]?.changed_ha, body.changed_ha);
  assert.deepEqual(
    body.params.map(({ name, matters }) => [name, matters]),
    [
      ['window_size', false],
      ['tie_priority', true],
      ['v1_min_s_e3', true],
    ],
  );
  assert.equal(body.graph_version, null);
  assert.deepEqual(body.inputs[0]?.a, { dataset_id: first, name: 'first' });
  assert.deepEqual(body.inputs[0]?.b, { dataset_id: second, name: 'second' });
  assert.match(body.title, /зонирование/i);
  assert.ok(body.classes.every(({ title }) => /\p{Script=Cyrillic}/u.test(title)));
  const kept = await send(app, path, {
    headers: { 'accept-language': 'ru', 'if-none-match': headers.get('etag') ?? '' },
  });
  assert.equal(kept.status, 304);
});

test('runs of two versions of the graph differ in that, and are counted from their rasters', async () => {
  const newer = await insertSucceededRun(db, second);
  await db.updateTable('landscape_runs').set({ graph_version: 2 }).where('id', '=', newer).execute();
  const path = `${pathOf(b, newer)}?wait=0`;
  assert.equal((await send(app, path)).status, 202);
  await db
    .updateTable('area_counts')
    .set({ state: 'counted', figures: countedFigures('111000000') })
    .execute();
  const { status, body } = await send<RunComparison>(app, path);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(body.graph_version, { a: 1, b: 2 });
  assert.deepEqual([body.inputs, body.counted_from], [[], 'pixels']);
});

test('what cannot be compared is refused with the reason', async () => {
  const refusals = [
    [pathOf(a, waiting), 409, /has not ended/],
    [`${pathOf(a, b)}?node=01`, 422, /node 01 contains measurements/],
    [pathOf(a, inUtm), 422, /CRS "EPSG:3857" and "EPSG:32642"$/],
    [pathOf(narrow, a), 422, /different grids.*: size in pixels 200 × 256 and 256 × 256$/],
    [pathOf(a, gone), 404, /landscape-34-functional-zoning was deleted/],
    [pathOf(a, '00000000-0000-4000-8000-000000000000'), 404, /no such run/],
    [`${pathOf(a, b)}/tiles/${place}?from=13`, 400, /to: is required/],
    [`${pathOf(a, b)}/legend.json?from=13&to=99`, 400, /to: must be one of/],
  ] as const;
  for (const [path, status, sentence] of refusals) {
    const answer = await send<Refusal>(app, path);
    assert.equal(answer.status, status, path);
    assert.match(answer.body.error ?? '', sentence);
  }
  const russian = await send<Refusal>(app, `${pathOf(a, inUtm)}/tiles/${place}`, {
    headers: { 'accept-language': 'ru' },
  });
  assert.match(russian.body.error ?? '', /на разных сетках.*система координат: «EPSG:3857» и «EPSG:32642»/);
});
