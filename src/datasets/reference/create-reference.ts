import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { inTransaction, type AlsoWrite } from '../../database/transaction.ts';
import { enqueueJob } from '../../jobs/enqueue.ts';
import type { Attempt } from '../../jobs/handler.ts';
import { exampleReference } from '../../lib/examples.ts';
import { invalidFields } from '../../lib/errors.ts';
import { messageText } from '../../lib/message.ts';
import { remoteFaults } from '../../messages/datasets/english.ts';
import { describeObject, writeDraft } from '../../object-store/ledger.ts';
import { measureStream, type ObjectFacts } from '../../object-store/measure.ts';
import { referenceFolder } from '../../object-store/object-store.ts';
import { createBlockDigests, writePin } from '../../remote/pin.ts';
import { placeOf, type RemoteFiles } from '../../remote/remote-files.ts';
import { type ProbedFile, RemoteFault } from '../../remote/remote-answer.ts';
import { parseBody } from '../../validation/parse-body.ts';
import { CalendarDate, FreeText, Guid, Name } from '../../validation/fields.ts';
import { addFiles, type DatasetFile, type FileReference, filesOfDataset } from '../files.ts';
import { foreignContent } from '../original/foreign-content.ts';
import { cleanFileName, contentTypeOf, extensionOf } from '../original/file-name.ts';
import { findMissingReferences, findPeriodError, rethrowAsFieldProblem } from '../references.ts';
import type { DatasetRow } from '../schema.ts';
import type { UploadDependencies } from '../upload/upload.ts';

/** A file on another server, with the fields of an upload. */
export const ReferenceInput = z
  .object({
    address: FreeText.describe(
      'https address of a Cloud-Optimized GeoTIFF or of a FlatGeobuf, or that of an object as `s3://bucket/key`; it ends with `.tif`, `.tiff` or `.fgb`',
    ),
    category_id: Guid.describe('An existing category'),
    name: Name.optional().describe('Name; by default the file name'),
    description: FreeText.optional().describe('Free text'),
    unit: FreeText.optional().describe('Unit of the values'),
    dg_id: Guid.nullish().describe('An existing dataset group, such as an input of the Landscape Program'),
    start_date: CalendarDate.nullish().describe('First day of the period that the data describe'),
    end_date: CalendarDate.nullish().describe('Last day of the period; must not be before start_date'),
  })
  .meta({
    id: 'ReferenceInput',
    description: 'The address of a raster or a FlatGeobuf that stays on another server, and its description',
    examples: [
      { address: exampleReference.address, category_id: '2f6c1f0e-8a4b-4b7e-9a53-6d0c8f1e7b21', unit: 'm' },
    ],
  });
export type ReferenceInput = z.infer<typeof ReferenceInput>;

export interface ReferenceDependencies extends UploadDependencies {
  readonly remoteFiles: Pick<RemoteFiles, 'isOn' | 'probe'>;
}

/**
 * Creates a dataset whose file stays on another server, after a look at its first bytes, and enqueues its processing.
 * @throws {Problem} `invalid`, naming every invalid field, or why the file cannot be read by ranges.
 */
