import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { checkStore } from '../../object-store/fsck.ts';
import { EngineDied } from '../../geo/engine.ts';
import { type Refusal, send, sendJson } from '../../../test/support/datasets.ts';
import { readBand } from '../../../test/support/geo/read-band.ts';
import { eventually } from '../../../test/support/processes.ts';
import { ringOf, startMakingApp } from '../../../test/support/landscape/making-app.ts';
import { withConversion } from './conversions.ts';
import type { AttributeValues, MadeInputView } from './recipe-schema.ts';

const { app, db, making, addRaster, addVector, folder, ...rest } = await startMakingApp();
after(async () => await rest.close());

const soil = 'landscape-in-soil-texture';
const roads = 'landscape-in-distance-road';
const rain = 'landscape-in-precipitation';
const groups = new Map(
  (await db.selectFrom('dataset_groups').select(['id', 'code']).execute()).map(({ id, code }) => [code, id]),
);
const elevation = await addRaster(() => 500, { columns: { dg_id: groups.get('landscape-in-dem') } });
const soilMap = await addVector([
  { properties: { texture: 'Тяжёлый суглинок' }, polygon: ringOf(60, 48, 61.5, 50) },
  { properties: { texture: 'Глины' }, polygon: ringOf(61, 48, 62, 50) },
  { properties: { texture: 'вода' }, polygon: ringOf(62, 48, 63, 50) },
]);
const soilTable = [
  { value: 'Глины', number: 1 },
  { value: 'Тяжёлый суглинок', number: 4 },
  { value: 'вода', number: null },
];
const soilRecipe = { method: 'rasterize', dataset_id: soilMap, attribute: 'texture', table: soilTable };

async function ask<T = MadeInputView>(slot: string, recipe: object) {
  return await sendJson<T>(app, 'POST', `/landscape/slots/${slot}/make?wait=60&lang=en`, recipe);
}

async function made(slot: string, recipe: object): Promise<MadeInputView> {
  const { status, body, text } = await ask(slot, recipe);
  assert.equal(status, 200, text);
  return body;
}

async function refused(slot: string, recipe: object): Promise<Refusal> {
  const { status, body, text } = await ask<Refusal>(slot, recipe);
  assert.equal(status, 422, text);
  return body;
}

async function list(slot: string, query = ''): Promise<readonly MadeInputView[]> {
  const { body } = await send<MadeInputView[]>(app, `/landscape/slots/${slot}/make${query}`);
  return body;
}

interface Stored {
  readonly status: string;
  readonly dg_id: string;
  readonly start_date: string | null;
  readonly end_date: string | null;
  readonly unit: string | null;
  readonly name: string;
  readonly automated: boolean;
  readonly meta: {
    readonly made_by: { readonly recipe_version: number; readonly sources: readonly unknown[] };
  };
}

/** Waits for the dataset of a made raster, and reads it. */
async function datasetOf({ dataset_id: id }: MadeInputView) {
  const dataset = await eventually('the dataset', async () => {
    const { body } = await send<Stored>(app, `/datasets/${id}`);
    return body.status === 'ready' || body.status === 'failed' ? body : undefined;
  });
  assert.equal(dataset.status, 'ready');
  const response = await fetch(`${app.baseUrl}/datasets/${id}.cog`);
  const path = join(folder, `${id}.tif`);
  await writeFile(path, Buffer.from(await response.arrayBuffer()));
  return { dataset, ...readBand(path) };
}

