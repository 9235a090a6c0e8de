import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { SpreadsheetFault } from '../../console/src/spreadsheets/model/types.ts';
import { spreadsheets } from './all.ts';
import { ofRosstat } from './layouts/rosstat.ts';
import { unreadable } from './layouts/unreadable.ts';
import { expected, found, readSheet } from './reading.ts';

suite('a spreadsheet becomes the table that a person sees in it', () => {
  for (const spreadsheet of [...spreadsheets, ...ofRosstat]) {
    const { name, layout, file, bytes, correction, remarks = [] } = spreadsheet;
    test(`${name} (${layout})`, async () => {
      const { table } = await readSheet(bytes(), file, correction);
      assert.deepEqual(found(table, spreadsheet), expected(spreadsheet));
      const said = new Set<string>(table.remarks.map(({ code }) => code));
      assert.deepEqual(
        remarks.filter((code) => !said.has(code)),
        [],
      );
    });
  }

  test('at least 40 of them, each with its own name', () => {
    const names = new Set(spreadsheets.map(({ name }) => name));
    assert.ok(names.size >= 40 && names.size === spreadsheets.length);
  });
});

suite('a spreadsheet of which no map can be made says where', () => {
  for (const { name, layout, file, bytes, says, sheet } of unreadable.filter(
    (each) => each.says !== 'noUnits',
  )) {
    test(`${name} (${layout})`, async () => {
      if (says === 'noTable') {
        await assert.rejects(readSheet(bytes(), file), (error) => {
          assert.ok(error instanceof SpreadsheetFault, String(error));
          assert.deepEqual([error.code, error.where], [says, sheet]);
          return true;
        });
      } else {
        const { table } = await readSheet(bytes(), file);
        assert.ok(table.remarks.some(({ code }) => code === says));
      }
    });
  }
});
