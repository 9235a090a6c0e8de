import { join } from 'node:path';
import { JsonReader } from '../../../json/json-reader.ts';
import { vectorProblems, vectorWarnings } from '../../../messages/vector.ts';
import { maxTableCells } from '../../engine.ts';
import type { FindingsCollector } from '../../findings-collector.ts';
import { bytesFrom } from '../../formats/geojson/geojson-file.ts';
import type { VectorFile } from '../../formats/features/vector-file.ts';
import type { TableResult } from '../../answers.ts';
import { describeFeatures, openVectorFile, type VectorTask } from './open.ts';
import { writeText } from './text-file.ts';

/**
 * Reads the attribute table of a vector file; geometry is ignored.
 * @throws {Problem} when the file cannot be read, has no columns or too many cells.
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

/** A shapefile without a `.dbf` has no texts, and so no encoding of them. */
function isShapesAlone({ driver, encoding }: VectorFile['source']): boolean {
  return driver === 'ESRI Shapefile' && encoding === null;
}

/**
 * Returns the values of one feature as JSON texts without line breaks, in the order of the columns, up to its last. The
 * last value of a name that comes several times holds, and `onRepeated` hears of that.
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

/** Line breaks between the parts of a nested value become blanks; those that some readers see inside texts are escaped. */
function oneLine(json: string): string {
  return json
    .replace(/[\r\n]/g, ' ')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
