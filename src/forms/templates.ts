import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { getDatasetGroup } from '../catalogue/dataset-groups.ts';
import type { Database, Tables } from '../database/tables/tables.ts';
import { inTransaction } from '../database/transaction.ts';
import { cleanFileName, extensionOf } from '../datasets/original/file-name.ts';
import { workbookFormats, workbookLimits } from '../geo/spreadsheet.ts';
import { removeResults } from '../jobs/results.ts';
import { type FieldErrors, invalidFields } from '../lib/errors.ts';
import { MiB } from '../lib/units.ts';
import { groupProblems } from '../messages/datasets/english.ts';
import { templateProblems } from '../messages/forms/english.ts';
import { publishObject, retireObjects, writeDraft } from '../object-store/ledger.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { sweepObjects } from '../object-store/sweeper.ts';
import type { FormTemplate } from './form-schema.ts';
import type { Selectable } from 'kysely';

const mostTemplates = 50;
/** Longest time for which a caller waits for the removal of unreachable bytes. */
const sweepBudgetMs = 2000;

export type TemplateRow = Selectable<Tables['form_templates']>;

interface Storage {
  readonly db: Database;
  readonly objectStore: ObjectStore;
}

export interface SentTemplate {
  readonly filename: string | undefined;
  /** The whole file, or more than the limit of it. */
  readonly bytes: Buffer;
}

export function toTemplate(row: TemplateRow): FormTemplate {
  const { id, group_id, filename, format, size_bytes, created_at: createdAt } = row;
  return { id, group_id, filename, format, size_bytes, created_at: createdAt.toISOString() };
}

/** Returns the templates of a group, the oldest first. @throws {Problem} `not_found` for an unknown group */
export async function listTemplates(db: Database, groupId: string): Promise<readonly FormTemplate[]> {
  await getDatasetGroup(db, groupId);
  const rows = await db
    .selectFrom('form_templates')
    .selectAll()
    .where('group_id', '=', groupId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(toTemplate);
}

/** @throws {Problem} `not_found` */
export async function readTemplate(db: Database, id: string): Promise<TemplateRow> {
  const row = await db.selectFrom('form_templates').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw templateProblems.notFound();
  return row;
}

/**
 * Keeps a workbook with a group. Its contents are read later, in a child process.
 * @throws {Problem} `not_found`, `conflict` for too many templates, or `invalid` on `file`
 */
export async function addTemplate(
  { db, objectStore }: Storage,
  groupId: string,
  upload: { readonly file: SentTemplate | undefined; readonly problems: FieldErrors },
): Promise<FormTemplate> {
  await getDatasetGroup(db, groupId);
  const { filename, format, bytes } = checkUpload(upload);
  const id = randomUUID();
  const body = Readable.from([bytes], { objectMode: false });
  await using draft = await writeDraft(db, objectStore, `templates/${groupId}/${id}.${format}`, body);
  const row = await inTransaction(db, async (trx) => {
    // The lock serialises uploads to a group, so that they cannot exceed the limit together.
    const { rows } = await sql`select from dataset_groups where id = ${groupId} for update`.execute(trx);
    if (rows.length === 0) throw groupProblems.notFound();
    const others = await trx
      .selectFrom('form_templates')
      .select('id')
      .where('group_id', '=', groupId)
      .limit(mostTemplates)
      .execute();
    if (others.length >= mostTemplates) throw templateProblems.tooMany(mostTemplates);
    await publishObject(trx, draft.key);
    return await trx
      .insertInto('form_templates')
      .values({
        id,
        group_id: groupId,
        filename,
        format,
        object_key: draft.key,
        size_bytes: bytes.length,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  return toTemplate(row);
}

/** Deletes a template with its filled forms. @throws {Problem} `not_found` */
export async function deleteTemplate({ db, objectStore }: Storage, id: string): Promise<void> {
  const retired = await inTransaction(db, async (trx) => {
    const row = await trx
      .deleteFrom('form_templates')
      .where('id', '=', id)
      .returning('object_key')
      .executeTakeFirst();
    if (row === undefined) throw templateProblems.notFound();
    const made = await removeResults(
      trx,
      'results',
      sql`kind in ('template-layout', 'form') and input::jsonb ->> 'templateId' = ${id}`,
    );
    return [...(await retireObjects(trx, [row.object_key])), ...made];
  });
  await sweepObjects(db, objectStore, { keys: retired, budgetMs: sweepBudgetMs });
}

const isArchive = (bytes: Buffer): boolean => bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004';

function checkUpload({ file, problems }: Parameters<typeof addTemplate>[2]) {
  if (Object.keys(problems).length > 0) throw invalidFields(problems);
  if (file === undefined) throw templateProblems.noFile();
  const filename = cleanFileName(file.filename ?? '');
  const extension = extensionOf(filename);
  const format = workbookFormats.find((each) => extension === `.${each}`);
  if (extension === '.xlsm' || extension === '.xltm' || extension === '.xlsb')
    throw templateProblems.withMacros();
  if (extension === '.xls') throw templateProblems.oldFormat();
  if (format === undefined) throw templateProblems.wrongExtension();
  if (file.bytes.length > workbookLimits.packedBytes)
    throw templateProblems.tooLarge(workbookLimits.packedBytes / MiB);
  if (!isArchive(file.bytes)) throw templateProblems.notArchive();
  return { filename, format, bytes: file.bytes };
}
