import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { type ReportedJob, reportOf, writeReport } from '../../src/datasets/report.ts';
import type { RasterSource } from '../../src/geo/findings.ts';
import { documentedBody, documentedStatuses, readDescription, violations } from '../support/document.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../support/app.ts';
import {
  insertCategory,
  insertGroup,
  send,
  sendForm,
  sendJson,
  setState,
  upload,
} from '../support/datasets.ts';
import { gapInputsOf, storeGaps } from '../../src/landscape/runs/gaps.ts';
import { readRun } from '../../src/landscape/runs/run-rows.ts';
import { insertSucceededRun } from '../support/gap-runs.ts';
import { collection, countedPolygon, type Id, type Service, sld } from '../support/status-requests.ts';
import { type Row, rows } from '../support/status-rows.ts';
import { drawableRaster } from '../support/drawable-raster.ts';
import { insertAdopted } from '../support/stored-runs.ts';
import { closeAfterTests } from '../support/for-tests.ts';

const raster = {
  width: 2,
  height: 1,
  bands: 1,
  data_type: 'Byte',
  nodata: 0,
  crs: 'EPSG:4326',
  proj: '+proj=longlat +datum=WGS84 +no_defs',
  extent: [0, 0, 2, 1],
  resolution: [1, 1],
  cog: { passed_through: false, compression: 'DEFLATE', predictor: 2, overview_resampling: 'AVERAGE' },
} satisfies RasterSource;
const reportedJob = {
  engine: 'GDAL 3.6.2',
  rows: null,
  findings: {
    source: null,
    raster,
    timings: { open: 0.01 },
    warnings: [{ code: 'no_georeference', message: 'The raster lies nowhere.' }],
  },
} satisfies ReportedJob;

