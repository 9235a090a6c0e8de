import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DrawingService } from './tiles.ts';

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
  await drawing.query(
    `insert into datasets select (jsonb_populate_record(d, jsonb_build_object('id', $2::text) || coalesce((
       select jsonb_object_agg(name, null::text) from jsonb_object_keys(to_jsonb(d)) name
        where name like '%storage\\_key'), '{}'))).*
     from datasets d where id = $1`,
    [id, twin],
  );
  const statement = `select kind, encoding, object_key as key from dataset_files where dataset_id = $1 and kind <> 'sld'`;
  const files = await drawing.query(statement, [id]);
  for (const { kind, encoding, key } of files) {
    const other = `test/${twin}/${String(kind).replaceAll('_', '-')}-${String(encoding)}`;
    await drawing.query(
      `insert into objects select (jsonb_populate_record(o, jsonb_build_object('key', $2::text))).*
         from objects o where key = $1`,
      [key, other],
    );
    const path = drawing.pathOf(other);
    await mkdir(dirname(path), { recursive: true });
    if (kind === 'cog' && cog !== undefined) await writeFile(path, cog);
    else await copyFile(drawing.pathOf(String(key)), path);
    await drawing.query(
      `insert into dataset_files select $1::uuid, kind, encoding, $2, made_from from dataset_files
        where object_key = $3 and kind = $4`,
      [twin, other, key, kind],
    );
  }
  return twin;
}
