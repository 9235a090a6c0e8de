import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { checkedElsewhere, claim } from '../../claim.ts';
import { fetchBytes } from '../../support/bytes.ts';
import { assertKeys } from '../../support/errors.ts';
import { numbersIn, type OutputCollection } from '../../support/geojson.ts';

const levels = [
  ['region', 'regions', 20, 'fine', 3],
  ['district', 'districts', 224, 'coarse', 2],
] as const;

claim(
  ['D7 districts'],
  'the units of each level are there with all their names, and borders of two or three decimals',
  async (client) => {
    for (const [level, file, count, detail, decimals] of levels) {
      const path = new URL(`../../../../seeds/districts/${file}.geojsonl`, import.meta.url);
      const units = (await readFile(path, 'utf8')).trimEnd().split('\n');
      const names = units.map((line) => {
        const { properties }: { properties: Readonly<Record<string, unknown>> } = JSON.parse(line);
        return { ...properties, level };
      });
      assert.equal(names.length, count);
      const query = `?level=${level}&detail=${detail}`;
      const { features }: OutputCollection = await client.get(`/districts.geojson${query}`);
      assert.deepEqual(
        features.map(({ properties }) => properties),
        names,
      );
      for (const { geometry, properties } of features) {
        assertKeys(properties, ['kato', 'level', 'name', 'name_en', 'name_kk']);
        assert.match(geometry.type, /^(Multi)?Polygon$/);
        const numbers = numbersIn(geometry.coordinates);
        assert.ok(numbers.length >= 8);
        assert.ok(numbers.every((each) => Number(each.toFixed(decimals)) === each));
      }
    }
  },
);

claim(
  ['D7 districts', 'D7 districts ETag'],
  'the borders for a map of the country are small, and sent once',
  async (client) => {
    const etags = new Set<string | undefined>();
    for (const [path, most] of [
      ['/districts.geojson?level=region&detail=coarse', 40_000],
      ['/districts.geojson?level=region&detail=fine', 95_000],
      ['/districts.geojson?level=district&detail=coarse', 100_000],
      ['/districts.geojson?level=district&detail=fine', 210_000],
    ] as const) {
      const headers = { 'accept-encoding': 'br' };
      const { bytes, headers: answered } = await fetchBytes(client, 200, path, { headers });
      assert.ok(bytes.length < most, `${path} has ${bytes.length} bytes`);
      etags.add(answered['etag']);
      const known = { ...headers, 'if-none-match': answered['etag'] };
      assert.equal((await fetchBytes(client, 304, path, { headers: known })).bytes.length, 0);
    }
    assert.equal(etags.size, 4);
  },
);

claim(['D7 districts'], 'another level or detail is 400', async (client) => {
  for (const query of ['level=village', 'detail=2', 'level=']) {
    await client.refused(400, 'GET', `/districts.geojson?${query}`);
  }
});

interface Unit {
  readonly kato: string;
  readonly name: string;
  readonly level: string;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
  readonly has_borders: boolean;
}

claim(
  ['D7 districts at'],
  'the units of a day are those of then: other codes, other names, and no borders that nobody has',
  async (client) => {
    const listOf = async (query: string) =>
      await client.get<{ at: string | null; known_from: string; data: readonly Unit[] }>(
        `/districts${query}`,
      );
    const today = await listOf('');
    assert.equal(today.at, null);
    assert.equal(today.data.length, 244);
    const then = await listOf('?at=2020-01-01&level=district');
    const of = (code: string) => then.data.find(({ kato }) => kato === code);
    assert.ok(then.data.every(({ level }) => level === 'district'));
    assert.deepEqual(
      [of('191000000')?.name, of('191000000')?.valid_to, of('191000000')?.has_borders],
      ['Талдыкорган', '2022-06-08', true],
      'its land is a unit of today',
    );
    assert.deepEqual([of('333200000'), of('193200000')?.has_borders], [undefined, true]);
    assert.equal(of('635000000')?.has_borders, false, 'it was split since');
    const { data: regions } = await listOf('?at=2020-01-01&level=region');
    assert.equal(regions.length, 17);
    assert.equal(
      (await listOf('?at=2018-06-18&level=region')).data.length,
      16,
      'South Kazakhstan, without Shymkent',
    );
    assert.deepEqual(
      (await listOf('?at=2020-06-01&level=region')).data.find(({ kato }) => kato === '710000000')?.name,
      'Нур-Султан',
    );

    const map: OutputCollection = await client.get('/districts.geojson?at=2020-01-01&level=region');
    assert.equal(map.features.length, 17);
    for (const { properties } of map.features)
      assertKeys(properties, ['kato', 'level', 'name', 'name_en', 'name_kk', 'valid_from', 'valid_to']);
    const bordersOf = (kato: string) =>
      map.features.find(({ properties }) => properties['kato'] === kato)?.geometry;
    assert.equal(bordersOf('630000000'), null, 'East Kazakhstan with Abai');
    assert.ok(bordersOf('110000000'));
    for (const query of ['at=2020', 'at=2020-02-30', 'level=village']) {
      await client.refused(400, 'GET', `/districts?${query}`);
      await client.refused(400, 'GET', `/districts.geojson?${query}`);
    }
  },
);

