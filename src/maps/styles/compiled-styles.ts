import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import { type CompiledStyle, parseCompiledStyle } from '../../../common/maps/style/compiled-style.ts';
import type { StyleResult } from '../../../common/maps/style/sld-compile.ts';
import { decodeXml, explainFault } from './sld.ts';

export type CompileStyle = (text: string) => Promise<StyleResult>;

export interface StyleDependencies {
  readonly db: Database;
  readonly objectStore: ObjectStore;
  readonly compileStyle: CompileStyle;
}

/** Compiles the text of an SLD. @throws {Problem} `invalid` on `file`, with the reason. */
export async function compileSound(compileStyle: CompileStyle, text: string) {
  const compiled = await compileStyle(text);
  if ('fault' in compiled) throw explainFault(text, compiled.fault);
  return compiled;
}

/** Stores a compiled style while the style is live. The row is deleted with the bytes of the style. */
export async function keepCompiledStyle(
  db: Database | Transaction,
  key: string,
  compiled: string,
): Promise<void> {
  await sql`insert into compiled_styles (sld_storage_key, compiled)
    select key, ${compiled} from objects where key = ${key} and state = 'live' for key share
    on conflict (sld_storage_key) do update set compiled = excluded.compiled`.execute(db);
}

/**
 * Reads the drawable part of a stored style. A style from before compilation, or compiled by another version, is
 * compiled and stored now; any number of processes may do so at once.
 * @throws {ObjectMissing} if it has been replaced or deleted meanwhile.
 */
export async function readCompiledStyle(
  { db, objectStore, compileStyle }: StyleDependencies,
  key: string,
): Promise<CompiledStyle> {
  const row = await db
    .selectFrom('compiled_styles')
    .select('compiled')
    .where('sld_storage_key', '=', key)
    .executeTakeFirst();
  const kept = row === undefined ? undefined : parseCompiledStyle(row.compiled);
  if (kept !== undefined) return kept;
  const text = decodeXml(await buffer(await objectStore.read(key)));
  const { compiled } = await compileSound(compileStyle, text);
  await keepCompiledStyle(db, key, compiled);
  const style = parseCompiledStyle(compiled);
  if (style === undefined) throw new Error(`the style ${key} was compiled by another version`);
  return style;
}
