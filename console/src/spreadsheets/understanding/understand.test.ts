import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSpreadsheetSession } from '../spreadsheet-session.ts';
import { toGeoJson } from '../files/geojson.ts';
import { readWorkbook } from '../files/read.ts';
import { type Cell, type Choice, SpreadsheetFault, type Table } from '../model/types.ts';
import { understand } from './understand.ts';
import { widen } from './widen.ts';

async function tableOf(text: string, choice?: Choice): Promise<Table> {
  const { sheets } = await readWorkbook(new TextEncoder().encode(text), 'a.csv');
  const [sheet] = sheets;
  assert.ok(sheet !== undefined);
  return understand(sheet, choice);
}

const namesOf = ({ columns }: Table) => columns.map(({ name }) => name);
const rolesOf = ({ columns }: Table) => columns.map(({ role }) => role);
const remarksOf = ({ remarks }: Table) => remarks.map(({ code }) => code);

test('a table is found between its title and its footnotes, with its odd cells', async () => {
  const table = await tableOf(`Численность населения, человек

КАТО;Регион;2019;2020*;Доля

110000000,0;Акмолинская;738 587;1\u00a0736 735,5;12,5%
15 00 00 000;Актюбинская;869637;–;10%
1.9E+08;Алматинская;…;2055724*;х
;Всего;1608224;3792459,5;#Н/Д
* предварительные данные
Источник: БНС
`);
  assert.deepEqual(table.headerRows, { first: 2, count: 2 });
  assert.deepEqual(namesOf(table), ['КАТО', 'Регион', '2019', '2020*', 'Доля']);
  assert.deepEqual(rolesOf(table), ['code', 'name', 'value', 'value', 'value']);
  assert.deepEqual(table.columns[3]?.period, { start_date: '2020-01-01', end_date: '2020-12-31' });
  assert.deepEqual(table.rows, [
    ['110000000', 'Акмолинская', 738_587, 1_736_735.5, 12.5],
    ['150000000', 'Актюбинская', 869_637, null, 10],
    ['190000000', 'Алматинская', null, 2_055_724, null],
    [null, 'Всего', 1_608_224, 3_792_459.5, null],
  ]);
  assert.deepEqual(table.rowNumbers, [5, 6, 7, 8]);
  assert.equal(table.title, 'Численность населения, человек');
  assert.deepEqual(table.notes, ['* предварительные данные', 'Источник: БНС']);
  assert.deepEqual(remarksOf(table), [
    'codesRepaired',
    'percents',
    'missingMarks',
    'codesShortened',
    'footnoteMarks',
    'errorCells',
    'totalsKept',
    'rowsLeftOut',
  ]);
  const repaired = table.remarks[0];
  assert.deepEqual([repaired?.row, repaired?.text, repaired?.became], [5, '110000000,0', '110000000']);
});

test('a header of two lines gives each column both', async () => {
  const table = await tableOf('Регион;2020;;2021;\n;план;факт;план;факт\nАбай;1;2;3;4\nАқмола;5;6;7;8\n');
  assert.deepEqual(namesOf(table), ['Регион', '2020 план', '2020 факт', '2021 план', '2021 факт']);
  assert.deepEqual(table.rows[1], ['Ақмола', 5, 6, 7, 8]);
});

test('merged cells give their text to all columns and rows that they cover', () => {
  const rows: Cell[][] = [
    ['Область', 'Район', 'Посевы, га'],
    [null, null, 2020, 2021],
    ['А', 'Б', 1, 2],
    ['Акмолинская область', 'Аршалынский', 10, 20],
    [null, 'Егиндыкольский', 30, 40],
  ];
  const merges = [
    { top: 0, left: 2, bottom: 0, right: 3 },
    { top: 0, left: 0, bottom: 1, right: 0 },
    { top: 0, left: 1, bottom: 1, right: 1 },
    { top: 3, left: 0, bottom: 4, right: 0 },
  ];
  const table = understand({ name: 'A', isHidden: false, rows, merges, formulasWithoutValue: 0 });
  assert.deepEqual(namesOf(table), ['Область', 'Район', 'Посевы, га 2020', 'Посевы, га 2021']);
  assert.deepEqual(rolesOf(table), ['region', 'name', 'value', 'value']);
  assert.deepEqual(table.rows, [
    ['Акмолинская область', 'Аршалынский', 10, 20],
    ['Акмолинская область', 'Егиндыкольский', 30, 40],
  ]);
});

test('values that look like years are no header', async () => {
  const table = await tableOf('Регион,2019,2020\nАкмолинская,2015,1987\nАбай,1999,2001\n');
  assert.deepEqual(namesOf(table), ['Регион', '2019', '2020']);
  assert.equal(table.rows.length, 2);
});

test('a heading within the table names the region of the rows below it', async () => {
  const table = await tableOf(
    'Район;2020;2021\nАкмолинская область;;\nАршалынский;1;2\nЕсильский;3;4\nСКО:;;\nЕсильский;5;6\n',
  );
  assert.deepEqual(namesOf(table), ['Район', '2020', '2021', 'Область']);
  assert.deepEqual(table.rows.at(-1), ['Есильский', 5, 6, 'СКО:']);
});

