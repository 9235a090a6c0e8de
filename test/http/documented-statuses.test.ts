import assert from 'node:assert/strict';
import { createSourceFiles, insertStacImport } from '../support/requests/source-requests.ts';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { type ReportedJob, reportOf, writeReport } from '../../src/datasets/report.ts';
import type { RasterSource } from '../../src/geo/findings.ts';
import { onePoint } from '../support/geo/feature-files.ts';
import { isOnlyDescribed } from '../support/requests/feature-requests.ts';
import {
  documentedBody,
  documentedStatuses,
  readBody,
  readDescription,
  violations,
} from '../support/http/document.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../support/app.ts';
import {
  insertCategory,
  insertGroup,
  send,
  sendForm,
  sendJson,
  setState,
  takeKeys,
  tiffBytes,
  upload,
} from '../support/datasets.ts';
import { gapInputsOf, storeGaps } from '../../src/landscape/gaps/gaps.ts';
import { readRun } from '../../src/landscape/runs/run-rows.ts';
import { insertSucceededRun } from '../support/landscape/gap-runs.ts';
import {
  collection,
  countedPolygon,
  type Id,
  type Service,
  sld,
} from '../support/requests/status-requests.ts';
import { type Row, rows } from '../support/requests/status-rows.ts';
import { drawableRaster } from '../support/geo/drawable-raster.ts';
import { insertAdopted } from '../support/landscape/stored-runs.ts';
import {
  countAreas,
  countLand,
  countLimits,
  countReport,
  createForms,
  makeAtlas,
  makeInputs,
  makePolygons,
  matchedTable,
} from '../support/requests/counted-results.ts';
import { openArchiveServer, readerOfArchive } from '../support/http/archive-server.ts';
import { append, begin } from '../support/http/tus.ts';
import * as walk from '../support/requests/every-route.ts';
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

