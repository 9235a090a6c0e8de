import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type ReportedJob, reportOf, writeReport } from '../../src/datasets/report.ts';
import type { RasterSource } from '../../src/geo/findings.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { insertCategory, insertGroup, send, sendForm, setState, upload } from '../support/datasets.ts';
import { type Description, documentedBody, documentedStatuses } from '../support/documented.ts';
import { collection, type Id, type Row, rows, type Service, sld } from '../support/status-requests.ts';

const raster = {
  width: 2,
  height: 1,
  bands: 1,
  data_type: 'Byte',
  nodata: 0,
  crs: 'EPSG:4326',
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
  const add = async (fileType: string, columns: object, objects?: Record<string, string>) => {
    const { id } = await upload(app, { category_id: parent, dg_id: group, file_type: fileType });
    await setState(app.services, id, { ...columns }, objects);
    return id;
  };
  const columns = { status: 'awaiting_mapping', attribute_columns: '[{"name":"kato"},{"name":"2020"}]' };
  const raster = await add(
    'raster',
    { status: 'ready', bbox: [67, 51.5, 70, 53] },
    { cog_storage_key: 'COG' },
  );
  const vector = await add('vector', { status: 'ready' }, { geojson_storage_key: collection });
  await sendForm(app, `/datasets/${vector}/sld`, [['file', sld]]);
  const failed = await add('raster', { status: 'failed', parse_error: 'The file is no map.' });
  await db.updateTable('jobs').set({ state: 'failed' }).where('ref_id', '=', failed).execute();
  await db.transaction().execute(async (trx) => await writeReport(trx, reportOf(failed, reportedJob)));
  const run = await send(app, '/landscape/runs', { method: 'POST' });
  return {
    category: parent,
    emptyCategory: await insertCategory(db),
    group,
    emptyGroup: await insertGroup(db),
    styledGroup,
    raster,
    vector,
    table: await add('vector_with_kato', columns),
    pendingRaster: await add('raster', { status: 'processing' }),
    pendingTable: await add('vector_with_kato', { status: 'parsing' }),
    failed,
    doomed: await add('raster', { status: 'failed', parse_error: 'The file is no map.' }),
    slot: 'landscape-in-dem',
    run: run.body.id,
    unknown: randomUUID(),
    malformed: 'x1',
  };
}

const services = new Map<Service, TestApp>();
let ids: Readonly<Record<Id, string>>;
let description: Description;
before(async () => {
  const whole = await startTestApp({ landscape: true });
  services.set('whole', whole);
  services.set('small', await startTestApp({ maxUploadBytes: 64 }));
  services.set(
    'without store',
    await startTestApp({ checks: { object_store: async () => await Promise.reject(new Error('away')) } }),
  );
  services.set(
    'without database',
    await startTestApp({ databaseTarget: { host: '/nonexistent', database: 'x' } }),
  );
  const broken = await startTestApp();
  services.set('broken', broken);
  for (const table of ['categories', 'dataset_groups', 'datasets', 'objects', 'landscape_runs']) {
    await broken.services.pool.query(`alter table ${table} rename to ${table}_elsewhere`);
  }
  ids = await createResources(whole);
  description = (await send<Description>(whole, '/openapi.json')).body;
});
after(async () => {
  for (const app of services.values()) await app.close();
});

/** Puts ids where names such as `{category}` stand. */
function resolve(text: string): string {
  return Object.entries(ids).reduce((resolved, [name, id]) => resolved.replaceAll(`{${name}}`, id), text);
}

async function ask({ method, path, asked }: Row) {
  const app = services.get(asked.from ?? 'whole');
  assert.ok(app !== undefined);
  const url = resolve(path.replace(/\{(?:id|code)\}/, `{${asked.of ?? 'unknown'}}`)) + (asked.query ?? '');
  const init = { method: method.toUpperCase(), headers: { ...asked.headers } };
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
    test(`${row.method.toUpperCase()} ${row.path} ${row.status}`, async () => {
      const { status, headers, text } = await ask(row);
      assert.equal(status, row.status, text);
      assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/); // `send` looks for nosniff
      const documented = documentedBody(description, row);
      if (documented === undefined) {
        assert.equal(text, '');
        return;
      }
      const [mediaType] = (headers.get('content-type') ?? '').split(';');
      assert.equal(mediaType, documented.mediaType);
      const isJson = mediaType.endsWith('json') && status !== 206;
      const parsed = documented.schema.safeParse(isJson ? JSON.parse(text) : text);
      assert.ok(parsed.success, `${text} ${parsed.error?.message}`);
      if (status >= 400 && row.path !== '/readyz') assert.match(text, /^\{"errors?":/, text);
    });
  }

  test('and no other status is documented, nor any other operation', () => {
    const provoked = rows.map(({ method, path, status }) => `${method} ${path} ${status}`);
    assert.deepEqual(provoked.toSorted(), documentedStatuses(description).toSorted());
  });
});
