import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { DatasetAreas } from '../areas/areas-schema.ts';
import { inTransaction } from '../database/transaction.ts';
import { seedHistory } from '../units/history/store.ts';
import { box } from '../../test/support/areas/areas.ts';
import { startCountingApp, zones } from '../../test/support/areas/counting-app.ts';
import { insertCategory, type Refusal, send, upload } from '../../test/support/datasets.ts';
import { insertValueTable } from '../../test/support/tables/value-table.ts';
import type { RegisterComparison, RegisterRow } from './schema.ts';

const { app, db, addRaster, ...rest } = await startCountingApp();
after(async () => await rest.close());
await inTransaction(db, seedHistory);
const names = { name_kk: null, name_en: null, level: 'district' } as const;
await db
  .insertInto('districts')
  .values([
    { kato_code: '333200000', name: 'Аксуский', ...names, geometry: JSON.stringify(box(66, 48, 67, 49)) },
    { kato_code: '103000000', name: 'Новый', ...names, geometry: JSON.stringify(box(68, 48, 69, 49)) },
  ])
  .execute();

const raster = await addRaster(zones, {}, { start_date: '2023-01-01', end_date: '2023-12-31' });
const balance = await insertValueTable(app, {
  name: 'Баланс',
  unit: 'тыс. га',
  dates: [
    ['2020-11-01', null],
    ['2024-11-01', null],
  ],
  values: {
    '101000000': [1000.5, 1180.25],
    '102000000': [400, 'н/д'],
    '103000000': [12.3, 12.4],
    '109999999': [1, 1],
    ошибка: [5, 5],
  },
});
const other = await insertValueTable(app, {
  name: 'Учёт',
  unit: 'Га',
  dates: [['2024-01-01', '2024-12-31']],
  values: { '101000000': [1_000_000.5], '102000000': [500], '333200000': [7] },
});

const path = (a: string, b: string, query = '') => `/datasets/${a}/compare/${b}${query}`;
async function compared(a: string, b: string, query = ''): Promise<RegisterComparison> {
  const { status, body, text } = await send<RegisterComparison>(app, path(a, b, query));
  assert.equal(status, 200, text);
  return body;
}
async function refused(a: string, b: string, query = ''): Promise<readonly [number, string]> {
  const { status, body } = await send<Refusal>(app, path(a, b, query));
  return [status, body.error ?? ''];
}
const figures = ({ kato, a, b, difference }: RegisterRow) => [kato, a, b, difference];
const reasonsOf = ({ rows }: RegisterComparison, kato: string) =>
  rows.find((row) => row.kato === kato)?.reasons.map(({ code, side }) => [code, side]);

