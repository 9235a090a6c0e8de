import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { judgeList } from '../../src/units/names/judge-list.ts';
import { spreadsheets } from './all.ts';
import { unreadable } from './layouts/unreadable.ts';
import { askedRows, plain, readSheet } from './reading.ts';
import { storedNames } from './stored-names.ts';

suite('each row of a spreadsheet finds its unit, and none another one', () => {
  for (const { name, layout, file, bytes, correction, truth } of spreadsheets) {
    test(`${name} (${layout})`, async () => {
      const rows = askedRows(await readSheet(bytes(), file, correction));
      const judged = await judgeList(storedNames, { rows });
      const found = judged.map(({ status, candidates: [first] }, at) => ({
        label: plain(rows[at]?.name ?? ''),
        unit: status === 'exact' || status === 'likely' ? first?.unit.kato : status,
      }));
      const units = found.filter(({ unit }) => unit !== 'none');
      assert.deepEqual(
        units.map(({ label, unit }) => `${label} ${unit}`).toSorted(),
        truth.rows
          .map(({ label, code }) => `${plain(label)} ${label === correction?.unit ? 'doubtful' : code}`)
          .toSorted(),
      );
    });
  }

  for (const { name, file, bytes } of unreadable.filter(({ says }) => says === 'noUnits')) {
    test(`no unit: ${name}`, async () => {
      const judged = await judgeList(storedNames, { rows: askedRows(await readSheet(bytes(), file)) });
      assert.ok(judged.length > 0 && judged.every(({ status }) => status === 'none'));
    });
  }
});
