import assert from 'node:assert/strict';
import type { Client } from '../../client.ts';
import { claim } from '../../claim.ts';
import { decodeTile } from '../../../support/maps/vector-tiles.ts';
import { fetchBytes } from '../../support/bytes.ts';
import { makeTable, map, once } from '../../support/datasets.ts';
import { tileAt } from '../../support/maps.ts';
import { sharedTable, sharedVector } from '../../support/shared.ts';

interface Denominator {
  readonly state: string;
  readonly message: string;
  readonly by: string | null;
  readonly dataset_id: string | null;
  readonly per: number | null;
  readonly label: string | null;
  readonly counts: string | null;
  readonly periods: readonly { readonly start_date: string; readonly used: object | null }[];
}
interface Series {
  readonly units: readonly {
    readonly kato_code: string;
    readonly values: readonly (number | string | null)[];
    readonly reasons?: readonly (string | null)[];
  }[];
  readonly rate?: { readonly by: string; readonly per: number; readonly used?: readonly (object | null)[] };
}

const codes = ['110000000', '710000000', '750000000'];
const rowsOf = (values: readonly (readonly unknown[])[]) =>
  values.map(([a, b, c], index) => ({ kato: codes[index], a, b, c }));

/** Harvests of two years and of a quarter before them. */
const makeHarvest = async (client: Client) => {
  const { id } = await makeTable(
    client,
    rowsOf([
      [30, 45, 5],
      [10, 'н/д', 7],
      [8, 0, 9],
    ]),
  );
  return await map(client, id, 'kato', [
    { column: 'a', start_date: '2020-01-01', end_date: '2020-12-31' },
    { column: 'b', start_date: '2021-01-01', end_date: '2021-12-31' },
    { column: 'c', start_date: '2019-10-01', end_date: '2019-12-31' },
  ]);
};
/** Population at the start of a year, and the average of the next year. */
const makePeople = async (client: Client) => {
  const { id } = await makeTable(
    client,
    rowsOf([
      [1500, 900],
      [500, 100],
      [0, 'нет'],
    ]),
  );
  return await map(client, id, 'kato', [
    { column: 'a', start_date: '2020-01-01' },
    { column: 'b', start_date: '2021-01-01', end_date: '2021-12-31' },
  ]);
};
const rated = once(async (client) => {
  const [harvest, people] = await Promise.all([makeHarvest(client), makePeople(client)]);
  const json = { by: 'dataset', dataset_id: people.id, per: 1000 };
  await client.expect(200, 'PUT', `/datasets/${harvest.id}/denominator`, { json });
  return { id: harvest.id, people: people.id };
});

const pathOf = (id: string) => `/datasets/${id}/denominator`;

claim(
  ['D7 denominator'],
  'a table names what its values are divided by, changes it and takes it back; without rate=1 nothing changes',
  async (client) => {
    const { id } = await makeHarvest(client);
    const before = await client.expect(200, 'GET', `/datasets/${id}/series`);
    const none = await client.get<Denominator>(pathOf(id));
    assert.deepEqual([none.state, none.by, none.per, none.label], ['none', null, null, null]);
    await client.refused(409, 'GET', `/datasets/${id}/series?rate=1`);
    const area = await client.read<Denominator>(200, 'PUT', pathOf(id), { json: { by: 'area', per: 100 } });
    assert.deepEqual(
      [area.state, area.by, area.dataset_id, area.per, area.label],
      ['ready', 'area', null, 100, 'per km²'],
    );
    assert.deepEqual(await client.get(pathOf(id)), area);
    const after = await client.expect(200, 'GET', `/datasets/${id}/series`);
    assert.equal(after.text, before.text);
    assert.equal(after.headers.get('etag'), before.headers.get('etag'));
    await client.expect(204, 'DELETE', pathOf(id));
    await client.expect(204, 'DELETE', pathOf(id));
    assert.deepEqual(await client.get(pathOf(id)), none);
  },
);

claim(['D7 denominator refusals'], 'a denominator is another table by KATO, or the area', async (client) => {
  const table = await sharedTable(client);
  const vector = await sharedVector(client);
  await client.refused(422, 'PUT', pathOf(vector.id), { json: { by: 'area' } });
  await client.refused(422, 'GET', pathOf(vector.id));
  for (const dataset_id of [table.id, vector.id, '00000000-0000-4000-8000-000000000000'])
    await client.refused(409, 'PUT', pathOf(table.id), { json: { by: 'dataset', dataset_id } });
  await client.invalid(['by'], 'PUT', pathOf(table.id), { json: { by: 'people' } });
  await client.invalid(['dataset_id'], 'PUT', pathOf(table.id), { json: { by: 'dataset' } });
  await client.invalid(['per'], 'PUT', pathOf(table.id), { json: { by: 'area', per: 0 } });
  await client.refused(404, 'GET', pathOf('00000000-0000-4000-8000-000000000000'));
});