test('a title says the time where no column does', async () => {
  const table = await tableOf(
    'Население на 1 января 2020 года\nкод;всего;село\n110000000;5;2\n150000000;6;3\n',
  );
  assert.deepEqual(namesOf(table), ['код', 'всего (2020-01-01)', 'село (2020-01-01)']);
  assert.deepEqual(table.columns[1]?.period, { start_date: '2020-01-01', end_date: null });
  assert.ok(remarksOf(table).includes('periodAbove'));
});

test('a long table is made wide: one column for each time and indicator', async () => {
  const table = await tableOf(`kato,год,показатель,значение,источник
110000000,2020,Площадь,2,x
110000000,2019,Площадь,1,y
110000000,2019,Сбор,3,x
150000000,2019,Площадь,5,x
150000000,2019,Площадь,6,x
`);
  assert.equal(table.isLong, true);
  assert.deepEqual(rolesOf(table), ['code', 'period', 'indicator', 'value', 'note']);
  const wide = widen(table);
  assert.deepEqual(namesOf(wide), ['kato', '2019 Площадь', '2019 Сбор', '2020 Площадь']);
  assert.deepEqual(wide.rows, [
    ['110000000', 1, 3, 2],
    ['150000000', 5, null, null],
  ]);
  assert.deepEqual(wide.columns[1]?.period, { start_date: '2019-01-01', end_date: '2019-12-31' });
  assert.deepEqual(remarksOf(wide), ['valuesTwice', 'columnsLeftOut']);
  assert.equal(widen(wide), wide);
});

test('a choice by hand holds', async () => {
  const text = 'x;y;z\n1;2;3\n110000000;5;6\n';
  const table = await tableOf(text, { header: { first: 1, count: 1 }, roles: new Map([[2, 'note']]) });
  assert.deepEqual(namesOf(table), ['1', '2', '3']);
  assert.deepEqual(rolesOf(table), ['code', 'value', 'note']);
});

test('a sheet without a table says so', async () => {
  await assert.rejects(tableOf('\n\n'), SpreadsheetFault);
  await assert.rejects(tableOf('Только заголовок\n'), SpreadsheetFault);
});

test('a table is written as features without geometry, within its limit', async () => {
  const table = await tableOf('kato;2020;"a ""b"""\n110000000;1,5;x\n150000000;;y\n');
  assert.deepEqual(JSON.parse(toGeoJson(table)), {
    type: 'FeatureCollection',
    features: [
      { type: 'Feature', geometry: null, properties: { kato: '110000000', 2020: 1.5, 'a "b"': 'x' } },
      { type: 'Feature', geometry: null, properties: { kato: '150000000', 2020: null, 'a "b"': 'y' } },
    ],
  });
  assert.throws(() => toGeoJson(table, 100), { code: 'resultTooLarge' });
});

test('the session takes the original with the table where there is room, and adds codes', async () => {
  const session = createSpreadsheetSession();
  const file = new Blob(['Регион;2020\nАбай;1\nАқмола;2\n']);
  assert.equal((await session.open(file, 'Лист.csv')).sheets[0]?.rowCount, 3);
  session.understand(0, {});
  assert.deepEqual(session.places(false), [
    { name: 'Абай', region: null },
    { name: 'Ақмола', region: null },
  ]);
  const codes = { column: 'КАТО', values: ['100000000', null] };
  const request = { isWide: false, codes, name: 'Лист' };
  const { file: zip, extension } = await session.finish({ ...request, maxBytes: 1_000_000 });
  const names = Buffer.from(await zip.arrayBuffer()).toString('utf8');
  assert.deepEqual(
    [extension, names.includes('Лист.geojson'), names.includes('Лист.csv')],
    ['zip', true, true],
  );
  const alone = await session.finish({ ...request, maxBytes: 300 });
  assert.equal(alone.extension, 'geojson');
  const { features } = JSON.parse(await alone.file.text());
  assert.deepEqual(features[0].properties, { КАТО: '100000000', Регион: 'Абай', 2020: 1 });
});

test('rural districts have the districts beside them, which are written once for several rows', async () => {
  const session = createSpreadsheetSession();
  const lines = [
    'Область;Район;Сельский округ;2022;2023',
    'область Абай;Абайский район;Карааульский с.о.;1;2',
    'область Абай;;Архатский с/о;3;4',
    'область Абай;Аягозский район;;5;6',
    'область Абай;Аягозский район;Нарын ауылдық округі;7;8',
  ];
  await session.open(new Blob([lines.join('\n')]), 'a.csv');
  session.understand(0, {});
  const region = 'область Абай';
  assert.deepEqual(session.places(false), [
    { name: 'Карааульский с.о.', region, district: 'Абайский район' },
    { name: 'Архатский с/о', region, district: 'Абайский район' },
    { name: 'Аягозский район', region },
    { name: 'Нарын ауылдық округі', region, district: 'Аягозский район' },
  ]);
});
