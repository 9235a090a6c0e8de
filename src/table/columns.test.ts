import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../lib/errors.ts';
import { detectColumns } from './columns.ts';

async function* rows(...items: readonly (readonly string[])[]): AsyncGenerator<readonly string[]> {
  yield* items;
}

test('samples are up to five distinct values as text, without the empty ones', async () => {
  const cells = ['"a"', 'null', '"a"', '" "', '1.50', '1.5', 'true', '[1, 2]', '"b"', '"c"'];
  const { columns } = await detectColumns(['x', 'none'], rows(...cells.map((cell) => [cell])));
  assert.deepEqual(columns, [
    { name: 'x', samples: ['a', '1.5', 'true', '[1,2]', 'b'] },
    { name: 'none', samples: [] },
  ]);
});

test('of thousands of columns fewer samples are shown, one of each at least', async () => {
  const samplesOf = async (count: number) => {
    const names = Array.from({ length: count }, (_, index) => `c${index}`);
    const row = (cell: string) => names.map(() => cell);
    const { columns } = await detectColumns(names, rows(row('1'), row('2'), row('3'), row('4'), row('5')));
    return columns.at(-1)?.samples?.length;
  };
  assert.deepEqual(await Promise.all([10_000, 20_000, 50_000].map(samplesOf)), [5, 2, 1]);
});

test('a long sample is shown shortened, and no character is cut in half', async () => {
  const long = `"${'😀'.repeat(1000)}"`;
  const { columns } = await detectColumns(['x'], rows([long], ['"short"']));
  assert.deepEqual(columns, [{ name: 'x', samples: [`${'😀'.repeat(200)}…`, 'short'] }]);
});

test('the commas of a column are decided by all its rows, also those after the samples', async () => {
  const ambiguous = ['"1,001"', '"1,002"', '"1,003"', '"1,004"', '"1,005"', '"1,006"'].map((cell) => [
    cell,
    cell,
  ]);
  const { formats } = await detectColumns(['a', '__proto__'], rows(...ambiguous, ['"1,000,000"', '"0,5"']));
  assert.deepEqual(formats, [
    { column: 'a', commas: 'thousands' },
    { column: '__proto__', commas: 'decimal' },
  ]);
});

test('a table without columns is refused with what to do', async () => {
  await assert.rejects(detectColumns([], rows()), (error) => {
    assert.ok(error instanceof Problem);
    assert.match(error.message, /no columns.*add a column/);
    return true;
  });
});
