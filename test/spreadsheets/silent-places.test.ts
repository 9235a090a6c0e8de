import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeList } from '../../src/units/names/judge-list.ts';
import { createSpreadsheetSession } from '../../console/src/spreadsheets/spreadsheet-session.ts';
import { storedNames } from './stored-names.ts';

const judge = async (names: readonly string[]) =>
  (await judgeList(storedNames, { rows: names.map((name) => ({ name })) })).map(
    ({ status, candidates }) => `${status} ${candidates.map(({ unit }) => unit.kato).join()}`,
  );

test('a name in two languages is one unit', async () => {
  const names = [
    'Ақмола облысы / Акмолинская область',
    'Акмолинская область\nАқмола облысы',
    'Абай облысы / область Абай',
    'Ақкөл ауданы / Аккольский район',
    'Аккольский район (Ақкөл ауданы)',
    'Акмолинская область, Аккольский район',
  ];
  assert.deepEqual(await judge(names), [
    'exact 110000000',
    'exact 110000000',
    'exact 100000000',
    'exact 113200000',
    'exact 113200000',
    'exact 113200000',
  ]);
  assert.match((await judge(['Акмолинская область / Павлодарская область']))[0] ?? '', /^doubtful/);
});

test('a code that is not that of the name beside it is seen', async () => {
  const session = createSpreadsheetSession();
  const text = 'КАТО;Район;2022\n113200000;Аккольский район;1\n113400000;Астраханский район;2\n;Итого;3\n';
  await session.open(new Blob([text]), 'a.csv');
  session.understand(0, {});
  const pairs = session.pairs(false);
  assert.deepEqual(pairs, [
    { name: '113200000 Аккольский район', region: null },
    { name: '113400000 Астраханский район', region: null },
  ]);
  const judged = await judgeList(storedNames, { rows: pairs });
  assert.deepEqual(
    judged.map(({ reason }) => reason),
    ['code', 'code_and_name'],
  );
});

test('a district behind its city is certain', async () => {
  const cities = { 71: 'г. Астана', 75: 'г. Алматы', 79: 'г. Шымкент' };
  for (const [start, city] of Object.entries(cities)) {
    const districts = [...storedNames.units.values()].filter(
      ({ kato, level }) => level === 'district' && kato.startsWith(start),
    );
    assert.ok(districts.length >= 5);
    assert.deepEqual(
      await judge(districts.map(({ name }) => `${city}, ${name} район`)),
      districts.map(({ kato }) => `exact ${kato}`),
    );
  }
});

test('bare English names of districts are found as bare Kazakh ones are', async () => {
  const names = ['Beskaragay', 'Zharma', 'Ayagoz', 'Borodulikha', 'Aksuat'];
  const codes = ['103800000', '104200000', '103600000', '104000000', '103400000'];
  assert.deepEqual(
    await judge(names),
    codes.map((code) => `exact ${code}`),
  );
  assert.deepEqual(await judge(['Beskaragay', 'Akkol', 'Zharma']), [
    'likely 103800000',
    'likely 113200000',
    'likely 104200000',
  ]);
});

test('a vowel too many may be that of another name, and is asked about', async () => {
  assert.deepEqual(await judge(['Aakol district', 'Akkol district']), [
    'doubtful 113200000',
    'exact 113200000',
  ]);
});