/** Creates resources in all the states that answers depend on; gives their ids. */
async function createResources(app: TestApp): Promise<Record<Id, string>> {
  const { db } = app.services;
  const parent = await insertCategory(db);
  const group = await insertGroup(db, 'taken');
  const styledGroup = await insertGroup(db);
  await sendForm(app, `/dataset-groups/${styledGroup}/sld`, [['file', sld]]);
  await db
    .insertInto('categories')
    .values({ id: randomUUID(), parent_id: parent, code: 'taken', name: 'A child', description: '' })
    .execute();
  const add = async (fileType: string, columns: object, objects?: Record<string, string | Buffer>) => {
    const { id } = await upload(app, { category_id: parent, dg_id: group, file_type: fileType });
    await setState(app.services, id, { ...columns }, objects);
    return id;
  };
  const columns = { status: 'awaiting_mapping', attribute_columns: '[{"name":"kato"},{"name":"2020"}]' };
  const raster = await add('raster', { status: 'ready', bbox: [67, 51.5, 70, 53] }, { cog: 'COG' });
  const counts = JSON.stringify({ pixels: 2, area_ha: null, bands: [] });
  const counted = { dataset_id: raster, state: 'counted', counts } as const;
  await db.insertInto('raster_statistics').values(counted).execute();
  const mapGroup = await insertGroup(db);
  const map = await drawableRaster();
  const mapRaster = await add('raster', { ...map.columns, dg_id: mapGroup }, map.objects);
  const undrawableGroup = await insertGroup(db);
  const undrawable = await add(
    'raster',
    { status: 'ready', view_state: 'failed', dg_id: undrawableGroup },
    { cog: 'COG' },
  );
  const vector = await add('vector', { status: 'ready' }, { geojson: collection });
  await sendForm(app, `/datasets/${vector}/sld`, [['file', sld]]);
  const mapped = await add('vector_with_kato', { status: 'ready', year_columns: '[]' });
  const set = { dataset_id: mapped, job_id: randomUUID(), attempt: 1 };
  const { id: setId } = await db
    .insertInto('observation_sets')
    .values(set)
    .returning('id')
    .executeTakeFirstOrThrow();
  await setState(app.services, mapped, { observation_set_id: setId });
  const failed = await add('raster', { status: 'failed', parse_error: 'The file is no map.' });
  await db.updateTable('jobs').set({ state: 'failed' }).where('ref_id', '=', failed).execute();
  await db.transaction().execute(async (trx) => await writeReport(trx, reportOf(failed, reportedJob)));
  const run = await send(app, '/landscape/runs', { method: 'POST' });
  const doneRun = await insertSucceededRun(db, mapRaster);
  const done = gapInputsOf((await readRun(db, doneRun)) ?? assert.fail());
  const none = (done ?? assert.fail()).inputs.map(() => 0);
  const noGaps = { grid: 1, withoutZone: 0, missing: none, alone: none };
  await db.transaction().execute(async (trx) => await storeGaps(trx, done ?? assert.fail(), noGaps));
  const adopted = await insertAdopted(db);
  const uncounted = await add('raster', { ...map.columns, dg_id: mapGroup }, map.objects);
  await countLand(app, doneRun, mapRaster);
  const undrawableRun = await insertSucceededRun(db, undrawable);
  await countLand(app, undrawableRun, undrawable, 'failed');
  await countAreas(app, doneRun, mapRaster);
  const uncountedRun = await insertSucceededRun(db, uncounted);
  const drawn = [];
  for (let i = 0; i < 4; i += 1) drawn.push(await add('raster', { ...map.columns }, map.objects));
  await countLimits(app, { doneRun, uncountedRun }, drawn);
  return {
    category: parent,
    emptyCategory: await insertCategory(db),
    group,
    emptyGroup: await insertGroup(db),
    styledGroup,
    mapGroup,
    undrawableGroup,
    raster,
    mapRaster,
    undrawable,
    vector,
    table: await add('vector_with_kato', columns),
    mapped,
    pendingRaster: await add('raster', { status: 'processing' }),
    pendingTable: await add('vector_with_kato', { status: 'parsing' }),
    failed,
    doomed: await add('raster', { status: 'failed', parse_error: 'The file is no map.' }),
    adopted,
    slot: 'landscape-in-dem',
    run: run.body.id,
    doneRun,
    undrawableRun,
    uncountedRun,
    unknown: randomUUID(),
    malformed: 'x1',
  };
}

/** Makes and counts what limits a run and where it meets conditions, of rasters that can be drawn; others are wanted or could not be counted. */
async function countLimits(
  app: TestApp,
  { doneRun, uncountedRun }: { readonly doneRun: string; readonly uncountedRun: string },
  rasters: readonly string[],
): Promise<void> {
  const { db } = app.services;
  const queries = [
    'limits?sector=23',
    'where?conditions=slope<5',
    'limits?sector=22',
    'where?conditions=slope<6',
  ];
  for (const [index, query] of queries.entries()) {
    const url = `/landscape/runs/${doneRun}/${query}&wait=0`;
    assert.equal((await send(app, url)).status, 202);
    const files = await db
      .selectFrom('dataset_files')
      .select(['kind', 'object_key'])
      .where('dataset_id', '=', rasters[index] ?? '')
      .execute();
    await db
      .updateTable('objects')
      .set({ sha256: Buffer.alloc(32, index) })
      .where(
        'key',
        'in',
        files.map(({ object_key: key }) => key),
      )
      .execute();
    const keyOf = (kind: string) => files.find((file) => file.kind === kind)?.object_key ?? null;
    await db
      .updateTable('landscape_layers')
      .set({ state: 'made', cog_key: keyOf('cog'), mesh_key: keyOf('view_mesh') })
      .where('state', '=', 'pending')
      .execute();
    assert.equal((await send(app, url)).status, 202);
    const figures = JSON.stringify({ tuples: [], raster: [], units: [], sets: [] });
    const failure = JSON.stringify({ english: 'the raster has no areas' });
    const isCounted = index < 2;
    await db
      .updateTable('area_counts')
      .set(isCounted ? { state: 'counted', figures } : { state: 'failed', failure, is_final: true })
      .where('state', '=', 'pending')
      .execute();
  }
  const url = `/landscape/runs/${doneRun}/input-sensitivity?wait=0`;
  assert.equal((await send(app, url)).status, 202);
  const moves = JSON.stringify({ blocks: 1, ofBlocks: 1, inputs: [] });
  await db.updateTable('input_moves').set({ state: 'made', figures: moves }).execute();
  const where = `/landscape/runs/${uncountedRun}/where?conditions=slope<5&wait=0`;
  assert.equal((await send(app, where)).status, 202);
  for (let i = 0; i < 15; i += 1) {
    const layer = {
      id: randomUUID(),
      key: `crowd ${i}`,
      layer: `where 01<${9 + i}`,
      state: 'pending',
    } as const;
    await db
      .insertInto('landscape_layers')
      .values({ ...layer, run_id: uncountedRun })
      .execute();
  }
}

