import { enqueueJob } from '../../jobs/enqueue.ts';
import { inTransaction } from '../../database/transaction.ts';
import type { FieldErrors } from '../../lib/errors.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import { fieldFaults, fileFaults, rasterAdvice, vectorAdvice } from '../../messages/request.ts';
import { extensionsByFileType, promisedKind } from '../original/content-kind.ts';
import { namesOfContent } from '../original/content-remedy.ts';
import { extensionOf } from '../original/file-name.ts';
import { foreignContent } from '../original/foreign-content.ts';
import { parseBody } from '../../validation/parse-body.ts';
import type { ReceivedFile, StorageDependencies } from '../original/receive-file.ts';
import { findMissingReferences, findPeriodError, rethrowAsFieldProblem } from '../references.ts';
import { addFiles } from '../files.ts';
import { FileType, type DatasetRow } from '../schema.ts';
import { UploadFields } from './upload-fields.ts';
import type { Message } from '../../lib/message.ts';

export interface UploadDependencies extends StorageDependencies {
  readonly messageQueue: MessageQueue;
}

export interface Upload {
  /** Absent when the form had no file. */
  readonly file: ReceivedFile | undefined;
  /** The text parts by name, and those that the caller fixes (a landscape slot its group). */
  readonly fields: Readonly<Record<string, string>>;
  /** Errors of parts that could not be read; they replace any other error of the same part. */
  readonly problems: FieldErrors;
}

/** Creates a dataset and enqueues its processing, in one transaction. @throws {Problem} `invalid`, naming every part. */
export async function createDataset(dependencies: UploadDependencies, upload: Upload): Promise<DatasetRow> {
  const { fields, file, draft } = await checkUpload(dependencies, upload);
  const { row, jobId } = await inTransaction(dependencies.db, async (trx) => {
    const inserted = await trx
      .insertInto('datasets')
      .values({
        ...fields,
        id: file.datasetId,
        name: fields.name ?? file.filename,
        filename: file.filename,
        size_bytes: file.sizeBytes,
        content_type: file.contentType,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const files = await addFiles(trx, inserted.id, [{ kind: 'original', key: draft.key }]);
    return { row: { ...inserted, files }, jobId: await enqueueJob(trx, 'process-dataset', inserted.id) };
  }).catch(rethrowAsFieldProblem);
  await dependencies.messageQueue.notify(jobId, 'datasets');
  return row;
}

async function checkUpload({ db }: UploadDependencies, { file, fields: sent, problems }: Upload) {
  const given = Object.fromEntries(Object.entries(sent).filter(([, text]) => text !== ''));
  const missing = await findMissingReferences(db, given);
  const fileFault = findFileFault(file, FileType.safeParse(given['file_type']).data);
  const fields = parseBody(UploadFields, given, (own) => ({
    ...findPeriodError(given['start_date'], given['end_date']),
    ...missing,
    ...own,
    ...(fileFault !== undefined && { file: fileFault }),
    ...problems,
  }));
  if (file?.draft === undefined) throw new Error('an upload without errors lacks its file');
  return { fields, file, draft: file.draft };
}

function findFileFault(file: ReceivedFile | undefined, fileType: FileType | undefined): Message | undefined {
  if (file === undefined) return fieldFaults.missing;
  if (file.filename === '') return fileFaults.nameless;
  const extensionFault = findExtensionFault(file.filename, fileType);
  if (extensionFault !== undefined) return extensionFault;
  if (file.sizeBytes === 0) return fileFaults.empty;
  const promised = promisedKind(file.filename);
  if (promised === undefined || file.kind === promised) return undefined;
  const { found, remedy } = namesOfContent(foreignContent(file.head), promised);
  return fileFaults.wrongContent(extensionOf(file.filename), found, remedy);
}

/** Advises on a file whose type does not allow its extension; without a type, every extension is allowed. */
export function findExtensionFault(filename: string, fileType: FileType | undefined): Message | undefined {
  const extension = extensionOf(filename);
  const allowed =
    fileType === undefined
      ? [...new Set(Object.values(extensionsByFileType).flat())]
      : extensionsByFileType[fileType];
  if (allowed.includes(extension)) return undefined;
  const ofVector = fileType === 'raster' ? undefined : vectorAdvice(extension);
  const ofRaster = fileType === undefined || fileType === 'raster' ? rasterAdvice(extension) : undefined;
  return fileFaults.wrongExtension(allowed, ofVector ?? ofRaster);
}
