import { enqueueJob } from '../../jobs/enqueue.ts';
import { inTransaction } from '../../database/transaction.ts';
import type { FieldErrors } from '../../common/errors.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import { publishObject, type ObjectDraft } from '../../object-store/ledger.ts';
import { promisedKind } from '../original/content-kind.ts';
import { findExtensionFault } from './extension-hints.ts';
import { extensionOf } from '../original/file-name.ts';
import { parseBody } from '../../validation/parse-body.ts';
import type { ReceivedFile, StorageDependencies } from '../original/receive-file.ts';
import { findMissingReferences, findPeriodError, toFieldProblem } from '../references.ts';
import { FileType, type DatasetRow } from '../schema.ts';
import { UploadFields } from './upload-fields.ts';

export interface UploadDependencies extends StorageDependencies {
  readonly messageQueue: MessageQueue;
}

export interface Upload {
  /** Absent when the form had no file. */
  readonly file: ReceivedFile | undefined;
  /** The text dependencies by name; whoever fixes some of them (a landscape slot its group) puts them in here. */
  readonly fields: Readonly<Record<string, string>>;
  /** What is wrong with dependencies that could not be read; stands before any other fault of the same part. */
  readonly problems: FieldErrors;
}

/**
 * Makes a dataset of an upload and queues its processing, in one transaction.
 * @throws {Problem} `invalid`, naming every part that is wrong.
 */
export async function createDataset(dependencies: UploadDependencies, upload: Upload): Promise<DatasetRow> {
  const { fields, file, draft } = await checkUpload(dependencies, upload);
  const { row, jobId } = await inTransaction(dependencies.db, async (trx) => {
    const inserted = await trx
      .insertInto('datasets')
      .values({
        id: file.datasetId,
        category_id: fields.category_id,
        dg_id: fields.dg_id ?? null,
        start_date: fields.start_date ?? null,
        end_date: fields.end_date ?? null,
        name: fields.name ?? file.filename,
        description: fields.description ?? null,
        unit: fields.unit ?? null,
        filename: file.filename,
        storage_key: draft.key,
        file_type: fields.file_type,
        size_bytes: file.sizeBytes,
        content_type: file.contentType,
        meta: fields.meta ?? null,
        automated: fields.automated,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await publishObject(trx, draft.key);
    return { row: inserted, jobId: await enqueueJob(trx, 'process-dataset', inserted.id) };
  }).catch((error: unknown) => {
    throw toFieldProblem(error);
  });
  await dependencies.messageQueue.notify(jobId);
  return row;
}

interface CheckedUpload {
  readonly fields: UploadFields;
  readonly file: ReceivedFile;
  readonly draft: ObjectDraft;
}

async function checkUpload(
  { db }: UploadDependencies,
  { file, fields: sent, problems }: Upload,
): Promise<CheckedUpload> {
  const given = Object.fromEntries(Object.entries(sent).filter(([, text]) => text !== ''));
  const missing = await findMissingReferences(db, given);
  const fields = parseBody(UploadFields, given, (own) => ({
    ...findPeriodError(given['start_date'], given['end_date']),
    ...missing,
    ...own,
    ...findFileError(file, FileType.safeParse(given['file_type']).data),
    ...problems,
  }));
  if (file?.draft === undefined) throw new Error('an upload without errors lacks its file');
  return { fields, file, draft: file.draft };
}

function findFileError(file: ReceivedFile | undefined, fileType: FileType | undefined): FieldErrors {
  if (file === undefined) return { file: 'is required' };
  if (file.filename === '') return { file: 'must have a file name' };
  const extensionFault = findExtensionFault(file.filename, fileType);
  if (extensionFault !== undefined) return { file: extensionFault };
  if (file.sizeBytes === 0) return { file: 'is empty' };
  if (file.kind !== promisedKind(file.filename))
    return { file: `is not a ${extensionOf(file.filename)} file by its first bytes` };
  return {};
}