claim(
  ['D7 rate', 'D7 rate periods'],
  'a rate is of the denominator that is valid for its date, and null with a reason where there is none',
  async (client) => {
    const { id, people } = await rated(client);
    const { units, rate } = await client.get<Series>(`/datasets/${id}/series?rate=1`);
    const whole = { start_date: '2021-01-01', end_date: '2021-12-31' };
    const used = [null, { start_date: '2020-01-01', end_date: null }, whole];
    assert.deepEqual(rate, { by: 'dataset', dataset_id: people, per: 1000, used });
    assert.deepEqual(units, [
      { kato_code: '110000000', values: [null, 20, 50], reasons: ['no_period', null, null] },
      { kato_code: '710000000', values: [null, 20, null], reasons: ['no_period', null, 'no_number'] },
      {
        kato_code: '750000000',
        values: [null, null, null],
        reasons: ['no_period', 'zero', 'no_denominator'],
      },
    ]);
    const { periods, message } = await client.get<Denominator>(pathOf(id));
    assert.deepEqual(
      periods.map((period) => period.used),
      used,
    );
    assert.match(message, /1 of its dates/);
  },
);

claim(['D7 rate'], 'areas are those by which land is counted', async (client) => {
  const { id } = await makeHarvest(client);
  await client.expect(200, 'PUT', pathOf(id), { json: { by: 'area', per: 1000 } });
  const { units, rate } = await client.get<Series>(`/datasets/${id}/series?rate=1`);
  assert.deepEqual(rate, { by: 'area', dataset_id: null, per: 1000 });
  const { values, reasons } = units.find(({ kato_code: code }) => code === '110000000') ?? assert.fail();
  // Akmola has 14.6 million hectares.
  const hectares = (30 / Number(values[1])) * 1000;
  assert.ok(hectares > 14.4e6 && hectares < 14.8e6, String(hectares));
  assert.equal(reasons, undefined);
});

claim(
  ['D7 rate tiles'],
  'tiles have rates as values, and no value where there is no rate',
  async (client) => {
    const { id } = await rated(client);
    const path = `/datasets/${id}/tiles/${tileAt(71.4, 51, 4)}.mvt`;
    const valuesOf = async (query: string) => {
      const { bytes } = await fetchBytes(client, 200, `${path}?${query}`);
      const features = decodeTile(bytes, 4);
      return new Map(features.map(({ properties }) => [properties['kato'], properties]));
    };
    const rates = await valuesOf('datetime=2021-01-01&rate=1');
    assert.equal(rates.get('110000000')?.['value'], 50);
    assert.equal('value' in (rates.get('710000000') ?? {}), false);
    assert.equal((await valuesOf('datetime=2021-01-01')).get('110000000')?.['value'], 45);
    const all = (await valuesOf('rate=1')).get('110000000');
    assert.deepEqual([all?.['2020-01-01'], all?.['value']], [20, 50]);
  },
);

claim(
  ['D7 rate files'],
  'files have rates beside the values, and say what these were divided by',
  async (client) => {
    const { id } = await rated(client);
    const path = `/datasets/${id}/observations.csv?rate=1&lang=en`;
    const long = (await client.expect(200, 'GET', `${path}&shape=long`)).text.split('\r\n');
    assert.deepEqual(long.slice(0, 4), [
      'kato_code,name,start_date,end_date,value,value_text,land_since,rate,rate_reason,denominator,denominator_start_date,denominator_end_date',
      '110000000,Akmola,2019-10-01,2019-12-31,5,,,,no_period,,,',
      '110000000,Akmola,2020-01-01,2020-12-31,30,,,20,,1500,2020-01-01,',
      '110000000,Akmola,2021-01-01,2021-12-31,45,,,50,,900,2021-01-01,2021-12-31',
    ]);
    const wide = (await client.expect(200, 'GET', path)).text.split('\r\n');
    assert.match(wide[0] ?? '', /^kato,name,a,b,c,"a, per 1,000 /);
    assert.equal(wide[1], '110000000,Akmola,30,45,5,20,50,');
    await client.expect(200, 'GET', `/datasets/${id}/observations.xlsx?rate=1`);
  },
);

claim(
  ['D7 denominator gone'],
  'a denominator that is deleted leaves a clear state, and the table as it is',
  async (client) => {
    const [harvest, people] = await Promise.all([makeHarvest(client), makePeople(client)]);
    const json = { by: 'dataset', dataset_id: people.id };
    await client.expect(200, 'PUT', pathOf(harvest.id), { json });
    await client.expect(204, 'DELETE', `/datasets/${people.id}`);
    const { state, message, by, dataset_id } = await client.get<Denominator>(pathOf(harvest.id));
    assert.deepEqual([state, by, dataset_id], ['gone', 'dataset', null]);
    assert.match(message, /deleted/);
    assert.match(await client.refused(409, 'GET', `/datasets/${harvest.id}/series?rate=1`), /deleted/);
    await client.expect(200, 'GET', `/datasets/${harvest.id}/series`);
    await client.expect(200, 'PUT', pathOf(harvest.id), { json: { by: 'area' } });
    await client.expect(204, 'DELETE', `/datasets/${harvest.id}`);
  },
);
