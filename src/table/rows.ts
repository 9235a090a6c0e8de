import { createReadStream } from 'node:fs';
import { type Cell, splitCells } from './cells.ts';
import { tableProblems } from '../messages/datasets.ts';
import { type AttributeTable, EngineDied, type FeatureTable } from '../geo/engine.ts';
import { KiB, MiB } from '../lib/units.ts';

/** A row is in memory as a whole. */
const maxRowCharacters = 32 * MiB;
const chunkBytes = 256 * KiB;

/** Facts about the rows of an attribute table. */
export type SaidOfRows = Pick<AttributeTable, 'rowCount' | 'columns'> &
  Partial<Pick<FeatureTable, 'beginsWith'>>;

/** Reads the text of a file of rows, piece by piece. */
export async function* openRows(path: string, signal: AbortSignal): AsyncGenerator<string> {
  const chunks: AsyncIterable<string> = createReadStream(path, {
    encoding: 'utf8',
    signal,
    highWaterMark: chunkBytes,
  });
  yield* chunks;
}

/**
 * Reads the rows of an attribute table, one at a time, each cut into the JSON texts of its cells.
 * @throws {Problem} when a row is too long to be read.
 * @throws {EngineDied} when the rows are not those that the engine has announced.
 */
export async function* readRows(said: SaidOfRows, lines: AsyncIterable<string>): AsyncGenerator<Cell[]> {
  const maxCells = said.columns.length + (said.beginsWith === 'geometry' ? 1 : 0);
  let read = 0;
  for await (const line of lines) {
    read += 1;
    if (read > said.rowCount) throw new EngineDied(`there are more rows than ${said.rowCount}`);
    if (!line.startsWith('[') || !line.endsWith(']')) throw new EngineDied(`row ${read} is no array`);
    const cells = splitCells(line, maxCells);
    if (cells.length > maxCells) throw new EngineDied(`row ${read} has more than ${maxCells} cells`);
    yield cells;
  }
  if (read < said.rowCount) throw new EngineDied(`there are ${read} rows instead of ${said.rowCount}`);
}

/**
 * Cuts text at line feeds alone: JSON strings may hold U+2028 and U+2029, where `readline` would cut too. Empty lines are left
 * out. @throws {Problem} when a line is too long to be read.
 */
export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let partial: string[] = [];
  let length = 0;
  let finished = 0;
  for await (const chunk of chunks) {
    const [rest = '', ...lines] = chunk.split('\n');
    partial.push(rest);
    length += rest.length;
    for (const next of lines) {
      if (length > 0) yield partial.join('');
      finished += 1;
      partial = [next];
      length = next.length;
    }
    if (length > maxRowCharacters) throw tableProblems.longRow(finished + 1, maxRowCharacters / MiB);
  }
  if (length > 0) yield partial.join('');
}
