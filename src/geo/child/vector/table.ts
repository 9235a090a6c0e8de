import { join } from 'node:path';
import { JsonReader } from '../../../json/json-reader.ts';
import { vectorProblems, vectorWarnings } from '../../../messages/vector/english.ts';
import { maxTableCells } from '../../engine.ts';
import type { FindingsCollector } from '../../gather-findings.ts';
import { bytesFrom } from '../../formats/geojson/geojson-file.ts';
import type { VectorFile } from '../../formats/features/geometry.ts';
import type { TableResult, FeaturesResult } from '../../protocol.ts';
import { describeFeatures, openVectorFile, type VectorTask } from './open.ts';
import { geometryText } from './geometry-text.ts';
import { chooseReferenceSystem } from './reference-system.ts';
import { createUnion } from './unions.ts';
import { writeFile } from 'node:fs/promises';
import { MiB } from '../../../lib/units.ts';

/**
 * Reads the attribute table of a vector file without geometry.
 * @throws {Problem} if the file cannot be read, has no columns or too many cells.
 */
export async function readTable(task: VectorTask, findings: FindingsCollector): Promise<TableResult> {
  const file = await openVectorFile(task, { findings, gatherColumns: true });
  const { columns } = file;
  if (columns.length === 0)
    throw isShapesAlone(file.source) ? vectorProblems.noTable() : vectorProblems.noColumns();
  const maxRows = Math.floor(maxTableCells / columns.length);
  const rowsPath = join(task.scratch, 'rows.ndjson');
  let rowCount = 0;
  let repeated: { readonly column: string; readonly feature: number } | undefined;
  function* rows(): Generator<string> {
    for (const { properties } of file.features({ geometry: false })) {
      rowCount += 1;
      if (rowCount > maxRows) throw vectorProblems.tooManyCells(columns.length, maxRows);
      const cells = cellTexts(properties, columns, (column) => (repeated ??= { column, feature: rowCount }));
      yield `[${cells.join(',')}]\n`;
    }
  }
  await findings.time('read', () => writeText(rowsPath, rows()));
  if (repeated !== undefined)
    findings.warn('property_repeated', vectorWarnings.repeated(repeated.column, repeated.feature));
  describeFeatures(file, findings, { features: rowCount });
  return { columns, rowsPath, rowCount };
}

/** A shapefile without a `.dbf` has no texts, hence no encoding. */
function isShapesAlone({ driver, encoding }: VectorFile['source']): boolean {
  return driver === 'ESRI Shapefile' && encoding === null;
}

/**
 * Returns the values of one feature as JSON texts without line breaks, in column order, up to its last. The last value
 * of a repeated name wins, and is reported to `onRepeated`.
 */
export function cellTexts(
  properties: Buffer | undefined,
  columns: readonly string[],
  onRepeated?: (name: string) => void,
): readonly string[] {
  if (properties === undefined) return [];
  const values = new Map<string, string>();
  const reader = new JsonReader(bytesFrom(properties), properties.length);
  for (const key of reader.members()) {
    if (values.has(key)) onRepeated?.(key);
    values.set(key, oneLine(reader.capture().toString()));
  }
  const cells: string[] = [];
  for (const column of columns) {
    if (values.size === 0) break;
    cells.push(values.get(column) ?? 'null');
    values.delete(column);
  }
  return cells;
}

/** Replaces line breaks between the parts of a nested value by spaces, and escapes those that some readers see inside texts. */
function oneLine(json: string): string {
  return json
    .replace(/[\r\n]/g, ' ')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

/**
 * Reads all features one by one: their geometry, valid by RFC 7946, and their properties.
 * @throws {Problem} if the file cannot be read or its coordinates have no place in WGS 84.
 */
export async function readFeatureTable(
  task: VectorTask,
  findings: FindingsCollector,
): Promise<FeaturesResult> {
  const file = await openVectorFile(task, { findings, gatherColumns: true });
  const system = chooseReferenceSystem(file.crs);
  const rowsPath = join(task.scratch, 'features.ndjson');
  let rowCount = 0;
  function* rows(): Generator<string> {
    for (const { geometry, properties } of file.features({ geometry: true })) {
      rowCount += 1;
      const union = createUnion();
      if (geometry !== undefined) union.add(system.toWgs84(geometry.parts, `feature ${rowCount}`));
      yield '[';
      yield* geometryText(union.finish());
      for (const cell of cellTexts(properties, file.columns)) yield `,${cell}`;
      yield ']\n';
    }
  }
  await writeText(rowsPath, rows());
  return { columns: file.columns, rowsPath, rowCount, beginsWith: 'geometry' };
}

type Pieces = Iterable<string | Uint8Array>;

/** Writes many small pieces of text to a file in large blocks. */
export const writeText = (file: Parameters<typeof writeFile>[0], pieces: Pieces): Promise<void> =>
  writeFile(file, inBlocks(pieces));

function* inBlocks(pieces: Pieces): Generator<Uint8Array> {
  let block = Buffer.allocUnsafe(MiB);
  let used = 0;
  for (const piece of pieces) {
    const bytes = Buffer.byteLength(piece);
    if (used + bytes > block.length) {
      yield block.subarray(0, used);
      block = Buffer.allocUnsafe(Math.max(MiB, bytes));
      used = 0;
    }
    if (typeof piece === 'string') block.write(piece, used);
    else block.set(piece, used);
    used += bytes;
  }
  yield block.subarray(0, used);
}