describe('An input raster is made', () => {
  test('of an attribute, with a table whose first row wins', async () => {
    const input = await made(soil, soilRecipe);
    const { dataset, width, height, pixels } = await datasetOf(input);
    assert.deepEqual([width, height, dataset.dg_id, dataset.automated], [30, 20, groups.get(soil), true]);
    const row = pixels.subarray(0, 30);
    assert.deepEqual(
      [...row],
      [...Array<number>(10).fill(4), ...Array<number>(10).fill(1), ...Array<number>(10).fill(NaN)],
    );
    assert.deepEqual(
      [input.figures?.valid, input.figures?.overlap, input.figures?.features, input.figures?.unmapped_values],
      [400, 100, 3, 0],
    );
    assert.deepEqual(
      input.sources.map(({ dataset_id: id, role }) => [id, role]),
      [
        [elevation, 'grid'],
        [soilMap, 'features'],
      ],
    );
    assert.ok(input.sources.every(({ storage_key: key }) => key !== ''));
    assert.equal(dataset.meta.made_by.recipe_version, 1);
    assert.equal(dataset.meta.made_by.sources.length, 2);
    const { body } = await send<{ steps: { dataset_id: string; inputs: string[] }[]; is_complete: boolean }>(
      app,
      `/datasets/${input.dataset_id}/lineage`,
    );
    assert.deepEqual(body.steps[0]?.inputs, [elevation, soilMap]);
    assert.deepEqual([body.steps.length, body.is_complete], [3, true]);
    assert.match(dataset.name, /Topsoil texture, from .Карта почв/);
  });

  test('once for the same recipe and sources, whose recipe the dataset gives back', async () => {
    const before = making.times;
    const again = await made(soil, soilRecipe);
    assert.equal(making.times, before);
    const [listed] = await list(soil, `?dataset_id=${again.dataset_id}`);
    assert.deepEqual(listed?.recipe, again.recipe);
    const repeated = await made(soil, listed?.recipe ?? {});
    assert.deepEqual([repeated.id, making.times], [again.id, before]);
    assert.deepEqual(await list(soil, `?dataset_id=${elevation}`), []);
  });

  test('unless a value has no row: then it is refused with its name, or left out and reported', async () => {
    const table = soilTable.slice(0, 2);
    const { error } = await refused(soil, { ...soilRecipe, table });
    assert.match(error ?? '', /no row for 1 values of .texture.: .вода./);
    const left = await made(soil, { ...soilRecipe, table, unmapped: 'no_data' });
    assert.deepEqual(left.figures?.unmapped, [{ value: 'вода', features: 1 }]);
    const [newest] = (await list(soil, '?lang=ru')).filter(({ state }) => state === 'failed');
    assert.match(newest?.error ?? '', /нет строки для значений/);
  });

  test('with a table that is suggested from the words of the classes', async () => {
    const path = `/landscape/slots/${soil}/make/values?dataset_id=${soilMap}&attribute=texture`;
    const { body } = await send<AttributeValues>(app, path);
    const suggested = new Map(body.values.map((each) => [each.value, each.suggested]));
    assert.deepEqual([suggested.get('Глины'), suggested.get('вода'), body.is_complete], [1, null, true]);
    const { status } = await send(app, path.replace('=texture', '=other'));
    assert.equal(status, 422);
  });

  test('of the share that polygons cover', async () => {
    const half = await addVector([
      { properties: { v: 10 }, polygon: ringOf(60, 49.9, 60.05, 50) },
      { properties: { v: 30 }, polygon: ringOf(60.05, 49.9, 60.125, 50) },
    ]);
    const recipe = { method: 'rasterize', dataset_id: half, attribute: 'v', rule: 'mean' };
    const { pixels } = await datasetOf(await made(rain, recipe));
    // The first pixel is halved; the second one is covered by a quarter.
    assert.deepEqual([pixels[0], pixels[1]], [20, NaN]);
    const { pixels: all } = await datasetOf(await made(rain, { ...recipe, min_coverage: 0 }));
    assert.deepEqual([all[0], all[1], all[2]], [20, 30, NaN]);
  });

  test('of distances, up to a limit', async () => {
    const line = await addVector([
      {
        properties: { kind: 'road' },
        line: [
          [60.05, 40],
          [60.05, 60],
        ],
      },
    ]);
    const recipe = { method: 'distance', dataset_id: line };
    const { pixels } = await datasetOf(await made(roads, recipe));
    assert.ok((pixels[0] ?? NaN) < 10, String(pixels[0]));
    // A tenth of a degree of longitude at 49.95°.
    const metres = (pixels[1] ?? NaN) - (pixels[0] ?? NaN);
    assert.ok(Math.abs(metres - 7177) < 10, String(metres));
    const near = await made(roads, { ...recipe, limit_m: 10_000 });
    const limited = await datasetOf(near);
    assert.deepEqual([limited.pixels[3], near.figures?.beyond_limit], [NaN, 560]);
    const { error } = await refused(roads, { ...recipe, measure: 'grid' });
    assert.match(error ?? '', /in degrees/);
  });

  test('of rasters side by side, and of months', async () => {
    const west = await addRaster(() => 1, {
      raster: { width: 20 },
      columns: { end_date: '2020-01-31', start_date: '2020-01-01' },
    });
    const east = await addRaster(() => 3, {
      raster: { width: 20, affine: [61, 0.1, 0, 50, 0, -0.1] },
      columns: { start_date: '2020-02-01', end_date: '2020-02-29' },
    });
    const mosaic = { method: 'mosaic', dataset_ids: [west, east] };
    const first = await made(rain, mosaic);
    const { pixels, width } = await datasetOf(first);
    assert.deepEqual([width, pixels[9], pixels[10], pixels[19], pixels[20]], [30, 1, 1, 1, 3]);
    assert.deepEqual([first.figures?.overlap, first.figures?.largest_difference], [200, 2]);
    const newest = await datasetOf(await made(rain, { ...mosaic, rule: 'newest' }));
    assert.deepEqual([newest.width, newest.pixels[9], newest.pixels[10]], [30, 1, 3]);
    const days = { method: 'arithmetic', dataset_ids: [west, east], combine: 'sum', weights: 'days' };
    const { pixels: sums, dataset } = await datasetOf(
      await made(rain, { ...days, conversion: 'metres_to_millimetres' }),
    );
    assert.deepEqual([sums[9], sums[10]], [NaN, 1000 * (31 + 3 * 29)]);
    assert.deepEqual([dataset.start_date, dataset.end_date], ['2020-01-01', '2020-02-29']);
    const dated = await datasetOf(await made(rain, { ...days, end_date: '2021-12-31' }));
    assert.deepEqual([dated.dataset.start_date, dated.dataset.end_date], [null, '2021-12-31']);
    const active = await made(rain, { ...days, scale: 2, above: 5 });
    assert.deepEqual((await datasetOf(active)).pixels[10], 2 * 3 * 29, 'the lower one counts as 0');
    const greatest = await made(rain, { ...days, weights: 'equal', combine: 'maximum' });
    assert.deepEqual((await datasetOf(greatest)).pixels[10], 3);
    const dateless = await refused(rain, { ...days, dataset_ids: [elevation] });
    assert.match(dateless.error ?? '', /has no period/);
  });

  test('though the engine and workers die under it, and only once', async () => {
    const held = Promise.withResolvers<void>();
    let attempts = 0;
    making.before = async () => {
      attempts += 1;
      if (attempts === 1) throw new EngineDied('killed');
      if (attempts === 2) {
        held.resolve();
        await new Promise(() => undefined);
      }
    };
    const answer = made(soil, { ...soilRecipe, name: 'Killed' });
    await held.promise;
    await rest.restartWorker();
    const { state, dataset_id: id } = await answer;
    making.before = async () => await Promise.resolve();
    assert.deepEqual([state, attempts >= 3], ['made', true]);
    const named = await db.selectFrom('datasets').select('id').where('name', '=', 'Killed').execute();
    assert.deepEqual(named, [{ id }]);
  });

  test('again when a source has a fresher dataset in its group', async () => {
    const [before] = await list(soil);
    assert.equal(before?.sources.find(({ role }) => role === 'grid')?.newer, null);
    const fresher = await addRaster(() => 510, {
      columns: { dg_id: groups.get('landscape-in-dem'), end_date: '2025-12-31' },
    });
    const [listed] = await list(soil);
    assert.equal(listed?.sources.find(({ role }) => role === 'grid')?.newer?.id, fresher);
    const repeated = await made(soil, listed?.recipe ?? {});
    assert.deepEqual(
      [repeated.id === listed?.id, repeated.sources[0]?.dataset_id, repeated.sources[0]?.newer],
      [false, fresher, null],
    );
  });

  test('but not of several sources of one group, which one dataset cannot replace', async () => {
    const columns = { dg_id: groups.get('landscape-in-snow-depth') };
    const [january, february] = [
      await addRaster(() => 1, { columns: { ...columns, end_date: '2020-01-31' } }),
      await addRaster(() => 2, { columns: { ...columns, end_date: '2020-02-29' } }),
    ];
    const months = { method: 'arithmetic', dataset_ids: [january, february] };
    await made(rain, months);
    await made(rain, { ...months, dataset_ids: [february] });
    const march = await addRaster(() => 3, { columns: { ...columns, end_date: '2020-03-31' } });
    const newer = (await list(rain)).slice(0, 2).map(({ sources }) => sources.map((each) => each.newer?.id));
    assert.deepEqual(newer, [[march], [undefined, undefined]]);
  });
});

