import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readParquet } from '../../../test/support/tables/parquet.ts';
import { type ParquetCell, type ParquetColumn, writeParquet } from './parquet.ts';

async function written(...table: Parameters<typeof writeParquet>): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const piece of writeParquet(...table)) pieces.push(Buffer.from(piece));
  return pieces;
}

describe('Parquet', () => {
  test('has each cell as it was, of each type, and null in its place', async () => {
    const columns: readonly ParquetColumn[] = [
      { name: 'text', type: 'text' },
      { name: 'a.b', type: 'number' },
      { name: '', type: 'date' },
      { name: '__proto__x', type: 'whole' },
      { name: 'ok', type: 'boolean' },
      { name: 'bytes', type: 'bytes' },
      { name: 'bbox', type: 'box' },
    ];
    const box = { xmin: -180, ymin: -1.5, xmax: 180, ymax: 90 };
    const bytes = new Uint8Array([0, 255, 1]);
    const rows: readonly (readonly ParquetCell[])[] = [
      ['0071', 0.1 + 0.2, '1969-12-31', 2n ** 63n - 1n, true, bytes, box],
      ['Қ\u{1F33E}"\n', -0, '2024-02-29', -1n, false, new Uint8Array(), null],
      [null, null, null, null, null, null, box],
      ['', 5e-324, '9999-12-31', 0n, null, bytes, null],
    ];
    const table = { columns, rows: [rows.slice(0, 1), [], rows.slice(1)], facts: () => ({ geo: '{}' }) };
    const pieces = await written(table);
    assert.deepEqual(await written(table), pieces);
    const read = await readParquet(Buffer.concat(pieces));
    const days = (cell: ParquetCell | undefined) => (typeof cell === 'string' ? new Date(cell) : null);
    assert.deepEqual(
      read.rows.map((row) => columns.map(({ name }) => row[name] ?? null)),
      rows.map((row) => row.map((cell, at) => (at === 2 ? days(cell) : cell))),
    );
    assert.ok(Object.is(read.rows[1]?.['a.b'], -0));
    assert.deepEqual(read.facts, [{ key: 'geo', value: '{}' }]);
  });

  test('is written group by group, of at most 4 MiB of text and 100,000 cells', async () => {
    const columns: readonly ParquetColumn[] = [
      { name: 'long', type: 'text' },
      { name: 'row', type: 'number' },
    ];
    const long = 'x'.repeat(64 * 1024);
    const rowsOf = (count: number, text: string) =>
      Array.from({ length: count }, (_, row): readonly ParquetCell[] => [text + row, row]);
    const texts = await written({ columns, rows: [rowsOf(70, long)] });
    assert.equal(texts.length, 2);
    assert.equal((await readParquet(Buffer.concat(texts))).groups, 2);
    const cells = await written({ columns, rows: [rowsOf(60_000, '')] });
    const read = await readParquet(Buffer.concat(cells));
    assert.equal(read.groups, 2);
    assert.deepEqual(read.rows.at(-1), { long: '59999', row: 59_999 });
    assert.equal((await readParquet(Buffer.concat(await written({ columns, rows: [] })))).rows.length, 0);
  });
});
