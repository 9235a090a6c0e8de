import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createSpreadsheetSession } from '../../console/src/spreadsheets/spreadsheet-session.ts';
import { SpreadsheetFault } from '../../console/src/spreadsheets/model/types.ts';
import { disguised, lying } from './hostile/lying.ts';
import { olderLying } from './hostile/older.ts';

suite('a file that lies, or is no spreadsheet, ends in a sentence', () => {
  for (const { name, file, bytes, ends } of [...lying, ...disguised, ...olderLying]) {
    test(name, async () => {
      const end = await read(bytes(), file);
      assert.ok(ends.includes(end), `${end}, is none of ${ends.join(', ')}`);
    });
  }
});

async function read(bytes: Uint8Array, file: string): Promise<string> {
  const session = createSpreadsheetSession();
  try {
    const { best } = await session.open(new Blob([Uint8Array.from(bytes)]), file);
    session.understand(best, {});
    return 'table';
  } catch (error) {
    if (error instanceof SpreadsheetFault) return error.code;
    throw error;
  }
}
