/** Reads the given spreadsheet in a process of its own, and prints the outcome and its cost. */
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { createSpreadsheetSession } from '../../console/src/spreadsheets/spreadsheet-session.ts';
import { SpreadsheetFault } from '../../console/src/spreadsheets/model/types.ts';

const path = process.argv[2] ?? '';
const startedAt = performance.now();
const before = process.resourceUsage().maxRSS;
const end = await read().catch((error: unknown) => {
  if (error instanceof SpreadsheetFault) return { ends: error.code, where: error.where };
  throw error;
});
const seconds = (performance.now() - startedAt) / 1000;
const mebibytes = (process.resourceUsage().maxRSS - before) / 1024;
console.log(JSON.stringify({ ...end, seconds, mebibytes }));

async function read() {
  const session = createSpreadsheetSession();
  const { best } = await session.open(await openAsBlob(path), basename(path));
  const { table, wide } = session.understand(best, {});
  const isWide = wide !== undefined;
  const { file } = await session.finish({ isWide, codes: undefined, name: 'table', maxBytes: 100_000_000 });
  return { ends: 'table', where: `${table.rowCount} rows, ${file.size} bytes` };
}
