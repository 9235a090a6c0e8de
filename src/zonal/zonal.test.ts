import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { DatasetZonal, GroupZonal } from './zonal-schema.ts';
import { startCountingApp } from '../../test/support/areas/counting-app.ts';
import { getRaw, insertGroup, type Refusal, send, sendJson } from '../../test/support/datasets.ts';
import { readParquet } from '../../test/support/tables/parquet.ts';
import { eventually } from '../../test/support/processes.ts';

const { app, db, addRaster, ...rest } = await startCountingApp();
after(async () => await rest.close());

/** No data in the north; twice as much in the east as in the west. */
const values = (column: number, row: number) => (row < 5 ? 0 : column < 20 ? 10 : 20);
const times = (factor: number) => (column: number, row: number) => factor * values(column, row);
const dates = { start_date: '2024-05-01', end_date: '2024-09-30' };
const id = await addRaster(values, {}, dates);
const path = `/datasets/${id}/zonal`;
const isNear = (one: number | null | undefined, other: number) => Math.abs((one ?? NaN) - other) < 1e-6;

interface Dataset {
  readonly description: string | null;
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly automated: boolean;
  readonly file_type: string;
  readonly dg_id: string | null;
  readonly meta: { readonly zonal: Readonly<Record<string, unknown>> };
  readonly year_columns: readonly { readonly column: string }[] | null;
}
interface Observation {
  readonly kato_code: string;
  readonly start_date: string;
  readonly end_date: string | null;
  readonly value: number | null;
  readonly value_text: string | null;
}

async function observationsOf(dataset: string): Promise<readonly Observation[]> {
  const { body } = await send<{ data: readonly Observation[] }>(
    app,
    `/datasets/${dataset}/observations?page_size=100`,
  );
  return body.data;
}

/** Observations as lines: code, dates and value. */
async function linesOf(dataset: string): Promise<readonly string[]> {
  return (await observationsOf(dataset)).map(
    ({ kato_code: code, start_date: start, end_date: end, value, value_text: text }) =>
      `${code} ${start}/${end} ${value === null ? text : Math.round(value)}`,
  );
}

