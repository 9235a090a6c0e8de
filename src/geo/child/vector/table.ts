import { join } from 'node:path';
import { Problem } from '../../../common/errors.ts';
import { maxTableCells } from '../../engine.ts';
import { bytesFrom } from '../../formats/geojson/geojson-file.ts';
import { JsonReader } from '../../../json/json-reader.ts';
import type { FindingsCollector } from '../../findings-collector.ts';
import type { TableResult } from '../../protocol.ts';
import { openBlockWriter } from './block-writer.ts';
import { openVectorFile, type VectorTask } from './open.ts';
import type { VectorFile } from '../../formats/features/vector-file.ts';

/**
 * Reads the attribute table of a vector file; geometry is not looked at.
 * @throws {Problem} when the file can not be read or has no columns.
 */
export async function readTable(task: VectorTask, findings: FindingsCollector): Promise<TableResult> {
  const file = await openVectorFile(task, { findings, gatherColumns: true });
  const { columns } = file;
  if (columns.length === 0) throw noColumns();
  const rowsPath = join(task.scratch, 'rows.ndjson');
  const out = await openBlockWriter(rowsPath);
  const rowCount = await findings.time('read', async () => {
    let rows = 0;
    try {
      for (const { properties } of file.features({ geometry: false })) {
        rows += 1;
        if (rows * columns.length > maxTableCells) throw tooLarge(columns.length);
        await out.write(rowText(properties, columns));
      }
    } finally {
      await out.close();
    }
    return rows;
  });
  describeRows(file, rowCount, findings);
  return { columns, rowsPath, rowCount };
}

/** Notes how many features there really are. */
function describeRows(file: VectorFile, rowCount: number, findings: FindingsCollector): void {
  const { source } = file;
  const layers = source.layers.map((layer) =>
    source.layer === null || layer.name === source.layer ? { ...layer, features: rowCount } : layer,
  );
  findings.setSource({ ...source, layers, crs: null, extent: null });
  if (rowCount === 0) findings.warn('empty_layer', 'The file has no features.');
}

function noColumns(): Problem {
  return new Problem(
    'invalid',
    'The file has no columns: none of its features has properties, so there is nothing to map.',
  );
}

function tooLarge(columns: number): Problem {
  return new Problem(
    'invalid',
    `The table has ${columns} columns and more than ${Math.floor(maxTableCells / columns)} rows, which is too large; remove columns that are not needed.`,
  );
}

/** One row as a JSON array in the order of the columns, up to its last value. */
function rowText(properties: Buffer | undefined, columns: readonly string[]): string {
  return `[${cellTexts(properties, columns).join(',')}]\n`;
}

/** The values of one feature as JSON texts without line breaks, in the order of the columns, up to the last there is. */
export function cellTexts(properties: Buffer | undefined, columns: readonly string[]): readonly string[] {
  if (properties === undefined) return [];
  const values = new Map<string, string>();
  const reader = new JsonReader(bytesFrom(properties), properties.length);
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
