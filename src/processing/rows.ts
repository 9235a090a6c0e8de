import { createReadStream } from 'node:fs';
import { type Cell, splitCells } from '../datasets/cells.ts';
import type { AttributeTable } from '../geo/engine.ts';

/** The rows of an attribute table, one at a time, each cut into the JSON texts of its cells. */
export async function* readRows(
  table: Pick<AttributeTable, 'rowsPath'>,
  signal: AbortSignal,
): AsyncGenerator<Cell[]> {
  for await (const line of readLines(table.rowsPath, signal)) yield splitCells(line);
}

/** Lines end at line feeds alone: JSON strings may hold U+2028 and U+2029, where `readline` would cut too. */
async function* readLines(path: string, signal: AbortSignal): AsyncGenerator<string> {
  let partial: string[] = [];
  const chunks: AsyncIterable<string> = createReadStream(path, { encoding: 'utf8', signal });
  for await (const chunk of chunks) {
    const [rest = '', ...lines] = chunk.split('\n');
    partial.push(rest);
    for (const next of lines) {
      const line = partial.join('');
      if (line !== '') yield line;
      partial = [next];
    }
  }
  const last = partial.join('');
  if (last !== '') yield last;
}