export async function createReference(
  dependencies: ReferenceDependencies,
  body: Readonly<Record<string, unknown>>,
  alsoWrite?: AlsoWrite<DatasetRow>,
): Promise<DatasetRow> {
  const { db, objectStore, messageQueue } = dependencies;
  const missing = await findMissingReferences(db, body);
  const { address, ...fields } = parseBody(ReferenceInput, body, (own) => ({
    ...findPeriodError(body['start_date'], body['end_date']),
    ...missing,
    ...own,
  }));
  const { filename, fileType, file } = await lookAt(dependencies.remoteFiles, address);
  const { head: _, ...version } = file;
  const id = randomUUID();
  const key = `${referenceFolder}/${id}/source${extensionOf(filename)}`;
  await using draft = await writeDraft(
    db,
    objectStore,
    key,
    Readable.from([writePin(version)], { objectMode: false }),
  );
  const { row, jobId } = await inTransaction(db, async (trx) => {
    const inserted = await trx
      .insertInto('datasets')
      .values({
        ...fields,
        description: filled(fields.description),
        unit: filled(fields.unit),
        id,
        file_type: fileType,
        name: fields.name ?? filename,
        filename,
        size_bytes: version.sizeBytes,
        content_type: contentTypeOf(undefined, filename),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { etag = null, lastModified = null } = version;
    const known = { dataset_id: inserted.id, address, etag, last_modified: lastModified, reason: null };
    await trx.insertInto('dataset_references').values(known).execute();
    await addFiles(trx, id, [{ kind: 'original', key: draft.key }]);
    await describeObject(trx, draft.key, { sizeBytes: version.sizeBytes, sha256: null });
    const made = await trx
      .selectFrom('datasets')
      .selectAll()
      .select(filesOfDataset)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const job = await enqueueJob(trx, 'process-dataset', id);
    await alsoWrite?.(trx, made);
    return { row: made, jobId: job };
  }).catch(rethrowAsFieldProblem);
  await messageQueue.notify(jobId, 'datasets');
  return row;
}

/** Empty text counts as none, as in an upload. */
const filled = (text: string | undefined): string | null => (text === undefined || text === '' ? null : text);

/** The types of files that can stay on another server, by their extensions. */
const fileTypes: ReadonlyMap<string, 'raster' | 'vector'> = new Map([
  ['.tif', 'raster'],
  ['.tiff', 'raster'],
  ['.fgb', 'vector'],
]);

/** Returns whether a file can be registered, by the end of its address. */
export function isReferableName(address: string): boolean {
  try {
    return fileTypes.has(extensionOf(placeOf(address).name));
  } catch {
    return false;
  }
}

/** @throws {Problem} `invalid` with the reason why the file of an address cannot be used. */
async function lookAt(
  { isOn, probe }: ReferenceDependencies['remoteFiles'],
  address: string,
): Promise<{
  readonly filename: string;
  readonly fileType: 'raster' | 'vector';
  readonly file: ProbedFile;
}> {
  try {
    if (!isOn) throw new RemoteFault(remoteFaults.off);
    const filename = cleanFileName(placeOf(address).name);
    const fileType = fileTypes.get(extensionOf(filename));
    if (fileType === undefined) throw new RemoteFault(remoteFaults.wrongName);
    const file = await probe(address);
    if (fileType === 'vector' && foreignContent(file.head) !== 'flatGeobuf')
      throw new RemoteFault(remoteFaults.notAFlatGeobuf);
    if (fileType === 'raster' && foreignContent(file.head) !== 'tiff')
      throw new RemoteFault(remoteFaults.notATiff);
    return { filename, fileType, file };
  } catch (error) {
    if (error instanceof RemoteFault) throw invalidFields({ address: error.told }, error);
    throw error;
  }
}

/** Returns the reason of a fault as it is stored. */
export function storedReason({ told }: RemoteFault): string {
  return messageText(told);
}

/** A pin with the digests of its file, and the facts about that file. */
export interface PinnedFile extends ObjectFacts {
  readonly key: string;
}

/** Returns where the original of a dataset is that stays on another server. */
export function findReference(files: readonly DatasetFile[]): FileReference | undefined {
  return files.find(({ kind }) => kind === 'original')?.reference;
}

/** Stores the digests of the file at a path, which has been read from another server, in the pin of a dataset. */
export async function pinReference(
  attempt: Attempt,
  { address, etag, lastModified }: FileReference,
  path: string,
): Promise<PinnedFile> {
  const blocks = createBlockDigests();
  const facts = await measureStream(createReadStream(path), attempt.signal, blocks.push);
  const version = { address, etag: etag ?? undefined, lastModified: lastModified ?? undefined };
  const pin = writePin({ ...version, sizeBytes: facts.sizeBytes, digests: blocks.end() });
  const body = Readable.from([pin], { objectMode: false });
  return { ...facts, key: await attempt.store(referenceFolder, extname(path), body) };
}
