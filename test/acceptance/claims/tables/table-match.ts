import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Client } from '../../client.ts';
import { checkedElsewhere, claim } from '../../claim.ts';
import { makeTable, map, settle } from '../../support/datasets.ts';
import { sharedRaster, sharedTable, unmappedTable } from '../../support/shared.ts';

interface Match {
  readonly rows: number;
  readonly with_district: number;
  readonly without_code: number;
  readonly below_district: number;
  readonly units: readonly {
    readonly kato_code: string;
    readonly rows: number;
    readonly first_row: number;
  }[];
  readonly unknown_codes: {
    readonly total: number;
    readonly items: readonly { readonly within: string | null }[];
  };
  readonly repeated_codes: {
    readonly total: number;
    readonly items: readonly { readonly kato_code: string }[];
  };
}
interface TableMatch extends Match {
  readonly kato_column: string;
  readonly text_cells: { readonly total: number; readonly items: readonly object[] };
}
interface Suggestion {
  readonly kato_column: string | null;
  readonly year_columns: readonly object[];
  readonly row_count: number;
  readonly column_count: number;
  readonly columns: readonly { readonly name: string; readonly role: string; readonly reason: string }[];
  readonly rows: readonly (readonly (string | null)[])[];
  readonly matches: readonly (Match & { readonly column: string })[];
  readonly left_out: { readonly total: number; readonly items: readonly string[] };
  readonly long_table: { readonly period_column: string } | null;
}

/** Two units, one of them twice and spelt as spreadsheets do; a village, an unknown code, and a row without a code. */
const rows = [
  { code: '710000000', name: 'Астана', '2022': 1, '2023 план': 2, '2023 факт': 3 },
  { code: "'750000000", name: 'Алматы', '2022': 'н/д', '2023 план': 2, '2023 факт': 3 },
  { code: '750000000.0', name: 'Алматы', '2022': 4, '2023 план': 2, '2023 факт': 3 },
  { code: '113230100', name: 'село', '2022': 5, '2023 план': 2, '2023 факт': 3 },
  { code: '999999999', name: 'Итого', '2022': 6, '2023 план': 2, '2023 факт': 3 },
  { code: null, name: 'сноска', '2022': null, '2023 план': null, '2023 факт': null },
];

const suggestionOf = async (client: Client, id: string, query = '') =>
  await client.read<Suggestion>(200, 'GET', `/datasets/${id}/mapping/suggestion${query}`);
const matchOf = async (client: Client, id: string) =>
  await client.read<TableMatch>(200, 'GET', `/datasets/${id}/mapping/match`);

claim(
  ['D3K suggestion', 'D3K suggestion same day', 'D3K suggestion bounds'],
  'what columns seem to hold is suggested with its evidence, and can be sent as it is',
  async (client) => {
    const { id } = await makeTable(client, rows);
    const found = await suggestionOf(client, id);
    assert.deepEqual(
      found.columns.map(({ name, role, reason }) => `${name}: ${role}, ${reason}`),
      [
        '2022: value, period',
        'code: kato, codes',
        'name: none, no_period',
        '2023 план: none, same_start',
        '2023 факт: value, period',
      ],
    );
    assert.deepEqual(found.left_out, { total: 1, items: ['2023 план'] });
    assert.deepEqual(found.year_columns, [
      { column: '2022', start_date: '2022-01-01', end_date: '2022-12-31' },
      { column: '2023 факт', start_date: '2023-01-01', end_date: '2023-12-31' },
    ]);
    assert.deepEqual([found.row_count, found.column_count, found.rows.length], [6, 5, 6]);
    const [match] = found.matches;
    assert.deepEqual(
      [match?.column, match?.rows, match?.with_district, match?.without_code],
      ['code', 6, 3, 1],
    );
    const part = await suggestionOf(client, id, '?first_column=3&max_columns=1');
    assert.deepEqual(
      part.columns.map(({ name }) => name),
      ['2023 план'],
    );
    assert.deepEqual(part.rows[0], ['2']);
    const { kato_column, year_columns } = found;
    await client.expect(200, 'POST', `/datasets/${id}/mapping`, { json: { kato_column, year_columns } });
    assert.equal((await settle(client, id)).status, 'ready');
    const whole = await matchOf(client, id);
    const { units, with_district, without_code } = whole;
    assert.deepEqual([units, with_district, without_code], [match?.units, 3, 1]);
  },
);

claim(
  ['D3K match', 'D3K match lists'],
  'the match of a table lists codes that no district has, codes of several rows, and texts in the place of numbers',
  async (client) => {
    const { id } = await makeTable(client, rows);
    await map(client, id, 'code', [{ column: '2022', start_date: '2022-01-01' }]);
    const match = await matchOf(client, id);
    assert.deepEqual([match.kato_column, match.rows, match.below_district], ['code', 6, 1]);
    assert.deepEqual(match.units, [
      { kato_code: '710000000', rows: 1, first_row: 1 },
      { kato_code: '750000000', rows: 2, first_row: 2 },
    ]);
    assert.deepEqual(match.unknown_codes, {
      total: 2,
      items: [
        { kato_code: '113230100', rows: 1, first_row: 4, within: '113200000' },
        { kato_code: '999999999', rows: 1, first_row: 5, within: null },
      ],
    });
    assert.deepEqual(match.repeated_codes, {
      total: 1,
      items: [{ kato_code: '750000000', rows: 2, first_row: 2 }],
    });
    assert.deepEqual(match.text_cells, {
      total: 1,
      items: [{ column: '2022', value: 'н/д', cells: 1, first_row: 2 }],
    });
    await map(client, id, 'name', [{ column: '2022', start_date: '2022-01-01' }]);
    const other = await matchOf(client, id);
    assert.deepEqual([other.kato_column, other.with_district], ['name', 0]);
  },
);

claim(
  ['D3K suggestion refusals', 'D3K match refusals'],
  'only tables have a suggestion and a match, the latter once they are ready',
  async (client) => {
    const raster = await sharedRaster(client);
    const waiting = await unmappedTable(client);
    for (const what of ['suggestion', 'match']) {
      await client.refused(404, 'GET', `/datasets/${randomUUID()}/mapping/${what}`);
      await client.refused(422, 'GET', `/datasets/${raster.id}/mapping/${what}`);
    }
    await client.refused(409, 'GET', `/datasets/${waiting.id}/mapping/match`);
    const table = await sharedTable(client);
    const path = `/datasets/${table.id}/mapping/match`;
    const etag = (await client.expect(200, 'GET', path)).headers.get('etag') ?? '';
    await client.expect(304, 'GET', path, { headers: { 'if-none-match': etag } });
    await client.refused(400, 'GET', `/datasets/${table.id}/mapping/suggestion?max_columns=1001`);
  },
);

checkedElsewhere('src/tables/match/match-table.test.ts', {
  'a table of an earlier release is read again, once for all who ask, and stays as it is': [
    'D3K match older',
  ],
});