describe('two registers', () => {
  test('of two tables stand side by side, the largest difference first, then what one has alone', async () => {
    const found = await compared(balance, other, '?a_date=2020-11-01&a_factor=1000&by=district');
    assert.deepEqual(found.rows.map(figures), [
      ['102000000', 400_000, 500, -399_500],
      ['101000000', 1_000_500, 1_000_000.5, -499.5],
      ['103000000', 12_300, null, null],
      ['333200000', null, 7, null],
    ]);
    assert.deepEqual(found.rows[0]?.share, -399_500 / 400_000);
    assert.deepEqual(found.total, {
      units: 2,
      a: 1_400_500,
      b: 1_000_500.5,
      difference: -399_999.5,
      share: -399_999.5 / 1_400_500,
    });
    assert.deepEqual(
      [found.only_a, found.only_b],
      [
        { units: 1, value: 12_300 },
        { units: 1, value: 7 },
      ],
    );
    assert.deepEqual(
      [found.unit, found.a.unit, found.a.factor, found.b.unit, found.b.factor],
      ['ha', 'тыс. га', 1000, 'Га', null],
    );
    assert.deepEqual(
      found.reasons.map(({ code, side }) => [code, side]),
      [
        ['dates', null],
        ['factor', 'a'],
        ['unknown_codes', 'a'],
      ],
    );
    assert.deepEqual(reasonsOf(found, '103000000'), [['not_listed', 'b']]);
    assert.match(found.reasons.at(-1)?.text ?? '', /109999999, ошибка/);
    const colours = found.rows.map((row) => found.classes[row.class]?.label.replaceAll('\u00a0', ' '));
    assert.deepEqual(colours, [
      'second less by 200,000 ha or more',
      'less than 200,000 ha either way',
      'Only in the first register',
      'Only in the second register',
    ]);
  });

  test('of a table and a raster are hectares beside hectares, with the land that is not compared', async () => {
    const found = await compared(balance, raster, '?a_factor=1000&b_class=11&wait=60');
    const { body: areas } = await send<DatasetAreas>(app, `/datasets/${raster}/areas?by=district`);
    const [west, east] = areas.rows;
    assert.ok(west !== undefined && east !== undefined);
    const eleven = west.classes['11'] ?? 0;
    assert.deepEqual(found.rows.map(figures), [
      ['101000000', 1_180_250, eleven, eleven - 1_180_250],
      ['103000000', 12_400, null, null],
      ['102000000', null, 0, null],
    ]);
    assert.deepEqual([found.unit, found.by, found.b.period?.end_date], ['ha', 'district', '2023-12-31']);
    assert.deepEqual(
      found.b.classes?.map(({ value, is_chosen }) => [value, is_chosen]),
      [
        [11, true],
        [22, false],
      ],
    );
    const [first] = found.rows;
    assert.deepEqual(
      first?.reasons.map(({ code, side, hectares }) => [code, side, hectares]),
      [
        ['no_data', 'b', west.no_data_ha],
        ['not_chosen', 'b', west.classes['22']],
      ],
    );
    assert.deepEqual(reasonsOf(found, '102000000'), [
      ['no_number', 'a'],
      ['outside_raster', 'b'],
      ['no_data', 'b'],
      ['not_chosen', 'b'],
    ]);
    // Its borders lie outside of the raster.
    assert.deepEqual(reasonsOf(found, '103000000'), [['outside_raster', 'b']]);
    const turned = await compared(raster, balance, '?b_factor=1000&a_class=11&kato=101000000');
    assert.deepEqual(turned.rows.map(figures), [['101000000', eleven, 1_180_250, 1_180_250 - eleven]]);
  });

  test('of two versions of the borders belong together by the same land, with the day of the change', async () => {
    const earlier = await insertValueTable(app, {
      unit: 'га',
      dates: [['2020-01-01', null]],
      values: { '193200000': [900], '101000000': [5], '635000000': [40] },
    });
    const found = await compared(earlier, other, '?by=district');
    assert.deepEqual(found.rows.map(figures), [
      ['101000000', 5, 1_000_000.5, 999_995.5],
      ['333200000', 900, 7, -893],
      ['102000000', null, 500, null],
      ['635000000', 40, null, null],
    ]);
    assert.deepEqual(reasonsOf(found, '333200000'), [['other_code', 'a']]);
    const ended = found.rows.at(-1);
    assert.deepEqual(
      ended?.reasons.map(({ code, date }) => [code, date]),
      [
        ['not_listed', null],
        ['ended', '2022-06-07'],
      ],
    );
    assert.match(
      ended?.reasons[1]?.text ?? '',
      /ended on 7.June.2022; its land belongs to 104400000, 635600000/,
    );
    const regions = { unit: 'га', dates: [['2020-01-01', null]], values: { '630000000': [10] } } as const;
    const [before, since] = [
      await insertValueTable(app, regions),
      await insertValueTable(app, { ...regions, dates: [['2023-01-01', null]] }),
    ];
    assert.deepEqual(reasonsOf(await compared(before, since), '630000000'), [['land_changed', null]]);
    assert.deepEqual(reasonsOf(await compared(since, since), '630000000'), []);
  });

  test('are refused with a sentence: other units, columns, classes and kinds', async () => {
    const vector = await upload(app, { category_id: await insertCategory(db), file_type: 'vector' });
    const bare = await insertValueTable(app, {
      unit: null,
      dates: [['2020-01-01', null]],
      values: { '101000000': [1] },
    });
    for (const [[a, b, query], status, words] of [
      [[balance, other, ''], 422, /one register is in "тыс. га" and the other in "Га"/],
      [[balance, raster, ''], 422, /is in "тыс. га" and a raster in hectares: send a_factor/],
      [[bare, other, ''], 422, /does not name its unit of measurement: send a_factor/],
      [[balance, other, '?a_date=2021-01-01&a_factor=1'], 422, /no values of 2021-01-01; it has 2020-11-01/],
      [[balance, raster, '?a_class=1'], 422, /a_class is for rasters/],
      [[balance, raster, '?b_factor=2'], 422, /b_factor is for tables/],
      [[balance, raster, '?a_factor=1000&b_class=99'], 422, /no class 99; it has 11, 22/],
      [[balance, vector.id, ''], 422, /is a vector/],
      [[balance, '00000000-0000-0000-0000-000000000000', ''], 404, /no such dataset|not found|there is no/],
      [[balance, other, '?a_factor=0'], 400, /a_factor/],
      [[balance, other, '?a_factor=1e3'], 400, /a_factor/],
    ] as const) {
      const [found, sentence] = await refused(a, b, query);
      assert.equal(found, status, sentence);
      assert.match(sentence, words);
    }
    const same = await compared(bare, bare);
    assert.deepEqual([same.unit, same.rows.map(figures)], [null, [['101000000', 1, 1, 0]]]);
  });
});