describe('A recipe', () => {
  const cases: readonly (readonly [string, string, object, string])[] = [
    ['without a table for classes', soil, { ...soilRecipe, table: null }, 'table'],
    [
      'with a number that is no class',
      soil,
      { ...soilRecipe, table: [{ value: 'x', number: 77 }] },
      'table.0.number',
    ],
    ['with a mean of classes', soil, { ...soilRecipe, rule: 'mean' }, 'rule'],
    ['for distances in a slot with classes', soil, { method: 'distance', dataset_id: soilMap }, 'method'],
    ['with a raster for a vector', roads, { method: 'distance', dataset_id: elevation }, 'dataset_id'],
    [
      'with a vector for a raster',
      rain,
      { method: 'mosaic', dataset_ids: [elevation, soilMap] },
      'dataset_ids.1',
    ],
    [
      'with a period that ends before it begins',
      roads,
      { method: 'distance', dataset_id: soilMap, start_date: '2021-01-01', end_date: '2020-01-01' },
      'end_date',
    ],
    [
      'with days for a minimum',
      rain,
      { method: 'arithmetic', dataset_ids: [elevation], combine: 'minimum', weights: 'days' },
      'weights',
    ],
    ['of an unknown method', soil, { method: 'magic' }, 'method'],
  ];
  for (const [name, slot, recipe, field] of cases) {
    test(`${name} is refused`, async () => {
      const { status, body, text } = await ask<Refusal>(slot, recipe);
      assert.equal(status, 422, text);
      assert.deepEqual(Object.keys(body.errors ?? {}), [field], text);
    });
  }

  test('for a slot that does not exist is 404', async () => {
    const { status } = await ask('landscape-in-none', soilRecipe);
    assert.equal(status, 404);
  });

  test('converts after its scale and offset', () => {
    assert.deepEqual(withConversion({ scale: 0.02, offset: 0 }, 'kelvin_to_celsius'), {
      scale: 0.02,
      offset: -273.15,
    });
    const { scale, offset } = withConversion({ scale: 1, offset: 0 }, 'fahrenheit_to_celsius');
    assert.ok(Math.abs(212 * scale + offset - 100) < 1e-9);
  });

  test('is forgotten with its dataset, and leaves nothing in the store', async () => {
    const [newest] = (await list(soil)).filter(({ state }) => state === 'made');
    const { status } = await send(app, `/datasets/${newest?.dataset_id}`, { method: 'DELETE' });
    assert.equal(status, 204);
    assert.deepEqual(await list(soil, `?dataset_id=${newest?.dataset_id}`), []);
    const { damage } = await checkStore(db, app.services.objectStore);
    assert.deepEqual(
      damage.filter(({ kind }) => kind === 'input_without_job'),
      [],
    );
  });
});
