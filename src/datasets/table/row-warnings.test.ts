import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDistrictTally } from './row-warnings.ts';
import { districtWarnings } from './row-warnings.ts';

const districts = new Set(['110000000', '150000000']);

function warnings(codes: readonly string[], column = 'kato') {
  const tally = createDistrictTally(districts);
  for (const code of codes) tally.add(code);
  return districtWarnings(column, tally.result());
}

test('codes that districts have need no warning, nor does a table without codes', () => {
  assert.deepEqual(warnings(['110000000', '150000000', '110000000']), []);
  assert.deepEqual(warnings([]), []);
});

test('codes that no district has are counted by row, and the first five different ones are named', () => {
  const codes = ['110000000', 'f', 'e', 'f', 'd', 'c', 'b', 'a'];
  assert.deepEqual(warnings(codes), [
    {
      code: 'codes_without_district',
      message:
        '7 of 8 rows that have a code in column "kato" have one that no district had at the extraction, so they are not on the map. ' +
        'The first of these codes: "f", "e", "d", "c", "b".',
      sentence: {
        code: 'table_warning.codesWithoutDistrict',
        facts: ['kato', { rows: 8, withoutDistrict: 7, codes: ['f', 'e', 'd', 'c', 'b'] }],
      },
    },
  ]);
});

test('when no row has a district the map is empty, and the column is probably wrong', () => {
  assert.deepEqual(warnings(['Астана', 'Алматы'], 'Название'), [
    {
      code: 'codes_without_district',
      message:
        'None of the 2 rows that have a code in column "Название" has one that a district had at the extraction, so the map is empty. ' +
        'The first codes: "Астана", "Алматы". This is probably not the column of KATO codes; send a mapping with the one that is.',
      sentence: {
        code: 'table_warning.codesWithoutDistrict',
        facts: ['Название', { rows: 2, withoutDistrict: 2, codes: ['Астана', 'Алматы'] }],
      },
    },
  ]);
});

test('what stands in a file stays one short line of the sentence', () => {
  const [warning] = warnings(['x\n"y" \u202e', 'z'.repeat(255)], 'a "b"\r\n'.repeat(200));
  const message = warning?.message ?? '';
  assert.ok(message.length < 500, message);
  assert.doesNotMatch(message, /[\p{Cc}\u202e]/u);
  assert.match(message, /The first codes: "x {2}y", "z{60}…"\./);
});