claim(
  ['D7 levels'],
  'units of any level are those of the classifier, with the unit above, and say whether they have borders',
  async (client) => {
    interface Listed extends Unit {
      readonly name_kk: string;
      readonly parent: string | null;
    }
    const listOf = async (query: string) =>
      (await client.get<{ data: readonly Listed[] }>(`/districts?${query}`)).data;
    const counts = { republic: 1, region: 20, district: 228, okrug: 2360 } as const;
    for (const [level, count] of Object.entries(counts)) {
      const units = await listOf(`level=${level}`);
      assert.ok(units.every((unit) => unit.level === level));
      assert.ok(units.length >= count, `${units.length} of ${level}`);
    }
    const okrugs = await listOf('level=okrug&within=103200000');
    assert.deepEqual(okrugs[0], {
      kato: '103230000',
      level: 'okrug',
      name: 'Карааульский с.о.',
      name_kk: 'Қараауыл а.о.',
      name_en: null,
      valid_from: null,
      valid_to: null,
      has_borders: false,
      parent: '103200000',
    });
    const below = await listOf('within=103230000');
    assert.deepEqual(
      below.map(({ kato, level, parent }) => [kato, level, parent]),
      [['103230100', 'settlement', '103230000']],
    );
    const parents = new Map((await listOf('level=district')).map(({ kato, parent }) => [kato, parent]));
    assert.deepEqual([parents.get('103200000'), parents.get('711110000')], ['100000000', '710000000']);
    assert.deepEqual(await listOf('at=2020-01-01&level=okrug'), [], 'the classifier is that of today');
    const { units } = await client.get<{ units: readonly Unit[] }>('/districts/103230000/history');
    assert.equal(units[0]?.name, 'Карааульский с.о.');
    await client.refused(400, 'GET', '/districts?within=x');
  },
);

checkedElsewhere('src/areas/areas.test.ts', {
  'rural districts with borders are a level of their own in areas, statistics, collections, tiles and files':
    ['D7 borders of any level'],
});
checkedElsewhere('src/units/imported-units.test.ts', {
  'an import of rural districts reports what they leave open, and changes nothing else': [
    'D7 borders of any level',
  ],
});

claim(
  ['D7 district history'],
  'a code has the units that had it, and the acts before and after them',
  async (client) => {
    interface Change {
      readonly kind: string;
      readonly date: string;
      readonly from: string;
      readonly to: string | null;
      readonly share_area: number | null;
      readonly act: { readonly number: string | null; readonly source: string };
    }
    const historyOf = async (kato: string) =>
      await client.get<{ units: readonly Unit[]; before: readonly Change[]; after: readonly Change[] }>(
        `/districts/${kato}/history`,
      );
    const brief = (changes: readonly Change[]) =>
      changes.map(({ kind, date, from, to, act }) => [kind, date, from, to, act.number]);
    const urzhar = await historyOf('104600000');
    assert.deepEqual(brief(urzhar.before), [
      ['recode', '2022-06-08', '636400000', '104600000', '887'],
      ['split', '2024-01-01', '104600000', '104600000', null],
    ]);
    assert.deepEqual(
      urzhar.units.map(({ valid_from: from, valid_to: to }) => [from, to]),
      [
        ['2022-06-08', '2024-01-01'],
        ['2024-01-01', null],
      ],
    );
    const older = await historyOf('636400000');
    assert.deepEqual(
      older.after.map(({ to }) => to),
      ['104600000', '104600000', '104500000'],
    );
    assert.deepEqual(
      (await historyOf('191000000')).units.map(({ name }) => name),
      ['Талдыкорган', 'Конаев'],
      'one code, two units',
    );
    const still = await historyOf('111000000');
    assert.deepEqual([still.before, still.after, still.units.length], [[], [], 1]);
    await client.refused(404, 'GET', '/districts/999999999/history');
    await client.refused(400, 'GET', '/districts/Astana/history');
  },
);
