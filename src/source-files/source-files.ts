import { type Selectable, sql } from 'kysely';
import type { Database, Tables, Transaction } from '../database/tables/tables.ts';
import { type AlsoWrite, inTransaction } from '../database/transaction.ts';
import type { CheckUploaded, FinishDependencies, Uploaded } from '../datasets/resumable/finish.ts';
import { sourceFormatOf, sourceFormats } from '../geo/source.ts';
import { removeResults } from '../jobs/results.ts';
import { invalidFields } from '../lib/errors.ts';
import { sourceFaults, sourceFileProblems } from '../messages/sources/english.ts';
import { publishObject, retireObjects } from '../object-store/ledger.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { sweepObjects } from '../object-store/sweeper.ts';
import type { SourceFile } from './schema.ts';

export type SourceFileRow = Selectable<Tables['source_files']>;

/** A file is kept for this time after rasters were last requested from it. */
const keptDays = 30;
const mostListed = 200;
const sweptAtOnce = 20;
const sweepBudgetMs = 2000;

export function toSourceFile(row: SourceFileRow): SourceFile {
  const { id, filename, size_bytes, sha256, created_at: createdAt, used_at: usedAt } = row;
  const format = sourceFormats.find((each) => each === row.format);
  if (format === undefined) throw new Error(`this release knows no source files of the format ${row.format}`);
  const expiresAt = new Date(usedAt.getTime() + keptDays * 24 * 60 * 60 * 1000);
  return {
    id,
    filename,
    format,
    size_bytes,
    sha256,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}

/**
 * Adds files from which rasters are made to the uploads in pieces. @param others creates the datasets of all other uploads
 */
export function withSourceFiles(others: {
  readonly checkUploaded: CheckUploaded;
  readonly createUploaded: FinishDependencies['createUploaded'];
}): typeof others {
  return {
    async checkUploaded(db, upload) {
      if (!upload.isSource) return await others.checkUploaded(db, upload);
      if (upload.filename === '') throw invalidFields({ file: sourceFaults.nameless });
      if (upload.sizeBytes === 0) throw invalidFields({ file: sourceFaults.empty });
    },
    async createUploaded(parts, upload, alsoWrite) {
      if (!upload.isSource) return await others.createUploaded(parts, upload, alsoWrite);
      return await keepSourceFile(parts.db, upload.file, alsoWrite);
    },
  };
}

type UploadedFile = Parameters<FinishDependencies['createUploaded']>[1]['file'];

/** @throws {Problem} `invalid` if the content has another format. */
async function keepSourceFile(
  db: Database,
  file: UploadedFile,
  alsoWrite: AlsoWrite<Uploaded>,
): Promise<Uploaded> {
  if (file?.draft === undefined || file.sha256 === undefined) throw new Error('a source file was not stored');
  const { draft, filename, sizeBytes, sha256 } = file;
  const format = sourceFormatOf(file.head);
  if (format === undefined) throw invalidFields({ file: sourceFaults.unknownFormat });
  const made = { kind: 'source_file', id: file.datasetId } as const;
  await inTransaction(db, async (trx) => {
    await trx
      .insertInto('source_files')
      .values({
        id: made.id,
        filename,
        format,
        object_key: draft.key,
        size_bytes: sizeBytes,
        sha256: sha256.toString('hex'),
      })
      .execute();
    await publishObject(trx, draft.key);
    await alsoWrite(trx, made);
  });
  return made;
}

/** Returns the newest files. */
export async function listSourceFiles(db: Database): Promise<readonly SourceFile[]> {
  const rows = await db
    .selectFrom('source_files')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(mostListed)
    .execute();
  return rows.map(toSourceFile);
}

/** @throws {Problem} `not_found` */
export async function readSourceFile(db: Database, id: string): Promise<SourceFileRow> {
  const row = await db.selectFrom('source_files').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw sourceFileProblems.notFound();
  return row;
}

/** Deletes a file and its unfinished orders; datasets that were made from it stay. @throws {Problem} `not_found` */
export async function deleteSourceFile(
  { db, objectStore }: { readonly db: Database; readonly objectStore: ObjectStore },
  id: string,
): Promise<void> {
  const retired = await inTransaction(db, async (trx) => await removeSourceFile(trx, id));
  if (retired === undefined) throw sourceFileProblems.notFound();
  await sweepObjects(db, objectStore, { keys: retired, budgetMs: sweepBudgetMs });
}

/** @returns the keys of its objects, which are retired; undefined without such a file */
async function removeSourceFile(trx: Transaction, id: string): Promise<readonly string[] | undefined> {
  const row = await trx
    .deleteFrom('source_files')
    .where('id', '=', id)
    .returning('object_key')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const results = await removeResults(
    trx,
    'results',
    sql`kind in ('source-description', 'source-rasters') and input::jsonb ->> 'sourceId' = ${id}`,
  );
  return [...(await retireObjects(trx, [row.object_key])), ...results];
}

/** Deletes files that have not been used for `keptDays`. Any number of processes may do this at once. @returns their number */
export async function sweepSourceFiles(db: Database): Promise<number> {
  return await inTransaction(db, async (trx) => {
    const old = await trx
      .selectFrom('source_files')
      .select('id')
      .where('used_at', '<', sql<Date>`now() - make_interval(days => ${keptDays})`)
      .limit(sweptAtOnce)
      .forUpdate()
      .skipLocked()
      .execute();
    for (const { id } of old) await removeSourceFile(trx, id);
    return old.length;
  });
}
