import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readKatoCode } from './kato-code.ts';
import { createCodeTally, matchOf } from '../tables/match/code-tally.ts';
import { createRepairTally, repairWarnings, districtWarnings } from './row-warnings.ts';

const districts = new Set(['110000000', '150000000']);

function warnings(codes: readonly string[], column = 'kato') {
  const tally = createCodeTally(districts);
  for (const code of codes) tally.add(code);
  return districtWarnings(column, matchOf(tally.result(), districts));
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

test('repaired codes are counted with the first of them, and those with an exponent once more', () => {
  const tally = createRepairTally();
  for (const text of ['110000000', '\u200b110000000', "'150000000", '1.13E+08'])
    tally.add(readKatoCode(JSON.stringify(text)) ?? { katoCode: '' });
  assert.deepEqual(
    repairWarnings('kato', tally.result()).map(({ code, message }) => [code, message]),
    [
      [
        'codes_repaired',
        '3 rows have a code in column "kato" that another program had changed; they were read as the nine digits of a KATO code, such as "<U+200B>110000000" as 110000000.',
      ],
      [
        'codes_repaired',
        'One code in column "kato" is a text with an exponent, such as "1.13E+08", which may have lost digits. Compare it with the source; format the column as text before you export it again.',
      ],
    ],
  );
});

test('codes as they should be need no repair', () => {
  const tally = createRepairTally();
  tally.add({ katoCode: '110000000' });
  assert.deepEqual(repairWarnings('kato', tally.result()), []);
});