/** Lets the areas of a run beside itself, and by unit and polygon, be counted: there is no worker. */
async function countAreas(app: TestApp, run: string, raster: string): Promise<void> {
  const { status } = await send(app, `/landscape/runs/${run}/compare/${run}?node=33&wait=0`);
  assert.equal(status, 202);
  await send(app, `/datasets/${raster}/areas?wait=0`);
  await sendJson(app, 'POST', `/landscape/runs/${run}/areas?wait=0`, countedPolygon);
  const figures = JSON.stringify({
    tuples: [],
    raster: [],
    units: [{ id: 'union', set: 'union', area_m2: 0, areas: [], outside_m2: 0 }],
    sets: [],
  });
  const { db } = app.services;
  await db
    .updateTable('area_counts')
    .set({ state: 'counted', figures })
    .where('state', '=', 'pending')
    .execute();
}

/** Lets the land of a run be counted from a raster that stands for its layer. */
async function countLand(
  app: TestApp,
  run: string,
  raster: string,
  state: 'counted' | 'failed' = 'counted',
): Promise<void> {
  const { db } = app.services;
  const path = `/landscape/runs/${run}/balance?wait=0`;
  assert.equal((await send(app, path)).status, 202);
  const files = await db.selectFrom('dataset_files').selectAll().where('dataset_id', '=', raster).execute();
  const keyOf = (kind: string) => files.find((file) => file.kind === kind)?.object_key ?? null;
  // Layers are known by the digest of their COG.
  await db
    .updateTable('objects')
    .set({ sha256: Buffer.alloc(32, raster) })
    .where('key', '=', keyOf('cog'))
    .execute();
  const made = { state: 'made', cog_key: keyOf('cog'), mesh_key: keyOf('view_mesh') } as const;
  await db.updateTable('landscape_layers').set(made).where('run_id', '=', run).execute();
  assert.equal((await send(app, path)).status, 202);
  const figures = JSON.stringify({ tuples: [], raster: [], units: [], sets: [] });
  const failure = JSON.stringify({ english: 'The raster has other pixels.' });
  const result = state === 'counted' ? { state, figures } : { state, failure, is_final: true };
  await db.updateTable('area_counts').set(result).where('state', '=', 'pending').execute();
}

const options: Readonly<Record<Exclude<Service, 'without tiles'>, TestAppOptions>> = {
  whole: { landscape: true },
  small: { maxUploadBytes: 64 },
  broken: {},
  'without store': { checks: { object_store: async () => await Promise.reject(new Error('away')) } },
  'without database': { databaseTarget: { host: '/nonexistent', database: 'secret-name' } },
  'without tables': { isPrepared: () => false },
};
const services = new Map<string, TestApp>();
for (const [name, each] of Object.entries(options)) {
  services.set(name, await closeAfterTests(startTestApp(each)));
}
// It has the resources of the whole one, and draws nothing.
const { databaseTarget } = serviceOf('whole');
services.set('without tiles', await closeAfterTests(startTestApp({ databaseTarget, tileRate: 0 })));
function serviceOf(name: Service): TestApp {
  return services.get(name) ?? assert.fail(name);
}
for (const table of ['categories', 'dataset_groups', 'datasets', 'objects', 'landscape_runs', 'districts']) {
  await serviceOf('broken').services.pool.query(`alter table ${table} rename to ${table}_elsewhere`);
}
const ids: Readonly<Record<Id, string>> = await createResources(serviceOf('whole'));
const { operations, definitions } = await readDescription(serviceOf('whole'));