describe('the statistics of a raster by unit', () => {
  test('are counted once, for all levels and statistics', async () => {
    const districts = await send<DatasetZonal>(app, `${path}?wait=60`);
    assert.equal(districts.status, 200, districts.text);
    const [west, east] = districts.body.rows;
    assert.ok(west !== undefined && east !== undefined);
    assert.deepEqual([west.kato, west.level, west.reason], ['101000000', 'district', null]);
    for (const stat of ['mean', 'min', 'max', 'p10', 'p50', 'p90']) assert.ok(isNear(west.values[stat], 10));
    assert.ok(isNear(west.values['sd'], 0) && isNear(east.values['mean'], 20));
    // 15 of 20 rows; the raster covers one of the two degrees of the east.
    assert.ok(isNear(west.values['valid_share'], west.valid_ha / west.area_ha));
    assert.ok(
      Math.abs((east.values['valid_share'] ?? NaN) / (west.values['valid_share'] ?? NaN) - 0.5) < 1e-6,
    );
    const all = await send<DatasetZonal>(app, `${path}?by=all&stats=p95,mean,max`);
    assert.deepEqual(
      all.body.rows.map(({ kato }) => kato),
      ['100000000', '101000000', '102000000'],
    );
    assert.deepEqual(Object.keys(all.body.rows[0]?.values ?? {}), ['p95', 'mean', 'max']);
    assert.ok(isNear(all.body.rows[0]?.values['mean'], (20 * 10 + 10 * 20) / 30));
    const count = await db.selectFrom('area_counts').select('id').where('of', '=', 'values').execute();
    assert.equal(count.length, 1);
  });

  test('say why there are none, and sum up counts alone', async () => {
    const { body } = await send<DatasetZonal>(app, `${path}?min_valid_share=0.5&stats=mean,valid_share`);
    const [west, east] = body.rows;
    assert.deepEqual([west?.reason, east?.reason], [null, 'below_min_valid_share']);
    assert.deepEqual([east?.values['mean'], (east?.values['valid_share'] ?? 0) > 0.3], [null, true]);
    const refused = await send<Refusal>(app, `${path}?stats=sum`, { headers: { 'accept-language': 'ru' } });
    assert.equal(refused.status, 422);
    assert.match(refused.body.error ?? '', /сумма есть только у количеств/);
    const sums = await send<DatasetZonal>(app, `${path}?stats=sum&values_are=count`);
    assert.ok(isNear(sums.body.rows[0]?.values['sum'], 20 * 15 * 10), sums.text);
    for (const query of ['stats=median', 'min_valid_share=1.5', 'by=village', 'stats='])
      assert.equal((await send(app, `${path}?${query}`)).status, 400, query);
  });

  test('come as CSV, as a workbook and as Parquet', async () => {
    const csv = await send(app, `${path}.csv?stats=mean,p50`);
    const [head, first] = csv.text.split('\r\n');
    assert.equal(head, 'kato,name,level,area_ha,valid_ha,mean,p50,reason');
    assert.ok(first?.startsWith(`101000000,"'=Западный, район",district,`), first);
    const accepted = await send(app, `${path}?stats=mean,p50`, { headers: { accept: 'text/csv' } });
    assert.equal(accepted.text, csv.text);
    const workbook = await fetch(`${app.baseUrl}${path}.xlsx?lang=kk`);
    assert.match(workbook.headers.get('content-type') ?? '', /spreadsheetml/);
    assert.equal(Buffer.from(await workbook.arrayBuffer()).toString('latin1', 0, 2), 'PK');
    const { columns, rows } = await readParquet((await getRaw(app, `${path}.parquet?stats=mean`)).bytes);
    assert.deepEqual(columns.at(-2), ['mean', 'DOUBLE']);
    const { body } = await send<DatasetZonal>(app, `${path}?stats=mean`);
    assert.deepEqual(
      rows.map(({ kato, mean, reason }) => [kato, mean, reason]),
      body.rows.map(({ kato, values: found, reason }) => [kato, found['mean'], reason]),
    );
  });

  test('become an ordinary table with observations for its dates', async () => {
    const body = { stats: ['mean', 'p90'], min_valid_share: 0.5, name: 'Среднее', description: '' };
    const made = await sendJson<Dataset>(app, 'POST', `${path}/table`, body);
    assert.equal(made.status, 201, made.text);
    const { name, description, file_type: type, automated, meta } = made.body;
    assert.deepEqual([name, description, type, automated], ['Среднее', null, 'vector_with_kato', true]);
    assert.equal(meta.zonal['dataset_id'], id);
    await isReady(made.body.id);
    const observations = await observationsOf(made.body.id);
    assert.deepEqual(
      observations.map((each) => [each.kato_code, each.start_date, each.end_date]),
      ['101000000', '102000000'].map((code) => [code, dates.start_date, dates.end_date]),
    );
    assert.ok(isNear(observations[0]?.value, 10));
    assert.equal(observations[1]?.value, null);
    assert.match(observations[1]?.value_text ?? '', /^37\.\d % < 50 %$/);
    const map = await send(app, `/datasets/${made.body.id}.geojson`);
    assert.match(map.text, /"101000000"/);
    const undated = await addRaster(values);
    const refused = await sendJson(app, 'POST', `/datasets/${undated}/zonal/table`, body);
    assert.equal(refused.status, 409, refused.text);
  });
});

async function isReady(dataset: string): Promise<void> {
  await eventually('a table that is ready', async () => {
    const { body } = await send<Dataset>(app, `/datasets/${dataset}`);
    assert.notEqual(body.status, 'failed');
    return body.status === 'ready';
  });
}

