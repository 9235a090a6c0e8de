import { createReadStream } from 'node:fs';
import { type Cell, splitCells } from './cells.ts';
import { tableProblems } from '../messages/datasets/english.ts';
import { type AttributeTable, EngineDied, type FeatureTable } from '../geo/engine.ts';
import { KiB, MiB } from '../lib/units.ts';

/** Each row is held in memory. */
const maxRowCharacters = 32 * MiB;
const chunkBytes = 256 * KiB;

/** The engine's description of the rows of an attribute table. */
export type SaidOfRows = Pick<AttributeTable, 'rowCount' | 'columns'> &
  Partial<Pick<FeatureTable, 'beginsWith'>>;

/** Reads the text of a file of rows in chunks. */
export async function* openRows(path: string, signal: AbortSignal): AsyncGenerator<string> {
  const chunks: AsyncIterable<string> = createReadStream(path, {
    encoding: 'utf8',
    signal,
    highWaterMark: chunkBytes,
  });
  yield* chunks;
}

/**
 * Reads the rows of an attribute table one by one, each split into the JSON texts of its cells.
 * @throws {Problem} if a row is too long.
 * @throws {EngineDied} if the rows differ from the engine's announcement.
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
 * Splits text only at line feeds: JSON strings may contain U+2028 and U+2029, where `readline` also splits. Empty lines are skipped.
 * @throws {Problem} if a line is too long.
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