/** Words that only a backend would say: statements, stacks, paths, hosts, names of tables, drivers and errors. */
const backendWords =
  /select |insert |update "|delete from|relation|column "|syntax error|ECONN|ENOENT|ENOTDIR|EACCES|errno|errorMissing|nonexistent|postgres|\.sock|\bpg\b|kysely|fastify|node_modules|node:internal|\.ts:|    at |\/tmp\/|\/home\/|\/root\/|stack/i;

/** Puts ids where names such as `{category}` stand. */
function resolve(text: string): string {
  return Object.entries(ids).reduce((resolved, [name, id]) => resolved.replaceAll(`{${name}}`, id), text);
}

async function ask({ method, path, asked }: Row) {
  const app = serviceOf(asked.from ?? 'whole');
  const url =
    resolve(
      path
        .replace(/\{(?:id|code|a)\}/, `{${asked.of ?? 'unknown'}}`)
        .replace('{b}', '{doneRun}')
        .replace('{layer}', 'cells'),
    ).replace('{z}/{x}/{y}', asked.tile ?? '0/0/0') + (asked.query ?? '');
  const init = { method, headers: { ...asked.headers } };
  if (asked.json !== undefined) {
    return await send<unknown>(app, url, { ...init, body: resolve(JSON.stringify(asked.json)) });
  }
  if (asked.form === undefined) return await send<unknown>(app, url, init);
  const body = new FormData();
  for (const [name, value] of Object.entries(asked.form)) {
    body.append(name, typeof value === 'string' ? resolve(value) : value);
  }
  return await send<unknown>(app, url, { ...init, body });
}

describe('every documented status comes about, as it is described', () => {
  for (const row of rows) {
    test(`${row.method} ${row.path} ${row.status}`, async () => {
      const { status, headers, text } = await ask(row);
      assert.equal(status, row.status, text);
      assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/); // `send` looks for nosniff
      const documented = documentedBody(operations, row);
      if (documented === undefined) {
        assert.equal(text, '');
        return;
      }
      const [mediaType] = (headers.get('content-type') ?? '').split(';');
      assert.equal(mediaType, documented.mediaType);
      const isJson = mediaType.endsWith('json') && status !== 206;
      const body: unknown = isJson ? JSON.parse(text) : text;
      assert.deepEqual(violations(documented.schema, body, definitions), [], text);
      if (status < 400) return;
      if (row.path !== '/readyz') assert.match(text, /^\{"errors?":/, text);
      const word = status === 500 ? 'internal error' : 'database unavailable';
      if (status >= 500 && row.path !== '/readyz') assert.equal(text, `{"error":"${word}"}`);
      assert.doesNotMatch(text + JSON.stringify([...headers]), backendWords);
    });
  }

  test('and no other status is documented, nor any other operation', () => {
    const provoked = new Set(rows.map(({ method, path, status }) => `${method} ${path} ${status}`));
    assert.deepEqual([...provoked].toSorted(), documentedStatuses(operations).toSorted());
  });

  test('every failure is told in one word, and nothing of how or where', async () => {
    const failures = rows.filter(({ status, path }) => status >= 500 && path !== '/readyz');
    assert.ok(failures.length >= 100); // the tests above have looked at each
    for (const app of services.values()) assert.equal((await send(app, '/healthz')).status, 200);
  });
});
