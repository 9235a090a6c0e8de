import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differenceOf, readSorting, sharesOf, sortRows, writeSorting } from './table-rows.ts';

const classes = [
  { value: 11, title: 'V1', color: '#1f78b4' },
  { value: 40, title: null, color: null },
];
const row = (key: string, name: string, v1: number, others: number) => ({
  key,
  name,
  area_ha: v1 + others + 10,
  classes: v1 === 0 ? { 40: others } : { 11: v1, 40: others },
  no_data_ha: 4,
  outside_raster_ha: 6,
});
const rows = [row('1', 'Әйтеке', 5, 1), row('2', 'Акколь', 0, 20), row('3', 'Егіндікөл', 5, 0)];
const sorted = (text: string | null, language = 'kk') =>
  sortRows(rows, readSorting(text), language).map(({ key }) => key);

test('rows are sorted by any column, and rows that are alike stay in their order', () => {
  assert.deepEqual(sorted(null), ['2', '1', '3']);
  assert.deepEqual(sorted('-11'), ['1', '3', '2']);
  assert.deepEqual(sorted('11'), ['2', '1', '3']);
  assert.deepEqual(sorted('area'), ['3', '1', '2']);
  assert.deepEqual(sorted('nodata'), ['1', '2', '3']);
});

test('names are sorted by the alphabet of the language', () => {
  assert.deepEqual(sorted('name', 'kk'), ['2', '1', '3']);
  assert.deepEqual(sorted('-name', 'kk'), ['3', '1', '2']);
});

test('what the address holds is read, and what it cannot hold is left out', () => {
  for (const text of ['name', '-name', '-11', 'outside']) assert.equal(writeSorting(readSorting(text)), text);
  for (const text of ['colour', '', '11; drop'])
    assert.deepEqual(readSorting(text), { column: 'classed', isDescending: true });
});

test('shares are those of what has a class, and the identity is checked by the square metre', () => {
  const [first] = rows;
  assert.ok(first !== undefined);
  assert.deepEqual(
    sharesOf(first, classes).map(({ value, share }) => [value, share]),
    [
      [11, 5 / 6],
      [40, 1 / 6],
    ],
  );
  assert.deepEqual(sharesOf({ ...first, classes: {} }, classes), []);
  assert.equal(differenceOf(first), 0);
  assert.equal(differenceOf({ ...first, no_data_ha: 4.5 }), 5000);
});
