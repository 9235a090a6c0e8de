import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SpreadsheetFault } from '../../console/src/spreadsheets/model/types.ts';
import { repetitions } from '../support/tier.ts';
import { compare } from './random/compare.ts';
import { randomSheet } from './random/sheets.ts';
import { readSheet } from './reading.ts';

const sheets = repetitions('STEPPE_RANDOM_SHEETS', 150, 5000);
const firstSeed = Number(process.env['STEPPE_RANDOM_SEED'] ?? 1);
/** Least share of tables that come back value for value; the others have a remark. */
const wholeShare = 0.95;

test('a table in a random layout comes back value for value, or is remarked', async (context) => {
  let [whole, remarked, refused] = [0, 0, 0];
  const wrong: string[] = [];
  for (let seed = firstSeed; seed < firstSeed + sheets; seed += 1) {
    const sheet = randomSheet(seed);
    try {
      const { table } = await readSheet(sheet.bytes, sheet.file);
      const { isWhole, silent } = compare(table, sheet);
      if (silent.length > 0) wrong.push(`${seed} (${sheet.layout}): ${silent.slice(0, 3).join('; ')}`);
      else if (isWhole) whole += 1;
      else remarked += 1;
    } catch (error) {
      if (!(error instanceof SpreadsheetFault)) throw error;
      refused += 1;
    }
  }
  context.diagnostic(`${sheets} sheets: ${whole} whole, ${remarked} remarked, ${refused} refused`);
  assert.deepEqual(wrong.slice(0, 20), [], `${wrong.length} of ${sheets} are wrong in silence`);
  assert.ok(whole >= wholeShare * sheets, `${whole} of ${sheets} came back whole`);
});