/** Creates resources in all the states that answers depend on; returns their ids. */
async function createResources(app: TestApp): Promise<Record<Id, string>> {
  const { db } = app.services;
  const names = { name: 'Район', name_kk: null, name_en: null };
  const geometry = JSON.stringify(countedPolygon);
  await db
    .insertInto('districts')
    .values({ kato_code: '111000000', level: 'district', ...names, geometry })
    .execute();
  const parent = await insertCategory(db);
  const group = await insertGroup(db, 'taken');
  const styledGroup = await insertGroup(db);
  await sendForm(app, `/dataset-groups/${styledGroup}/sld`, [['file', sld]]);
  const cadence = { group_id: styledGroup, every: 'P1Y', grace: 'P0D' };
  await db.insertInto('dataset_group_cadences').values(cadence).execute();
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
  const dated = { ...map.columns, dg_id: mapGroup, end_date: '2023-12-31' };
  const mapRaster = await add('raster', dated, map.objects);
  const undrawableGroup = await insertGroup(db);
  const undrawable = await add(
    'raster',
    { status: 'ready', view_state: 'failed', dg_id: undrawableGroup, end_date: '2023-12-31' },
    { cog: 'COG' },
  );
  const vector = await add('vector', { status: 'ready' }, { geojson: collection });
  await sendForm(app, `/datasets/${vector}/sld`, [['file', sld]]);
  const ownStyle = await add('vector', { status: 'ready' }, { geojson: collection, fgb: onePoint });
  await sendForm(app, `/datasets/${ownStyle}/sld`, [['file', sld]]);
  const yearColumns = '[{"column":"2020","start_date":"2020-01-01"}]';
  const ready = { ...columns, status: 'ready', kato_column: 'kato', year_columns: yearColumns };
  const mapped = await add('vector_with_kato', ready, matchedTable());
  const set = { dataset_id: mapped, job_id: randomUUID(), attempt: 1 };
  const { id: setId } = await db
    .insertInto('observation_sets')
    .values(set)
    .returning('id')
    .executeTakeFirstOrThrow();
  await setState(app.services, mapped, { observation_set_id: setId });
  const observed = {
    set_id: setId,
    id: randomUUID(),
    kato_code: '111000000',
    start_date: '2020-01-01',
    value: 1,
  };
  await db
    .insertInto('observations')
    .values({ ...observed, mapping_order: 0, row_number: 0 })
    .execute();
  const failed = await add('vector', { status: 'failed', parse_error: 'The file is no map.' });
  await db.updateTable('jobs').set({ state: 'failed' }).where('ref_id', '=', failed).execute();
  await db.transaction().execute(async (trx) => await writeReport(trx, reportOf(failed, reportedJob)));
  const run = await send(app, '/landscape/runs', { method: 'POST' });
  await takeKeys(db, 'taken', [
    '/datasets',
    '/datasets/references',
    '/landscape/runs',
    '/landscape/slots/landscape-in-dem',
  ]);
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
  await makeAtlas(app, doneRun);
  const uncountedRun = await insertSucceededRun(db, uncounted);
  const drawn = [];
  for (let i = 0; i < 4; i += 1) drawn.push(await add('raster', { ...map.columns }, map.objects));
  await countLimits(app, { doneRun, uncountedRun }, drawn);
  await makeInputs(app, { source: mapRaster, made: drawn[1] ?? '' });
  await makePolygons(app, { doneRun, uncountedRun }, { raster: drawn[0] ?? '', polygons: vector });
  await countReport(app, doneRun, mapRaster);
  for (const followed of [mapGroup, undrawableGroup])
    await sendJson(app, 'PUT', `/dataset-groups/${followed}/zonal`, { stats: ['mean'] });
  const place = { filename: 'a.tif', slot: 'landscape-in-dem' };
  const beginUpload = async (length: number) =>
    (await begin(app.baseUrl, length, place)).split('/').at(-1) ?? '';
  const started = await beginUpload(64);
  await append(`${app.baseUrl}/uploads/${started}`, 0, 'II');
  const expiredUpload = await beginUpload(64);
  await db
    .updateTable('uploads')
    .set({ expires_at: new Date(0) })
    .where('id', '=', expiredUpload)
    .execute();
  const reference = await add('raster', { status: 'ready' }, { cog: 'COG' });
  const known = { dataset_id: reference, address: archived, etag: null, last_modified: null, reason: null };
  await db.insertInto('dataset_references').values(known).execute();
  return {
    archive: archived,
    stac: catalogue,
    stacImport: await insertStacImport(app),
    reference,
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
    ownStyle,
    table: await add('vector_with_kato', columns),
    mapped,
    unmatched: await add('vector_with_kato', ready),
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
    upload: started,
    expiredUpload,
    doomedUpload: await beginUpload(64),
    wrongUpload: await beginUpload(9),
    ...(await createWebhooks(app)),
    ...(await createForms(app, styledGroup, mapRaster)),
    ...(await createSourceFiles(app)),
    unknown: randomUUID(),
    malformed: 'x1',
  };
}

/** Creates webhooks, one of which has the largest number of waiting tests, and a service with the largest number of webhooks. */
async function createWebhooks(app: TestApp) {
  const create = async () =>
    (await sendJson<{ id: string }>(app, 'POST', '/webhooks', { url: 'https://a.example/' })).body.id;
  const testedWebhook = await create();
  await app.services.pool.query(
    `insert into webhook_deliveries (webhook_id, message_id, type, state)
     select $1, 'test_' || i, 'webhook.test', 'pending' from generate_series(1, 10) i`,
    [testedWebhook],
  );
  for (let i = 0; i < 5; i += 1) await send(app, `/webhooks/${testedWebhook}/secret`, { method: 'POST' });
  await serviceOf('small').services.pool.query(
    `insert into webhooks (id, url, secret, epoch, position)
     select gen_random_uuid(), 'https://a.example/', '', '', 0 from generate_series(1, 100)`,
  );
  return { webhook: await create(), doomedWebhook: await create(), testedWebhook };
}

