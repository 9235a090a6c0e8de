import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cell } from '../table/cells.ts';
import { checkDistricts } from './import.ts';
import { createDistrictReader } from './rows.ts';

const area = '{"type":"Polygon","coordinates":[[[60,50],[61,50],[61,51],[60,50]]]}';
const columns = ['name', 'note', 'code'];
const levelOf = (code: string) => (/^\d{2}0{7}$/.test(code) ? 'region' : 'district');
const sound = (code: string): Cell[] => [area, '"Район"', '1', `"${code}"`];

async function check(rows: readonly (readonly Cell[])[], kato: string) {
  async function* each() {
    yield* rows;
  }
  const read = createDistrictReader(columns, { kato, name: 'name' }, levelOf);
  return await checkDistricts({ columns, rows: each(), kato }, read);
}

test('the units of a sound file are known by code and level', async () => {
  const { levels } = await check([sound('110000000'), sound('111010000')], 'code');
  assert.deepEqual(Object.fromEntries(levels), { 110000000: 'region', 111010000: 'district' });
});

test('when most rows have names in the place of codes, the column with codes is named', async () => {
  const rows = ['110000000', '111010000', '111020000'].map(sound);
  await assert.rejects(check(rows, 'name'), {
    name: 'Problem',
    message:
      '3 of 3 rows cannot be districts, so nothing was changed: row 1 has "Район" where a code of digits belongs; ' +
      'row 2 has "Район" where a code of digits belongs; row 3 has "Район" where a code of digits belongs. ' +
      'Column "code" has the codes, not "name": name it with --kato.',
  });
});

test('no column is named when most rows have codes, or no column has them', async () => {
  const noCode: Cell[] = [area, '"Район"', '110000000', 'null'];
  const mostlySound = [sound('110000000'), sound('111010000'), noCode];
  await assert.rejects(check(mostlySound, 'code'), /changed: row 3 has no code\.$/);
  const nowhere: Cell[] = [area, '"Район"', '12', '"x"'];
  await assert.rejects(check([nowhere, nowhere], 'code'), /belongs\.$/);
});

test('of many faults the first ten are listed and the others counted', async () => {
  const faulty: Cell[] = [area, '"Район"', '1', '"x"'];
  const rows = Array.from({ length: 2000 }, () => faulty);
  await assert.rejects(
    check(rows, 'code'),
    /^Problem: 2000 of 2000 rows .*row 10 has "x" where .* belongs; and 1990 more like these\.$/,
  );
});
