import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client.ts';
import { readParquet } from '../../support/parquet.ts';
import { checkedElsewhere, claim } from '../claim.ts';
import { fetchBytes } from '../support/bytes.ts';
import { makeGroup } from '../support/catalogue.ts';
import { type Dataset, process, settle } from '../support/datasets.ts';
import { tiffFile } from '../support/files.ts';
import { readObservations } from '../support/observations.ts';
import { failedRaster, sharedPoints } from '../support/shared.ts';

interface Zonal {
  readonly dataset_id: string;
  readonly by: string;
  readonly stats: readonly string[];
  readonly rows: readonly {
    readonly kato: string;
    readonly level: string;
    readonly area_ha: number;
    readonly valid_ha: number;
    readonly values: Readonly<Record<string, number | null>>;
    readonly reason: string | null;
  }[];
}
interface GroupZonal {
  readonly state: string;
  readonly dataset_id: string | null;
  readonly rasters: { readonly in_table: number };
}

/** Around the capital, so that several units have a part of it. */
const astana = () => tiffFile({ width: 120, height: 100, corner: [70.9, 51.6], noData: 7 });

/** Asks until the statistics are counted. */
async function countedOf(client: Client, path: string) {
  for (;;) {
    const answer = await client.ask('GET', path);
    if (answer.status === 200) return answer;
    assert.equal(answer.status, 202, answer.text);
    assert.equal(answer.headers.get('retry-after'), '1');
  }
}

claim(
  ['D7 zonal', 'D7 zonal minimum', 'D7 zonal sum'],
  'statistics by unit lie between the least and the greatest value, and say why there are none',
  async (client) => {
    const { id } = await process(client, 'ready', astana());
    const path = `/datasets/${id}/zonal`;
    const zonal = (await countedOf(client, path)).read<Zonal>();
    assert.deepEqual([zonal.dataset_id, zonal.by], [id, 'district']);
    const inside = zonal.rows.filter(({ reason }) => reason === null);
    assert.ok(inside.length > 1);
    for (const { values, area_ha: area, valid_ha: valid } of inside) {
      const { min, p10, p50, p90, max, mean, valid_share: share } = values;
      const ordered = [min, p10, p50, p90, max].map(Number);
      assert.deepEqual(
        ordered.toSorted((one, other) => one - other),
        ordered,
      );
      assert.ok(Number(mean) >= Number(min) - 1e-9 && Number(mean) <= Number(max) + 1e-9);
      assert.ok(Math.abs(Number(share) - valid / area) < 1e-9);
    }
    const outside = zonal.rows.filter(({ reason }) => reason === 'no_values');
    assert.ok(outside.length > 0 && outside.every(({ values }) => values['mean'] === null));
    const whole = (await countedOf(client, `${path}?by=all&stats=mean&min_valid_share=1`)).read<Zonal>();
    assert.deepEqual(new Set(whole.rows.map(({ level }) => level)), new Set(['region', 'district']));
    assert.ok(whole.rows.some(({ reason }) => reason === 'below_min_valid_share'));
    const refused = await client.refused(422, 'GET', `${path}?stats=sum`);
    assert.match(refused, /values_are=count/);
    await client.expect(200, 'GET', `${path}?stats=sum&values_are=count`);
  },
);

claim(['D7 zonal forms'], 'statistics come as CSV, as a workbook and as Parquet', async (client) => {
  const { id } = await process(client, 'ready', astana());
  const etag = (await countedOf(client, `/datasets/${id}/zonal`)).headers.get('etag') ?? '';
  assert.match(etag, /^"[^"]+"$/);
  await client.expect(304, 'GET', `/datasets/${id}/zonal`, { headers: { 'if-none-match': etag } });
  const csv = await countedOf(client, `/datasets/${id}/zonal.csv?stats=mean`);
  assert.match(csv.text, /^kato,name,level,area_ha,valid_ha,mean,reason\r\n/);
  const workbook = await countedOf(client, `/datasets/${id}/zonal.xlsx?lang=ru`);
  assert.match(workbook.headers.get('content-type') ?? '', /spreadsheetml/);
  const { rows: listed } = (await countedOf(client, `/datasets/${id}/zonal?stats=mean`)).read<Zonal>();
  const { columns, rows } = await readParquet(
    (await fetchBytes(client, 200, `/datasets/${id}/zonal.parquet?stats=mean`)).bytes,
  );
  assert.deepEqual(columns.at(-2), ['mean', 'DOUBLE']);
  assert.deepEqual(
    rows.map(({ kato, area_ha, mean, reason }) => ({ kato, area_ha, mean, reason })),
    listed.map(({ kato, area_ha, values, reason }) => ({ kato, area_ha, mean: values['mean'], reason })),
  );
});

