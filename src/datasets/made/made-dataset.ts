import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Transaction } from '../../database/tables/tables.ts';
import { inTransaction, nextUpdatedAt } from '../../database/transaction.ts';
import { enqueueJob } from '../../jobs/enqueue.ts';
import { writeDraft } from '../../object-store/ledger.ts';
import { addFiles, replaceFiles } from '../files.ts';
import { contentTypeOf, extensionOf } from '../original/file-name.ts';
import { rethrowAsFieldProblem } from '../references.ts';
import type { DatasetRow, FileType } from '../schema.ts';
import type { ColumnFormats } from '../../table/columns.ts';
import type { AttributeColumn, MappingInput } from '../../table/mapping-schema.ts';
import type { UploadDependencies } from '../upload/upload.ts';

/** Description of a dataset that the service makes, with the fields of an upload. */
export interface MadeFields {
  readonly fileType: FileType;
  readonly name: string;
  readonly categoryId: string;
  readonly groupId?: string | null;
  readonly description?: string | null;
  readonly unit?: string | null;
  readonly startDate?: string | null;
  readonly endDate?: string | null;
  /** Origin of the dataset; becomes `meta`. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A file stored as a draft of the object ledger, under an unused key. */
export interface MadeFile {
  readonly key: string;
  /** The extension suits its file type. */
  readonly filename: string;
  readonly sizeBytes: number;
}

/** Initial mapping of a table by KATO, whose maker knows its columns. */
export interface MadeMapping {
  /** In the format of `detectColumns`. */
  readonly columns: readonly AttributeColumn[];
  readonly formats: ColumnFormats;
  readonly mapping: MappingInput;
}

export interface MadeDataset {
  /** An unused id. */
  readonly id: string;
  readonly fields: MadeFields;
  readonly file: MadeFile;
  /** Only for a `vector_with_kato`; without it the table waits for a mapping. */
  readonly mapped?: MadeMapping | undefined;
}

/** Empty text counts as none, as in an upload. */
const textOrNull = (text: string | null | undefined): string | null =>
  text === undefined || text === '' ? null : text;

/**
 * Adds a dataset that the service has made, and the job that processes its original like an upload: `pending`, or
 * `extracting` if it is mapped. After the commit, notify the message queue of `jobId`, lane `datasets`.
 * @throws {Problem} `invalid` if its category or group does not exist.
 */
export async function addMadeDataset(
  trx: Transaction,
  { id, fields, file, mapped }: MadeDataset,
): Promise<{ readonly row: DatasetRow; readonly jobId: string }> {
  const inserted = await trx
    .insertInto('datasets')
    .values({
      id,
      file_type: fields.fileType,
      name: fields.name,
      category_id: fields.categoryId,
      dg_id: fields.groupId ?? null,
      description: textOrNull(fields.description),
      unit: textOrNull(fields.unit),
      start_date: fields.startDate ?? null,
      end_date: fields.endDate ?? null,
      automated: true,
      ...metaOf(fields.meta),
      ...aboutFile(file),
      ...(mapped === undefined ? {} : { status: 'extracting', mapping_version: 1, ...columnsOf(mapped) }),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(rethrowAsFieldProblem);
  const files = await addFiles(trx, id, [{ kind: 'original', key: file.key }]);
  const jobId = await enqueueJob(trx, mapped === undefined ? 'process-dataset' : 'extract-observations', id);
  return { row: { ...inserted, files }, jobId };
}

/** New content of a made table. */
export interface Replacement extends Pick<MadeDataset, 'id' | 'file'>, Pick<MadeFields, 'meta'> {
  readonly mapped: MadeMapping;
}

/**
 * Replaces the original of a made table and enqueues its extraction, as after a new mapping: the previous content stays
 * visible until then. The transaction holds the lock of the dataset, which must not have a live job.
 * @returns the job, of which to notify the message queue.
 */
export async function replaceMadeTable(
  trx: Transaction,
  { id, file, mapped, meta }: Replacement,
): Promise<string> {
  await trx
    .updateTable('datasets')
    .set((eb) => ({
      ...aboutFile(file),
      ...columnsOf(mapped),
      ...metaOf(meta),
      status: 'extracting',
      mapping_version: eb('mapping_version', '+', 1),
      parse_error: null,
      failure: null,
      updated_at: nextUpdatedAt,
    }))
    .where('id', '=', id)
    .execute();
  // The stored rows belong to the previous file.
  await replaceFiles(trx, id, [{ kind: 'original', key: file.key }], ['rows', 'facts']);
  return await enqueueJob(trx, 'extract-observations', id);
}

/**
 * Stores a file from memory and makes a dataset of it, in one transaction with its job.
 * @throws {Problem} `invalid` if its category or group does not exist.
 */
export async function makeDataset(
  { db, objectStore, messageQueue }: UploadDependencies,
  made: Omit<MadeDataset, 'id' | 'file'> & { readonly filename: string },
  content: Buffer,
): Promise<DatasetRow> {
  const id = randomUUID();
  const { filename, ...rest } = made;
  const key = `originals/${id}/source${extensionOf(filename)}`;
  await using draft = await writeDraft(db, objectStore, key, Readable.from([content], { objectMode: false }));
  const file = { key: draft.key, filename, sizeBytes: content.length };
  const { row, jobId } = await inTransaction(
    db,
    async (trx) => await addMadeDataset(trx, { ...rest, id, file }),
  );
  await messageQueue.notify(jobId, 'datasets');
  return row;
}

/** Empties a made table, which then waits for a mapping: its observations and its map are removed. Otherwise like `replaceMadeTable`. */
export async function emptyMadeTable(
  trx: Transaction,
  { id, file, mapped, meta }: Replacement,
): Promise<void> {
  await trx
    .updateTable('datasets')
    .set({
      ...aboutFile(file),
      ...columnsOf(mapped),
      ...metaOf(meta),
      status: 'awaiting_mapping',
      kato_column: null,
      year_columns: null,
      observation_set_id: null,
      parse_error: null,
      failure: null,
      updated_at: nextUpdatedAt,
    })
    .where('id', '=', id)
    .execute();
  await replaceFiles(
    trx,
    id,
    [{ kind: 'original', key: file.key }],
    ['rows', 'facts', 'geojson', 'series', 'match'],
  );
}

function aboutFile({ filename, sizeBytes }: MadeFile) {
  return { filename, size_bytes: sizeBytes, content_type: contentTypeOf(undefined, filename) };
}

function metaOf(meta: MadeFields['meta']) {
  return meta === undefined ? {} : { meta: JSON.stringify(meta) };
}

function columnsOf({ columns, formats, mapping }: MadeMapping) {
  return {
    attribute_columns: JSON.stringify(columns),
    column_formats: JSON.stringify(formats),
    kato_column: mapping.kato_column,
    year_columns: JSON.stringify(mapping.year_columns),
  };
}
