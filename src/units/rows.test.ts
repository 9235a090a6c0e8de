import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDistrictReader } from './rows.ts';

const area = '{"type":"Polygon","coordinates":[[[60,50],[61,50],[61,51],[60,50]]]}';
const columns = ['code', 'ru', 'kk'];
const levelOf = (code: string) => (/^\d{2}0{7}$/.test(code) ? 'region' : 'okrug');
const read = createDistrictReader(columns, { kato: 'code', name: 'ru' }, levelOf);

test('codes and names are trimmed text, a numeric code is an integer; the code tells the level', () => {
  assert.deepEqual(read([area, '110000000.0', '" Акмолинская "', '"Ақмола"']), {
    kato_code: '110000000',
    level: 'region',
    name: 'Акмолинская',
    name_kk: undefined,
    name_en: undefined,
    geometry: area,
    valid_from: undefined,
    valid_to: undefined,
  });
  const district = read([area, '" 111010000"', '"Кокшетау"']);
  assert.ok('level' in district);
  assert.deepEqual([district.kato_code, district.level], ['111010000', 'okrug']);
});

test('names in other languages come from the columns that are given; an empty cell is none', () => {
  const wanted = { kato: 'code', name: 'ru', nameKk: 'kk', level: 'district' } as const;
  const withKazakh = createDistrictReader(columns, wanted, levelOf);
  const [full, empty] = [withKazakh([area, '1', '"а"', '"ә"']), withKazakh([area, '1', '"а"'])];
  assert.ok('level' in full && 'level' in empty);
  assert.deepEqual([full.name_kk, full.level, empty.name_kk], ['ә', 'district', null]);
});

test('what is missing in a row is its fault', () => {
  const noCode = { fault: 'has no code', isOfCode: true };
  assert.deepEqual(read([area, 'null', '"а"']), noCode);
  assert.deepEqual(read([area]), noCode);
  const fault = (of: string) => ({ fault: of, isOfCode: false });
  assert.deepEqual(read([area, '7', '" "']), fault('(7) has no name'));
  assert.deepEqual(read(['null', '7', '"а"']), fault('(7) has no geometry'));
  const point = '{"type":"Point","coordinates":[60,50]}';
  assert.deepEqual(read([point, '7', '"а"']), fault('(7) is not an area but a Point'));
});

test('a code is made of digits alone', () => {
  const cells = ['"Кокшетау"', '"11101000A"', '"111 010 000"', '1.5', '-110000000', 'true', '{"a":1}'];
  for (const cell of cells) {
    const row = read([area, cell, '"а"']);
    assert.ok('fault' in row && row.isOfCode, cell);
    assert.match(row.fault, /^has ".*" where a code of digits belongs$/);
  }
  const long = read([area, `"${'7'.repeat(256)}"`, '"а"']);
  assert.ok('fault' in long && long.fault.length < 120);
});

test('a column that is not there is named, with those that are', () => {
  assert.throws(() => createDistrictReader(columns, { kato: 'kato', name: 'ru' }, levelOf), {
    name: 'Problem',
    message: '--kato: the file has no column "kato"; it has code, ru, kk.',
  });
  assert.throws(() => createDistrictReader([], { kato: 'code', name: 'ru' }, levelOf), {
    message: '--kato: the file has no column "code"; it has none.',
  });
});

test('days of a unit come from the columns that are given, and have to be days', () => {
  const wanted = { kato: 'code', name: 'ru', validFrom: 'from', validTo: 'to' } as const;
  const dated = createDistrictReader([...columns, 'from', 'to'], wanted, levelOf);
  const of = (from: string, to: string) => dated([area, '"7"', '"а"', 'null', from, to]);
  const read = of('"2018-06-19"', 'null');
  assert.ok('level' in read);
  assert.deepEqual([read.valid_from, read.valid_to], ['2018-06-19', null]);
  const fault = (text: string) => ({ fault: text, isOfCode: false });
  assert.deepEqual(of('"2018"', 'null'), fault('(7) has "2018" where a day such as 2022-06-08 belongs'));
  assert.deepEqual(
    of('"2022-06-08"', '"2022-06-08"'),
    fault('(7) ends on 2022-06-08, not after it began on 2022-06-08'),
  );
});
