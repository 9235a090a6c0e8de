import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { Database, Tables } from '../../database/tables.ts';
import { inTransaction, nextUpdatedAt } from '../../database/transaction.ts';
import { type FieldErrors, invalidFields } from '../../lib/errors.ts';
import { ignore } from '../../lib/promises.ts';
import { datasetProblems, groupProblems } from '../../messages/datasets.ts';
import { sldProblems } from '../../messages/drawing.ts';
import { publishObject, retireObjects, writeDraft } from '../../object-store/ledger.ts';
import { sweepObjects } from '../../object-store/sweeper.ts';
import { cleanFileName, contentTypeOf, extensionOf } from '../original/file-name.ts';
import type { Undrawn } from '../../maps/style/undrawn.ts';
import { compileSound, keepCompiledStyle, type StyleDependencies } from './compiled-styles.ts';
import { decodeSld } from './sld.ts';

/** The longest time for which a caller waits until unreachable bytes are removed. */
const sweepBudgetMs = 2000;
const extensions: readonly string[] = ['.sld', '.xml'];

type StyledTable = 'datasets' | 'dataset_groups';

/** A dataset or a dataset group, which carries a style. */
export interface StyleOwner<T extends StyledTable = StyledTable> {
  readonly table: T;
  readonly id: string;
}

export interface SentStyle {
  readonly filename: string | undefined;
  readonly mediaType: string | undefined;
  /** The whole file, or more of it than `maxSldBytes`. */
  readonly bytes: Buffer;
}

interface StyleUpload {
  /** Absent when the form had no file. */
  readonly file: SentStyle | undefined;
  /** Errors of parts that could not be read, by the name of the part. */
  readonly problems: FieldErrors;
}

/** The owner with its new style, and what of the style is not drawn. */
interface Replaced<T extends StyledTable> {
  readonly row: Selectable<Tables[T]>;
  readonly leftOut: readonly Undrawn[];
}

/**
 * Stores an SLD as it is, in place of the one before, with what can be drawn of it.
 * @throws {Problem} `not_found`, or `invalid` on `file`.
 */
export async function replaceStyle<T extends StyledTable>(
  { db, objectStore, compileStyle }: StyleDependencies,
  owner: StyleOwner<T>,
  upload: StyleUpload,
): Promise<Replaced<T>> {
  await getOwner(db, owner);
  const { filename, contentType, bytes, text } = checkStyle(upload);
  // At once: a thread that has to start first and a store that hangs would take longer than an answer may.
  const compiling = compileSound(compileStyle, text);
  compiling.catch(ignore); // handled below, unless the store fails first
  const body = Readable.from([bytes], { objectMode: false });
  await using draft = await writeDraft(db, objectStore, `styles/${owner.id}/${randomUUID()}.sld`, body);
  const { compiled, leftOut } = await compiling;
  const { row, retired } = await inTransaction(db, async (trx) => {
    // The lock lets concurrent replacements through one by one: each retires the style that it replaces.
    const before = await getOwner(trx, owner, sql`for update`);
    await publishObject(trx, draft.key);
    await keepCompiledStyle(trx, draft.key, compiled);
    const updated = await sql<Selectable<Tables[T]>>`
      update ${sql.table(owner.table)}
         set sld_storage_key = ${draft.key}, sld_filename = ${filename}, sld_content_type = ${contentType},
             updated_at = ${nextUpdatedAt}
       where id = ${owner.id} returning *`.execute(trx);
    return { row: updated.rows[0], retired: await retireObjects(trx, [before.sld_storage_key]) };
  });
  if (row === undefined) throw new Error(`the locked row of ${owner.table} ${owner.id} went away`);
  await sweepObjects(db, objectStore, { keys: retired, budgetMs: sweepBudgetMs });
  return { row, leftOut };
}

/** The key of the style of a dataset: its own, else that of its group. The query joins `dataset_groups`. */
export const styleKeyOfDataset = sql<
  string | null
>`coalesce(datasets.sld_storage_key, dataset_groups.sld_storage_key)`;

/** Returns the key of a group's or dataset's style; a dataset may share its group's. @throws {Problem} `not_found` */
export async function getStyleKey(db: Database, owner: StyleOwner): Promise<string> {
  const key =
    owner.table === 'datasets'
      ? await readKeyOfDataset(db, owner.id)
      : (await getOwner(db, owner)).sld_storage_key;
  if (key === null) throw sldProblems.none();
  return key;
}

async function readKeyOfDataset(db: Database, id: string): Promise<string | null> {
  const { key } = await db
    .selectFrom('datasets')
    .leftJoin('dataset_groups', 'dataset_groups.id', 'datasets.dg_id')
    .select(styleKeyOfDataset.as('key'))
    .where('datasets.id', '=', id)
    .executeTakeFirstOrThrow(datasetProblems.notFound);
  return key;
}

async function getOwner(db: Database, { table, id }: StyleOwner, lock: RawBuilder<unknown> = sql``) {
  const { rows } = await sql<{ sld_storage_key: string | null }>`
    select sld_storage_key from ${sql.table(table)} where id = ${id} ${lock}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw table === 'datasets' ? datasetProblems.notFound() : groupProblems.notFound();
  return row;
}

function checkStyle({ file: sent, problems }: StyleUpload) {
  if (Object.keys(problems).length > 0) throw invalidFields(problems);
  if (sent === undefined) throw sldProblems.missing();
  const filename = cleanFileName(sent.filename ?? '');
  if (!extensions.includes(extensionOf(filename))) throw sldProblems.wrongExtension(extensions);
  const text = decodeSld(sent.bytes);
  return { filename, contentType: contentTypeOf(sent.mediaType, filename), bytes: sent.bytes, text };
}
