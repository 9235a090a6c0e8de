import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { sql, type RawBuilder } from 'kysely';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import { inTransaction, nextUpdatedAt } from '../../database/transaction.ts';
import { type FieldErrors, invalidFields } from '../../lib/errors.ts';
import { ignore } from '../../lib/concurrency/promises.ts';
import { datasetProblems, groupProblems } from '../../messages/datasets/english.ts';
import { sldProblems } from '../../messages/drawing/english.ts';
import { publishObject, retireObjects, writeDraft } from '../../object-store/ledger.ts';
import { sweepObjects } from '../../object-store/sweeper.ts';
import { replaceFiles, styleKeyOfDataset } from '../../datasets/files.ts';
import { cleanFileName, contentTypeOf, extensionOf } from '../../datasets/original/file-name.ts';
import type { Undrawn } from '../../../common/maps/style/undrawn.ts';
import { compileSound, keepCompiledStyle, type StyleDependencies } from './compiled-styles.ts';
import { decodeSld } from './sld.ts';

/** Longest time for which a caller waits for the removal of unreachable bytes. */
const sweepBudgetMs = 2000;
const extensions: readonly string[] = ['.sld', '.xml'];

/** A dataset or a dataset group with a style. */
export interface StyleOwner {
  readonly table: 'datasets' | 'dataset_groups';
  readonly id: string;
}

export interface SentStyle {
  readonly filename: string | undefined;
  readonly mediaType: string | undefined;
  /** The whole file, or more than `maxSldBytes` of it. */
  readonly bytes: Buffer;
}

interface StyleUpload {
  /** Absent if the form had no file. */
  readonly file: SentStyle | undefined;
  /** Errors of unreadable parts, by name of the part. */
  readonly problems: FieldErrors;
}

/**
 * Stores an SLD unchanged in place of the previous one, with its compiled form.
 * @returns its undrawn parts
 * @throws {Problem} `not_found`, or `invalid` on `file`.
 */
export async function replaceStyle(
  { db, objectStore, compileStyle }: StyleDependencies,
  owner: StyleOwner,
  upload: StyleUpload,
): Promise<readonly Undrawn[]> {
  await requireOwner(db, owner);
  const { filename, contentType, bytes, text } = checkStyle(upload);
  // Started at once: a thread that has to start first and a hanging store would together exceed the time limit of an
  // answer.
  const compiling = compileSound(compileStyle, text);
  compiling.catch(ignore); // handled below, unless the store fails first
  const body = Readable.from([bytes], { objectMode: false });
  await using draft = await writeDraft(db, objectStore, `styles/${owner.id}/${randomUUID()}.sld`, body);
  const { compiled, leftOut } = await compiling;
  const retired = await inTransaction(db, async (trx) => {
    // The lock serialises concurrent replacements: each retires the style that it replaces.
    await requireOwner(trx, owner, sql`for update`);
    await sql`update ${sql.table(owner.table)}
      set sld_filename = ${filename}, sld_content_type = ${contentType}, updated_at = ${nextUpdatedAt}
      where id = ${owner.id}`.execute(trx);
    const replaced = await replaceKey(trx, owner, draft.key);
    await keepCompiledStyle(trx, draft.key, compiled);
    return replaced;
  });
  await sweepObjects(db, objectStore, { keys: retired, budgetMs: sweepBudgetMs });
  return leftOut;
}

/**
 * Removes the style of a dataset itself, which then uses the style of its group again.
 * @throws {Problem} `not_found`, also if the dataset has no style of its own
 */
export async function removeOwnStyle(
  { db, objectStore }: Pick<StyleDependencies, 'db' | 'objectStore'>,
  id: string,
): Promise<void> {
  const owner = { table: 'datasets', id } as const;
  const retired = await inTransaction(db, async (trx) => {
    await requireOwner(trx, owner, sql`for update`);
    const keys = await replaceFiles(trx, id, [], ['sld']);
    if (keys.length === 0) throw sldProblems.noneOfItsOwn();
    await trx
      .updateTable('datasets')
      .set({ sld_filename: null, sld_content_type: null, updated_at: nextUpdatedAt })
      .where('id', '=', id)
      .execute();
    return keys;
  });
  await sweepObjects(db, objectStore, { keys: retired, budgetMs: sweepBudgetMs });
}

async function replaceKey(trx: Transaction, { table, id }: StyleOwner, key: string): Promise<string[]> {
  if (table === 'datasets') return await replaceFiles(trx, id, [{ kind: 'sld', key }]);
  const before = await readKeyOfGroup(trx, id);
  await publishObject(trx, key);
  await trx.updateTable('dataset_groups').set({ sld_storage_key: key }).where('id', '=', id).execute();
  return await retireObjects(trx, [before]);
}

/** Returns the key of a group's or dataset's style; a dataset may share its group's. @throws {Problem} `not_found` */
export async function getStyleKey(db: Database, owner: StyleOwner): Promise<string> {
  const read = owner.table === 'datasets' ? readKeyOfDataset : readKeyOfGroup;
  const key = await read(db, owner.id);
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

async function readKeyOfGroup(db: Database, id: string): Promise<string | null> {
  const { sld_storage_key: key } = await db
    .selectFrom('dataset_groups')
    .select('sld_storage_key')
    .where('id', '=', id)
    .executeTakeFirstOrThrow(groupProblems.notFound);
  return key;
}

async function requireOwner(db: Database, { table, id }: StyleOwner, lock: RawBuilder<unknown> = sql``) {
  const { rows } = await sql`select from ${sql.table(table)} where id = ${id} ${lock}`.execute(db);
  if (rows.length === 0) throw table === 'datasets' ? datasetProblems.notFound() : groupProblems.notFound();
}

function checkStyle({ file: sent, problems }: StyleUpload) {
  if (Object.keys(problems).length > 0) throw invalidFields(problems);
  if (sent === undefined) throw sldProblems.missing();
  const filename = cleanFileName(sent.filename ?? '');
  if (!extensions.includes(extensionOf(filename))) throw sldProblems.wrongExtension(extensions);
  const text = decodeSld(sent.bytes);
  return { filename, contentType: contentTypeOf(sent.mediaType, filename), bytes: sent.bytes, text };
}
