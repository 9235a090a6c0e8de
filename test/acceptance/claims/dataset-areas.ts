import assert from 'node:assert/strict';
import type { Client } from '../client.ts';
import { readParquet } from '../../support/parquet.ts';
import { claim } from '../claim.ts';
import { fetchBytes } from '../support/bytes.ts';
import { process } from '../support/datasets.ts';
import { tiffFile } from '../support/files.ts';
import { failedRaster, sharedPoints } from '../support/shared.ts';

interface Areas {
  readonly area_ha: number;
  readonly classes: Readonly<Record<string, number>>;
  readonly no_data_ha: number;
  readonly outside_raster_ha?: number;
}
interface DatasetAreas {
  readonly dataset_id: string;
  readonly by: string;
  readonly classes: readonly { readonly value: number }[];
  readonly rows: readonly (Areas & { readonly kato: string; readonly level: string })[];
  readonly total: Areas;
  readonly raster: Areas;
  readonly outside_units: Areas;
  readonly overlap: Areas;
}

/** Around the capital, so that several units have a part of it. */
const astana = () => tiffFile({ width: 120, height: 100, corner: [70.9, 51.6], noData: 7 });

/** Asks until the areas are counted. */
async function countedOf(client: Client, path: string) {
  for (;;) {
    const answer = await client.ask('GET', path);
    if (answer.status === 200) return answer;
    assert.equal(answer.status, 202, answer.text);
    assert.equal(answer.headers.get('retry-after'), '1');
  }
}

const sumOf = ({ classes, no_data_ha: noData, outside_raster_ha: outside = 0 }: Areas) =>
  Object.values(classes).reduce((sum, each) => sum + each, noData + outside);
const isNear = (one: number, other: number) => Math.abs(one - other) <= 1e-9 * Math.max(one, other);

claim(
  ['D7 areas', 'D7 areas sums', 'D7 areas wait'],
  'areas by unit add up to each unit, and all of them to the raster',
  async (client) => {
    const { id } = await process(client, 'ready', astana());
    const path = `/datasets/${id}/areas`;
    const pending = await client.ask('GET', `${path}?wait=0`);
    assert.ok([200, 202].includes(pending.status), pending.text);
    const areas = (await countedOf(client, path)).read<DatasetAreas>();
    assert.deepEqual([areas.dataset_id, areas.by], [id, 'district']);
    const inside = areas.rows.filter((row) => sumOf(row) > (row.outside_raster_ha ?? 0));
    assert.ok(inside.length > 1);
    for (const row of areas.rows) assert.ok(isNear(sumOf(row), row.area_ha), row.kato);
    const { total, raster, outside_units: outside, overlap } = areas;
    assert.ok(isNear(sumOf(raster), raster.area_ha));
    const within = total.area_ha - (total.outside_raster_ha ?? 0);
    assert.ok(isNear(within + outside.area_ha - overlap.area_ha, raster.area_ha));
    const statistics = await client.ask('GET', `/datasets/${id}/statistics`);
    if (statistics.status === 200)
      assert.ok(isNear(statistics.read<{ area_ha: number }>().area_ha, raster.area_ha));
    const all = (await countedOf(client, `${path}?by=all`)).read<DatasetAreas>();
    assert.deepEqual(new Set(all.rows.map(({ level }) => level)), new Set(['region', 'district']));
    const some = (await countedOf(client, `${path}?by=region&class=20`)).read<DatasetAreas>();
    assert.deepEqual(
      some.classes.map(({ value }) => value),
      [20],
    );
  },
);

claim(
  ['D7 areas forms', 'D7 areas ETag'],
  'areas come as CSV, as a workbook and as Parquet, and their ETag is strong',
  async (client) => {
    const { id } = await process(client, 'ready', astana());
    const etag = (await countedOf(client, `/datasets/${id}/areas`)).headers.get('etag') ?? '';
    assert.match(etag, /^"[^"]+"$/);
    await client.expect(304, 'GET', `/datasets/${id}/areas`, { headers: { 'if-none-match': etag } });
    const csv = await countedOf(client, `/datasets/${id}/areas.csv`);
    assert.match(csv.headers.get('content-type') ?? '', /^text\/csv/);
    assert.match(csv.text, /^kato,name,level,area_ha,class_/);
    const accepted = await client.ask('GET', `/datasets/${id}/areas`, { headers: { accept: 'text/csv' } });
    assert.equal(accepted.text, csv.text);
    const accept = 'application/vnd.apache.parquet';
    const parquet = await fetchBytes(client, 200, `/datasets/${id}/areas`, { headers: { accept } });
    assert.ok(parquet.bytes.equals((await fetchBytes(client, 200, `/datasets/${id}/areas.parquet`)).bytes));
    const { rows } = (await countedOf(client, `/datasets/${id}/areas`)).read<DatasetAreas>();
    assert.deepEqual(
      (await readParquet(parquet.bytes)).rows.map(({ kato, area_ha }) => [kato, area_ha]),
      rows.map(({ kato, area_ha }) => [kato, area_ha]),
    );
    const workbook = await countedOf(client, `/datasets/${id}/areas.xlsx?lang=ru`);
    assert.match(workbook.headers.get('content-type') ?? '', /spreadsheetml/);
    assert.ok(workbook.text.startsWith('PK'));
  },
);

claim(['D7 areas refusals'], 'areas are of ready rasters with classes alone', async (client) => {
  const vector = await sharedPoints(client);
  const failed = await failedRaster(client);
  for (const form of ['', '.csv', '.xlsx', '.parquet']) {
    await client.refused(422, 'GET', `/datasets/${vector.id}/areas${form}`);
    await client.refused(409, 'GET', `/datasets/${failed.id}/areas${form}`);
    await client.refused(404, 'GET', `/datasets/00000000-0000-4000-8000-000000000000/areas${form}`);
    await client.refused(400, 'GET', `/datasets/${vector.id}/areas${form}?by=village`);
  }
});

claim(['D6 areas'], 'areas of polygons are those of a run that exists', async (client) => {
  const none = '/landscape/runs/00000000-0000-4000-8000-000000000000/areas';
  await client.refused(404, 'POST', none, { json: { type: 'Polygon', coordinates: [] } });
});