const archive = await closeAfterTests(openArchiveServer());
const archived = archive.serve('/a.tif', { bytes: Buffer.from(tiffBytes) });
const page = { type: 'FeatureCollection', features: [] };
const catalogue = archive.serve('/items', { bytes: Buffer.from(JSON.stringify(page)) });
const remoteFiles = readerOfArchive(archive.port);
const options: Readonly<Record<Exclude<Service, 'without tiles'>, TestAppOptions>> = {
  whole: { landscape: true, remoteFiles },
  small: { maxUploadBytes: 64 },
  broken: { remoteFiles },
  'without store': { checks: { object_store: async () => await Promise.reject(new Error('away')) } },
  'without database': { remoteFiles, databaseTarget: { host: '/nonexistent', database: 'secret-name' } },
  'without tables': { isPrepared: () => false },
};
const services = new Map<string, TestApp>();
for (const [name, each] of Object.entries(options)) {
  services.set(name, await closeAfterTests(startTestApp(each)));
}
// It has the resources of the complete service, and draws nothing.
const { databaseTarget, services: ofWhole } = serviceOf('whole');
const withoutTiles = { databaseTarget, tileRate: 0, aroundStore: () => ofWhole.objectStore };
services.set('without tiles', await closeAfterTests(startTestApp(withoutTiles)));
// It has them as well, behind a proxy that serves it below a path, and pages of any origin may read it.
const elsewhere = await closeAfterTests(
  startTestApp({
    databaseTarget,
    aroundStore: () => ofWhole.objectStore,
    hasMcp: true,
    access: () => ({ publicUrl: new URL(walk.publicUrl), corsOrigins: '*' }),
  }),
);
function serviceOf(name: Service): TestApp {
  return services.get(name) ?? assert.fail(name);
}
const lost = [
  'categories',
  'dataset_groups',
  'datasets',
  'objects',
  'uploads',
  'landscape_runs',
  'landscape_run_signatures',
  'landscape_signed_documents',
  'landscape_watch',
  'event_log',
  'webhooks',
  'districts',
  'form_templates',
  'source_files',
  'results',
];
for (const table of lost) {
  await serviceOf('broken').services.pool.query(`alter table ${table} rename to ${table}_elsewhere`);
}
const ids: Readonly<Record<Id, string>> = await createResources(serviceOf('whole'));
const { operations, definitions } = await readDescription(serviceOf('whole'));

/** Words that only internals contain: statements, stacks, paths, hosts, names of tables, drivers and errors. */
const backendWords =
  /select |insert |update "|delete from|relation|column "|syntax error|ECONN|ENOENT|ENOTDIR|EACCES|errno|errorMissing|nonexistent|postgres|\.sock|\bpg\b|kysely|fastify|node_modules|node:internal|\.ts:|    at |\/tmp\/|\/home\/|\/root\/|stack/i;

/** Replaces placeholders such as `{category}` with ids. */
function resolve(text: string): string {
  return Object.entries(ids).reduce((resolved, [name, id]) => resolved.replaceAll(`{${name}}`, id), text);
}

function urlOf({ path, asked }: Row): string {
  return (
    resolve(
      path
        .replace(/\{(?:id|code|a)\}/, `{${asked.of ?? 'unknown'}}`)
        .replace('{form}', '{filledForm}')
        .replace('{featureId}', '111000000')
        .replace('{b}', path.startsWith('/datasets/') ? `{${asked.of ?? 'unknown'}}` : '{doneRun}')
        .replace('{collectionId}', asked.collection ?? (path.startsWith('/ogc') ? 'districts' : 'taken'))
        .replace('{itemId}', `{${asked.of ?? 'unknown'}}`)
        .replace('{layer}', 'cells')
        .replace('{kato}', asked.kato ?? '111000000'),
    ).replace(/\{(?:z\}\/\{x\}\/\{y|tileMatrix\}\/\{tileRow\}\/\{tileCol)\}/, asked.tile ?? '0/0/0') +
    resolve(asked.query ?? '')
  );
}

async function ask(row: Row) {
  const { method, asked } = row;
  const app = serviceOf(asked.from ?? 'whole');
  const url = urlOf(row);
  const init = { method, headers: { ...asked.headers }, redirect: 'manual' } as const;
  if (asked.json !== undefined) {
    return await send<unknown>(app, url, { ...init, body: resolve(JSON.stringify(asked.json)) });
  }
  if (asked.bytes !== undefined) return await send<unknown>(app, url, { ...init, body: asked.bytes });
  if (asked.form === undefined) return await send<unknown>(app, url, init);
  const body = new FormData();
  for (const [name, value] of Object.entries(asked.form)) {
    body.append(name, typeof value === 'string' ? resolve(value) : value);
  }
  return await send<unknown>(app, url, { ...init, body });
}

