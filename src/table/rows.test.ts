import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/for-tests.ts';
import { EngineDied } from '../geo/engine.ts';
import { linesOf, openRows, readRows } from './rows.ts';

interface Said {
  readonly signal: AbortSignal;
  readonly rowCount: number;
  readonly columns: readonly string[];
  readonly beginsWith: 'geometry';
}

const folder = await temporaryFolder();

/** Reads the rows of a table with two columns, which announces their true number by default. */
async function rowsOf(
  content: string,
  { signal = new AbortController().signal, ...said }: Partial<Said> = {},
): Promise<string[][]> {
  const rowsPath = join(folder, 'rows.jsonl');
  await writeFile(rowsPath, content);
  const rowCount = content.split('\n').filter((line) => line !== '').length;
  const lines = linesOf(openRows(rowsPath, signal));
  return await Array.fromAsync(readRows({ rowCount, columns: ['a', 'b'], ...said }, lines));
}

test('every line is a row, the last one also without a line feed', async () => {
  assert.deepEqual(await rowsOf('[1,"a"]\n[2]\n'), [['1', '"a"'], ['2']]);
  assert.deepEqual(await rowsOf('[1]\n[]'), [['1'], []]);
  assert.deepEqual(await rowsOf(''), []);
});

test('line separators inside of text do not end a row', async () => {
  const text = JSON.stringify('a\u2028b\u2029c\u0085d');
  assert.deepEqual(await rowsOf(`[${text}]\n[1]\n`), [[text], ['1']]);
});

test('rows longer than a chunk, and letters across its end, stay whole', async () => {
  const cells = ['я', 'яя', 'ярус'].map((word) => JSON.stringify(word.repeat(70_000)));
  assert.deepEqual(
    await rowsOf(cells.map((cell) => `[${cell}]\n`).join('')),
    cells.map((cell) => [cell]),
  );
});

test('an aborted reader stops', async () => {
  await assert.rejects(rowsOf('[1]\n', { signal: AbortSignal.abort() }), { name: 'AbortError' });
});

test('rows beyond what was announced, or fewer, are not those of the engine', async () => {
  await assert.rejects(rowsOf('[1]\n[2]\n', { rowCount: 1 }), EngineDied);
  await assert.rejects(rowsOf('[1]\n[2]\n', { rowCount: 3 }), EngineDied);
});

test('a row has no more cells than there are columns, and a geometry where one is announced', async () => {
  await assert.rejects(rowsOf('[1,2,3]\n'), EngineDied);
  assert.deepEqual(await rowsOf('[null,2,3]\n', { beginsWith: 'geometry' }), [['null', '2', '3']]);
  await assert.rejects(rowsOf('[null,2,3,4]\n', { beginsWith: 'geometry' }), EngineDied);
});

test('what is not an array is not a row', async () => {
  for (const line of ['{"a":1}', '1', '[1', '1]', 'null'])
    await assert.rejects(rowsOf(`${line}\n`), EngineDied);
});

test('a row that is too long to be held ends the reading with its number', async () => {
  await assert.rejects(rowsOf(`[1]\n["${'a'.repeat(33 * 1024 * 1024)}"]\n`), {
    name: 'Problem',
    message: /^Row 2 of the attribute table has more than 32 million characters; shorten/,
  });
});
