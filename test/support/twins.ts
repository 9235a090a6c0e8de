import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DrawingService } from './tiles.ts';

/** Columns of a dataset that name an object of its own, without those of its style. */
const isObjectColumn = (column: string) => column.endsWith('storage_key') && !column.startsWith('sld_');

/**
 * Makes another ready dataset of one, with copies of its objects and without its style, and gives its id. With `cog` these bytes
 * take the place of its COG, whatever they are: no upload would get them there.
 */
export async function twinOf(
  drawing: Pick<DrawingService, 'query' | 'pathOf'>,
  id: string,
  cog?: Uint8Array,
): Promise<string> {
  const twin = randomUUID();
  const [row = {}] = await drawing.query('select to_jsonb(d) as columns from datasets d where id = $1', [id]);
  const columns = Object.entries(Object(row['columns']));
  const changed: Record<string, unknown> = { id: twin, sld_storage_key: null };
  for (const [column, key] of columns) {
    if (!isObjectColumn(column) || typeof key !== 'string') continue;
    const other = `test/${twin}/${column.replaceAll('_', '-')}`;
    await drawing.query(
      `insert into objects select (jsonb_populate_record(o, jsonb_build_object('key', $2::text))).*
         from objects o where key = $1`,
      [key, other],
    );
    const path = drawing.pathOf(other);
    await mkdir(dirname(path), { recursive: true });
    if (column === 'cog_storage_key' && cog !== undefined) await writeFile(path, cog);
    else await copyFile(drawing.pathOf(key), path);
    changed[column] = other;
  }
  await drawing.query(
    'insert into datasets select (jsonb_populate_record(d, $2::jsonb)).* from datasets d where id = $1',
    [id, JSON.stringify(changed)],
  );
  return twin;
}