describe('every route, behind a proxy that keeps a path for the service', () => {
  for (const route of walk.walkedRoutes(rows, urlOf, resolve)) {
    test(`${route.method} ${route.path}`, async () => {
      await walk.checkForPages(elsewhere, route);
      if (!route.isRead) return;
      assert.deepEqual(await walk.wrongAddresses(elsewhere, route), []);
      await walk.checkCompression(elsewhere, route);
      if (route.method === 'GET') await walk.checkConditions(elsewhere, route);
    });
  }

  test('and every tool of MCP answers with what its routes have', async () => {
    const { mapRaster: raster, mapped: table, doneRun: run } = ids;
    assert.deepEqual(await walk.failedTools(elsewhere, { raster, table, run }), []);
  });

  test('leads to what is made by its whole address, also when it answers again', async () => {
    const key = { 'idempotency-key': '"walk"' };
    const run = async () => await send(elsewhere, '/landscape/runs', { method: 'POST', headers: key });
    const [made, again] = [await run(), await run()];
    const parts = { file_type: 'raster', category_id: ids.category };
    const file = ['file', new File([tiffBytes], 'a.tif')] as const;
    const dataset = await sendForm(elsewhere, '/datasets', [...Object.entries(parts), file]);
    const hook = await sendJson(elsewhere, 'POST', '/webhooks', { url: 'https://b.example/' });
    for (const [{ headers, body }, path] of [
      [made, '/landscape/runs'],
      [again, '/landscape/runs'],
      [dataset, '/datasets'],
      [hook, '/webhooks'],
    ] as const)
      assert.equal(headers.get('location'), `${walk.publicUrl}${path}/${body.id}`);
    assert.equal(again.body.id, made.body.id);
    await send(elsewhere, `/landscape/runs/${made.body.id}`, { method: 'DELETE' });
  });
});

describe('every documented status comes about, as it is described', () => {
  for (const row of rows) {
    test(`${row.method} ${row.path} ${row.status}`, async () => {
      const { status, headers, text } = await ask(row);
      assert.equal(status, row.status, text);
      assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/); // `send` checks nosniff
      const documented = documentedBody(operations, row);
      if (documented === undefined) {
        assert.equal(text, '');
        return;
      }
      const [mediaType = ''] = (headers.get('content-type') ?? '').split(';');
      assert.equal(mediaType, documented.mediaType.split(';')[0]);
      const body = status === 206 ? text : readBody(mediaType, text);
      assert.deepEqual(violations(documented.schema, body, definitions), [], text);
      if (status < 400) return;
      if (row.path !== '/readyz') assert.match(text, /^\{"errors?":/, text);
      const word = status === 500 ? 'internal error' : 'database unavailable';
      if (status >= 500 && row.path !== '/readyz') assert.equal(Object(body).error, word);
      assert.doesNotMatch(text + JSON.stringify([...headers]), backendWords);
    });
  }

  test('and no other status is documented, nor any other operation', () => {
    const provoked = new Set(rows.map(({ method, path, status }) => `${method} ${path} ${status}`));
    const documented = documentedStatuses(operations).filter((row) => !isOnlyDescribed(row));
    assert.deepEqual([...provoked].toSorted(), documented.toSorted());
  });

  test('the report of a run needs nothing else, says its digests, and is kept until it changes', async () => {
    const path = `/landscape/runs/${ids.doneRun}`;
    const { steps } = (
      await send<{ steps: readonly { sha256: string | null }[] }>(
        serviceOf('whole'),
        `/datasets/${ids.mapRaster}/lineage`,
      )
    ).body;
    for (const lang of ['en', 'ru', 'kk']) {
      const url = `${path}/report.html?lang=${lang}`;
      const { headers, text } = await send(serviceOf('whole'), url);
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(headers.get('content-language'), lang);
      assert.match(text, new RegExp(`^<!doctype html>\\s*<html lang="${lang}">`));
      assert.doesNotMatch(text, /<script|<link|<iframe|(?:src|srcset)="(?!data:|")|@import|url\(/i);
      for (const { sha256 } of steps) assert.ok(sha256 !== null && text.includes(sha256), `${sha256}`);
      const init = { headers: { 'if-none-match': headers.get('etag') ?? '' } };
      assert.equal((await send(serviceOf('whole'), url, init)).status, 304);
    }
  });

  test('every failure is told in one word, and nothing of how or where', async () => {
    const failures = rows.filter(({ status, path }) => status >= 500 && path !== '/readyz');
    assert.ok(failures.length >= 100); // the tests above have checked each
    for (const app of services.values()) assert.equal((await send(app, '/healthz')).status, 200);
  });
});
