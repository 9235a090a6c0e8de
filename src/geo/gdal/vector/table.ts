import { join } from 'node:path';
import { Problem } from '../../../errors.ts';
import { readFeatures, surveyDocument } from '../../geojson/document.ts';
import { bytesFrom } from '../../geojson/geojson-file.ts';
import { JsonReader } from '../../geojson/json-reader.ts';
import { openBlockWriter } from './block-writer.ts';
import { refuseOtherFormats } from './input.ts';
import type { FindingsCollector } from '../findings-collector.ts';
import type { TableResult } from '../messages.ts';

/** Cells of the whole table; each that is missing costs a `null` in the rows. */
const maxCells = 200_000_000;

/**
 * Reads the properties of all features of a GeoJSON file as a table. GDAL has no part in it: the values are those of the
 * text.
 * @throws {Problem} when the file is no GeoJSON or has no properties.
 */
export async function readTable(
  task: { inputPath: string; scratch: string },
  findings: FindingsCollector,
): Promise<TableResult> {
  await refuseOtherFormats(task.inputPath);
  const survey = await findings.time('read', () => surveyDocument(task.inputPath, { gatherColumns: true }));
  const { columns, featureCount: rowCount } = survey;
  if (columns.length === 0) {
    throw new Problem(
      'invalid',
      'The file has no columns: none of its features has properties, so there is nothing to map.',
    );
  }
  if (columns.length * rowCount > maxCells) {
    throw new Problem(
      'invalid',
      `The table of ${columns.length} columns and ${rowCount} rows is too large; remove columns that are not needed.`,
    );
  }
  const rowsPath = join(task.scratch, 'rows.ndjson');
  const out = await openBlockWriter(rowsPath);
  try {
    for (const { properties } of readFeatures(task.inputPath, survey)) {
      await out.write(rowText(properties, columns));
    }
  } finally {
    await out.close();
  }
  return { columns, rowsPath, rowCount };
}

/** One row as a JSON array in the order of the columns, up to its last value. */
function rowText(properties: Buffer | undefined, columns: readonly string[]): string {
  return `[${cellTexts(properties, columns).join(',')}]\n`;
}

/** The values of one feature as JSON texts without line breaks, in the order of the columns, up to the last there is. */
export function cellTexts(properties: Buffer | undefined, columns: readonly string[]): readonly string[] {
  if (properties === undefined) return [];
  const values = new Map<string, string>();
  const reader = new JsonReader(bytesFrom(properties));
  for (const key of reader.members()) values.set(key, oneLine(reader.capture().toString()));
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