describe('the table of a group', () => {
  let group = '';
  const followed = async () => (await send<GroupZonal>(app, `/dataset-groups/${group}/zonal`)).body;
  const settled = async (): Promise<GroupZonal> =>
    await eventually('a table that is up to date', async () => {
      const now = await followed();
      return now.state === 'counting' ? false : now;
    });
  const tableOf = ({ dataset_id: table }: GroupZonal) => table ?? assert.fail('there is no table');

  test('waits for rasters, and has those that are ready', async () => {
    group = await insertGroup(db);
    assert.equal((await followed()).state, 'off');
    const put = await sendJson<GroupZonal>(app, 'PUT', `/dataset-groups/${group}/zonal`, { stats: ['mean'] });
    assert.equal(put.status, 200, put.text);
    const empty = await settled();
    assert.deepEqual([empty.state, empty.dataset_id], ['up_to_date', null]);
    await addRaster(times(2), {}, { dg_id: group, end_date: '2020-12-31', start_date: '2020-01-01' });
    await addRaster(times(3), {}, { dg_id: group, end_date: '2021-12-31', start_date: '2021-01-01' });
    await addRaster(times(5), {}, { dg_id: group });
    const now = await settled();
    assert.equal(now.state, 'up_to_date', JSON.stringify(now));
    assert.deepEqual(now.rasters, { in_table: 2, waiting: 0, failed: 0, without_dates: 1, replaced: 0 });
    assert.deepEqual(
      now.left_out.map(({ state }) => state),
      ['without_dates'],
    );
    await isReady(tableOf(now));
    assert.deepEqual(await linesOf(tableOf(now)), [
      '101000000 2020-01-01/2020-12-31 20',
      '101000000 2021-01-01/2021-12-31 30',
      '102000000 2020-01-01/2020-12-31 40',
      '102000000 2021-01-01/2021-12-31 60',
    ]);
  });

  test('follows rasters that come, change their dates, are replaced, and go', async () => {
    const table = tableOf(await followed());
    const dated = await addRaster(times(1), {}, { dg_id: group, start_date: '2022-01-01' });
    await settled();
    assert.ok((await linesOf(table)).includes('102000000 2022-01-01/null 20'));
    await sendJson(app, 'PATCH', `/datasets/${dated}`, { start_date: '2020-01-01', end_date: '2020-12-31' });
    const replaced = await settled();
    assert.deepEqual(replaced.rasters, { in_table: 2, waiting: 0, failed: 0, without_dates: 1, replaced: 1 });
    const lines = await linesOf(table);
    assert.ok(lines.includes('101000000 2020-01-01/2020-12-31 10'), lines.join('\n'));
    assert.equal(lines.length, 4);
    assert.equal((await send(app, `/datasets/${dated}`, { method: 'DELETE' })).status, 204);
    await settled();
    assert.ok((await linesOf(table)).includes('101000000 2020-01-01/2020-12-31 20'));
  });

  test('is made again, and marked, when the units change', async () => {
    const before = await followed();
    await db
      .updateTable('districts')
      .set({
        geometry: JSON.stringify({
          type: 'Polygon',
          coordinates: [
            [
              [60, 48],
              [61, 48],
              [61, 50],
              [60, 48],
            ],
          ],
        }),
      })
      .where('kato_code', '=', '101000000')
      .execute();
    const now = await settled();
    assert.ok((now.districts_version ?? 0) > (before.districts_version ?? 0));
    const { body } = await send<Dataset>(app, `/datasets/${tableOf(now)}`);
    assert.equal(body.meta.zonal['districts_version'], now.districts_version);
  });

  test('says which raster could not be counted, and has the others', async () => {
    const bad = await addRaster(times(1), { epsg: undefined }, { dg_id: group, start_date: '2023-01-01' });
    const now = await settled();
    assert.equal(now.state, 'failed');
    const [left] = now.left_out.filter(({ state }) => state === 'failed');
    assert.deepEqual([left?.dataset_id, now.rasters.in_table], [bad, 2]);
    assert.match(left?.message ?? '', /contains no location/);
    await send(app, `/datasets/${bad}`, { method: 'DELETE' });
    assert.equal((await settled()).state, 'up_to_date');
  });

  test('is empty without rasters, and fills again', async () => {
    const table = tableOf(await followed());
    const { body } = await send<{ data: readonly { id: string }[] }>(app, `/datasets?dg_id=${group}`);
    for (const { id: raster } of body.data) await send(app, `/datasets/${raster}`, { method: 'DELETE' });
    assert.equal((await settled()).rasters.in_table, 0);
    assert.deepEqual(await linesOf(table), []);
    assert.equal((await send(app, `/datasets/${table}.geojson`)).status, 409);
    await addRaster(times(1), {}, { dg_id: group, start_date: '2024-01-01' });
    await settled();
    assert.deepEqual(await linesOf(table), ['101000000 2024-01-01/null 10', '102000000 2024-01-01/null 20']);
  });

  test('changes with its settings, and stays when it is switched off', async () => {
    const table = tableOf(await followed());
    await sendJson(app, 'PUT', `/dataset-groups/${group}/zonal`, { stats: ['valid_share'], by: 'region' });
    await settled();
    assert.deepEqual(
      (await observationsOf(table)).map(({ kato_code: code, value }) => [code, (value ?? 1) < 1]),
      [['100000000', true]],
    );
    assert.equal((await send(app, `/dataset-groups/${group}/zonal`, { method: 'DELETE' })).status, 204);
    assert.equal((await followed()).state, 'off');
    await addRaster(times(7), {}, { dg_id: group, start_date: '2025-01-01' });
    assert.equal((await observationsOf(table)).length, 1);
    await sendJson(app, 'PUT', `/dataset-groups/${group}/zonal`, { stats: ['mean'] });
    const other = tableOf(await settled());
    assert.notEqual(other, table);
    // Deleting the table switches it off.
    assert.equal((await send(app, `/datasets/${other}`, { method: 'DELETE' })).status, 204);
    assert.equal((await followed()).state, 'off');
  });
});
