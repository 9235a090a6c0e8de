import assert from 'node:assert/strict';
import { checkedElsewhere, claim } from '../../claim.ts';
import type { Client } from '../../client.ts';
import { assertKeys } from '../../support/errors.ts';

interface Matches {
  readonly districts_version: number;
  readonly matches: readonly {
    readonly status: string;
    readonly kato: string | null;
    readonly candidates: readonly { readonly kato: string; readonly confidence: number }[];
    readonly reason: string;
    readonly remark: string | null;
  }[];
  readonly units: readonly { readonly kato: string; readonly level: string }[];
}

async function match(client: Client, ...rows: readonly object[]): Promise<Matches> {
  return await client.read(200, 'POST', '/districts/match', { json: { rows } });
}

const short = ({ matches }: Matches): string[] =>
  matches.map(({ status, kato, reason, remark }) =>
    [kato ?? '-', status, reason, remark ?? ''].join(' ').trim(),
  );

claim(
  ['D7 names below districts'],
  'rural districts are found within the district of the row, of the cell or above, and are nothing without one',
  async (client) => {
    const district = { region: 'область Абай', district: 'Абайский район' };
    const answer = await match(
      client,
      { name: 'Карааульский с/о', ...district },
      { name: 'Қараауыл ауылдық округі', region: 'Абай облысы', district: 'Абай ауданы' },
      { name: 'Абайский район области Абай, Карааульский с.о.' },
      { name: 'Карааульский с.о.', district: 'Абайский район' },
      { name: 'Карааульский с.о.' },
      { name: 'Аягозский район' },
      { name: 'Нарынский с.о.' },
    );
    assert.deepEqual(short(answer), [
      '103230000 exact name',
      '103230000 exact name',
      '103230000 exact name',
      '- doubtful district_unknown',
      '- none below_district',
      '103600000 exact name',
      '103673000 likely rows_around',
    ]);
    const okrug = answer.units.find(({ kato }) => kato === '103230000');
    assert.ok(okrug);
    assertKeys(okrug, ['kato', 'kind', 'level', 'name', 'name_en', 'name_kk', 'parent']);
    const bare = await match(client, { name: 'Қараауыл', ...district });
    assert.deepEqual(short(bare), ['- doubtful several']);
    const [asked] = bare.matches;
    assert.deepEqual(
      asked?.candidates.map(({ kato }) => kato),
      ['103230000', '103230100'],
    );
  },
);

checkedElsewhere('src/units/names/places/place-names.test.ts', {
  'a place is looked for in its district, and asked about where it may be another one': [
    'D7 names below districts',
  ],
});

claim(
  ['D7 names'],
  'names in three languages lead to units, with all units to choose another one',
  async (client) => {
    const names = [
      'Акмолинская обл.',
      'г. Астана',
      'Абай облысы',
      'Akkol district',
      'p-н им. Габита Мусрепова',
      'Всего',
    ];
    const answer = await match(client, ...names.map((name) => ({ name })));
    assertKeys(answer, ['districts_version', 'matches', 'units']);
    assert.deepEqual(short(answer), [
      '110000000 exact name',
      '710000000 exact name',
      '100000000 exact name',
      '113200000 exact name',
      '596600000 exact name',
      '- none total',
    ]);
    const [first] = answer.matches;
    assert.ok(first);
    assertKeys(first, ['candidates', 'kato', 'reason', 'remark', 'status']);
    assert.deepEqual(first.candidates, [{ kato: '110000000', confidence: 1 }]);
    assert.equal(answer.units.length, 244);
    const [unit] = answer.units;
    assert.ok(unit);
    assertKeys(unit, ['kato', 'kind', 'level', 'name', 'name_en', 'name_kk']);
  },
);

claim(
  ['D7 names asked'],
  'a name of several units is asked about unless its region or the rows around decide',
  async (client) => {
    const [alone] = (await match(client, { name: 'Жамбылский район' })).matches;
    assert.equal(alone?.status, 'doubtful');
    assert.equal(alone.kato, null);
    assert.deepEqual(alone.candidates.map(({ kato }) => kato).toSorted(), [
      '194200000',
      '314000000',
      '594600000',
    ]);
    const inRegion = await match(client, { name: 'Жамбылский район', region: 'СКО' });
    assert.deepEqual(short(inRegion), ['594600000 exact name']);
    const around = ['Алматинская область', 'Балхашский', 'Жамбылский', 'Талгарский'].map((name) => ({
      name,
    }));
    assert.equal(short(await match(client, ...around))[2], '194200000 likely rows_around');
    const [divided] = (await match(client, { name: 'ЮКО' })).matches;
    assert.equal(divided?.reason, 'divided');
    assert.deepEqual(
      divided.candidates.map(({ kato }) => kato),
      ['610000000', '790000000'],
    );
  },
);

claim(
  ['D7 names of before'],
  'former names, and codes of older classifiers, lead to the unit of today',
  async (client) => {
    const names = ['Нур-Султан', 'Зыряновский район', '633400000', '510000000'].map((name) => ({ name }));
    assert.deepEqual(short(await match(client, ...names)), [
      '710000000 exact former_name former_name',
      '634800000 exact former_name former_name',
      '103600000 exact former_code former_code',
      '- doubtful divided former_code',
    ]);
  },
);

claim(['D7 names limits'], 'a table has at most 20,000 rows at once, and at least one', async (client) => {
  const rows = Array.from({ length: 20_001 }, () => ({ name: 'Астана' }));
  assert.equal((await match(client, ...rows.slice(1))).matches.length, 20_000);
  const refused: [string, object][] = [
    ['rows', { rows }],
    ['rows', { rows: [] }],
    ['rows', {}],
    ['rows.0.name', { rows: [{ name: 5 }] }],
    ['above', { rows: [{ name: 'Астана' }], above: 'Астана' }],
  ];
  for (const [field, json] of refused) await client.invalid([field], 'POST', '/districts/match', { json });
});