claim(['D7 zonal refusals'], 'statistics are of ready rasters alone', async (client) => {
  const vector = await sharedPoints(client);
  const failed = await failedRaster(client);
  for (const form of ['', '.csv', '.xlsx', '.parquet']) {
    await client.refused(422, 'GET', `/datasets/${vector.id}/zonal${form}`);
    await client.refused(409, 'GET', `/datasets/${failed.id}/zonal${form}`);
    await client.refused(404, 'GET', `/datasets/00000000-0000-4000-8000-000000000000/zonal${form}`);
    await client.refused(400, 'GET', `/datasets/${vector.id}/zonal${form}?stats=median`);
  }
});

claim(
  ['D7 zonal table'],
  'statistics become a table by KATO with the dates of their raster',
  async (client) => {
    const dates = { start_date: '2025-05-01', end_date: '2025-09-30' };
    const { id } = await process(client, 'ready', astana(), dates);
    await countedOf(client, `/datasets/${id}/zonal`);
    const json = { stats: ['mean', 'p90'], name: 'Mean' };
    const made = await client.read<Dataset>(201, 'POST', `/datasets/${id}/zonal/table`, { json });
    assert.deepEqual([made.name, made.file_type, made.automated], ['Mean', 'vector_with_kato', true]);
    const table = await settle(client, made.id);
    assert.equal(table.status, 'ready', table.parse_error ?? '');
    const zonal = (await countedOf(client, `/datasets/${id}/zonal`)).read<Zonal>();
    const observations = await readObservations(client, made.id);
    assert.deepEqual(
      new Map(observations.map(({ kato_code: code, value }) => [code, value])),
      new Map(zonal.rows.map(({ kato, values }) => [kato, values['mean']])),
    );
    for (const { start_date, end_date } of observations) assert.deepEqual({ start_date, end_date }, dates);
    const undated = await process(client, 'ready', astana());
    await client.refused(409, 'POST', `/datasets/${undated.id}/zonal/table`, { json });
    await client.refused(404, 'POST', '/datasets/00000000-0000-4000-8000-000000000000/zonal/table', { json });
  },
);

claim(['D7 group zonal'], 'the table of a group follows its rasters', async (client) => {
  const { id: group } = await makeGroup(client);
  const path = `/dataset-groups/${group}/zonal`;
  assert.equal((await client.get<GroupZonal>(path)).state, 'off');
  await client.expect(404, 'DELETE', path);
  const json = { stats: ['mean'] };
  await client.expect(200, 'PUT', path, { json });
  const fields = { dg_id: group, start_date: '2025-01-01' };
  const raster = await process(client, 'ready', astana(), fields);
  const wanted = async (rasters: number): Promise<string> => {
    for (;;) {
      const { state, dataset_id: table, rasters: held } = await client.get<GroupZonal>(path);
      assert.notEqual(state, 'failed');
      if (state === 'up_to_date' && held.in_table === rasters && table !== null) return table;
      await sleep(200);
    }
  };
  const table = await wanted(1);
  const codes = (await readObservations(client, table)).map(({ kato_code: code }) => code);
  assert.ok(codes.length > 200 && new Set(codes).size === codes.length);
  await client.expect(204, 'DELETE', `/datasets/${raster.id}`);
  assert.equal(await wanted(0), table);
  assert.deepEqual(await readObservations(client, table), []);
  await client.expect(204, 'DELETE', path);
  await client.expect(200, 'GET', `/datasets/${table}`);
});

checkedElsewhere('test/processing/zonal-table.test.ts', {
  'has each ready raster once, and nothing of what was deleted': ['D7 group zonal kills'],
});

checkedElsewhere('test/processing/zonal-kills.long.test.ts', {
  'has in the end each ready raster once, and nothing of those that were deleted': ['D7 group zonal kills'],
});

checkedElsewhere('test/geo/values.test.ts', {
  'take NaN, infinity and no data alike, and apply scale and offset': ['D7 zonal minimum'],
  'have the same bits however a raster is stored': ['D7 zonal'],
});
