import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsOf } from '../service/statistics.ts';

const labels = [
  { value: 11, label: 'V1', color: '#112233' },
  { value: 31, label: 'V3', color: '#445566' },
];

test('classes are those of the legend, with none for what no pixel has, and then those that it lacks', () => {
  const classes = [
    { value: 7, pixels: 3, hectares: 1.5 },
    { value: 31, pixels: 20, hectares: 12.25 },
  ];
  assert.deepEqual(
    rowsOf({ classes }, labels).map(({ value, label, area }) => [value, label, area]),
    [
      [11, 'V1', 0],
      [31, 'V3', 12.25],
      [7, undefined, 1.5],
    ],
  );
});

test('without a reference system pixels are counted', () => {
  const [row] = rowsOf({ classes: [{ value: 1, pixels: 8, hectares: null }] }, []);
  assert.equal(row?.area, 8);
  assert.deepEqual(rowsOf({ classes: null }, []), []);
});
