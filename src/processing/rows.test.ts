import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readRows } from './rows.ts';

const folder = await mkdtemp(join(tmpdir(), 'steppe-test-'));
after(async () => await rm(folder, { recursive: true }));

async function rowsOf(content: string, signal = new AbortController().signal): Promise<string[][]> {
  const rowsPath = join(folder, 'rows.jsonl');
  await writeFile(rowsPath, content);
  return await Array.fromAsync(readRows({ rowsPath }, signal));
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
  await assert.rejects(rowsOf('[1]\n', AbortSignal.abort()), { name: 'AbortError' });
});
