import { enqueueJob } from '../../jobs/enqueue.ts';
import { type AlsoWrite, inTransaction } from '../../database/transaction.ts';
import { type FieldErrors, invalidFields } from '../../lib/errors.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import { fieldFaults, fileFaults, rasterAdvice, vectorAdvice } from '../../messages/request/english.ts';
import { extensionsByFileType, promisedKind } from '../original/content-kind.ts';
import { namesOfContent } from '../original/content-remedy.ts';
import { extensionOf } from '../original/file-name.ts';
import { foreignContent } from '../original/foreign-content.ts';
import { parseBody } from '../../validation/parse-body.ts';
import type { ReceivedFile, StorageDependencies } from '../original/receive-file.ts';
import { findMissingReferences, findPeriodError, rethrowAsFieldProblem } from '../references.ts';
import { addFiles } from '../files.ts';
import { writeUploadedOrigin } from '../origins.ts';
import { FileType, type DatasetRow } from '../schema.ts';
import { UploadFields } from './upload-fields.ts';
import type { Message } from '../../lib/message.ts';

export interface UploadDependencies extends StorageDependencies {
  readonly messageQueue: MessageQueue;
}

export interface Upload {
  /** Absent if the form had no file. */
  readonly file: ReceivedFile | undefined;
  /** Text parts by name, including those that the caller sets (a landscape slot sets its group). */
  readonly fields: Readonly<Record<string, string>>;
  /** Errors of unreadable parts; they replace any other error of the same part. */
  readonly problems: FieldErrors;
}

/** Facts about a file before its bytes arrive. */
export type NamedFile = Pick<ReceivedFile, 'filename' | 'sizeBytes'>;

/**
 * Creates a dataset and enqueues its processing, in one transaction.
 * @throws {Problem} `invalid`, naming every invalid part.
 */
export async function createDataset(
  dependencies: UploadDependencies,
  upload: Upload,
  alsoWrite?: AlsoWrite<DatasetRow>,
): Promise<DatasetRow> {
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
    const made = { ...inserted, files };
    await writeUploadedOrigin(trx, inserted.id, inserted.meta);
    const job = await enqueueJob(trx, 'process-dataset', inserted.id);
    await alsoWrite?.(trx, made);
    return { row: made, jobId: job };
  }).catch(rethrowAsFieldProblem);
  await dependencies.messageQueue.notify(jobId, 'datasets');
  return row;
}

async function checkUpload({ db }: UploadDependencies, { file, fields: sent, problems }: Upload) {
  const fields = await checkFields(db, sent, (fileType) => ({
    ...withFault(file === undefined ? fieldFaults.missing : findFileFault(file, fileType)),
    ...problems,
  }));
  if (file?.draft === undefined) throw new Error('an upload without errors lacks its file');
  return { fields, file, draft: file.draft };
}

/**
 * Validates everything except the bytes of an upload, before they are sent.
 * @throws {Problem} `invalid`, naming every invalid part.
 */
export async function checkDetails(db: Database, file: NamedFile, fields: Upload['fields']): Promise<void> {
  await checkFields(db, fields, (fileType) => withFault(findNameFault(file, fileType)));
}

async function checkFields(
  db: Database,
  sent: Upload['fields'],
  faultsOfFile: (fileType: FileType | undefined) => FieldErrors,
): Promise<UploadFields> {
  const given = Object.fromEntries(Object.entries(sent).filter(([, text]) => text !== ''));
  const missing = await findMissingReferences(db, given);
  const ofFile = faultsOfFile(FileType.safeParse(given['file_type']).data);
  return parseBody(UploadFields, given, (own) => ({
    ...findPeriodError(given['start_date'], given['end_date']),
    ...missing,
    ...own,
    ...ofFile,
  }));
}

const withFault = (fault: Message | undefined): FieldErrors => (fault === undefined ? {} : { file: fault });

function findFileFault(file: ReceivedFile, fileType: FileType | undefined): Message | undefined {
  return findNameFault(file, fileType) ?? findContentFault(file);
}

function findNameFault(
  { filename, sizeBytes }: NamedFile,
  fileType: FileType | undefined,
): Message | undefined {
  if (filename === '') return fileFaults.nameless;
  const extensionFault = findExtensionFault(filename, fileType);
  if (extensionFault !== undefined) return extensionFault;
  return sizeBytes === 0 ? fileFaults.empty : undefined;
}

/** Refuses a file whose first bytes do not match the kind that its name promises. @throws {Problem} `invalid` */
export function refuseContent(file: Pick<ReceivedFile, 'filename' | 'kind' | 'head'>): void {
  const fault = findContentFault(file);
  if (fault !== undefined) throw invalidFields(withFault(fault));
}

function findContentFault({
  filename,
  kind,
  head,
}: Pick<ReceivedFile, 'filename' | 'kind' | 'head'>): Message | undefined {
  const promised = promisedKind(filename);
  if (promised === undefined || kind === promised) return undefined;
  const { found, remedy } = namesOfContent(foreignContent(head), promised);
  return fileFaults.wrongContent(extensionOf(filename), found, remedy);
}

/** Returns advice if the file type does not allow the extension; without a type, every extension is allowed. */
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
