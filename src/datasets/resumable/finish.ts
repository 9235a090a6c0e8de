import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { sql, type UpdateObject } from 'kysely';
import { Problem } from '../../lib/errors.ts';
import { aborted, ignore, pause } from '../../lib/concurrency/promises.ts';
import { startRepeating } from '../../lib/concurrency/repeating.ts';
import type { Database, Tables } from '../../database/tables/tables.ts';
import type { AlsoWrite } from '../../database/transaction.ts';
import { uploadProblems } from '../../messages/request/english.ts';
import { keepRenewing } from '../../object-store/ledger.ts';
import type { PieceRange } from '../../object-store/object-store.ts';
import { joinFile } from '../original/receive-file.ts';
import type { NamedFile, Upload, UploadDependencies } from '../upload/upload.ts';
import { readMetadata, type SentMetadata } from './metadata.ts';
import {
  inSeconds,
  isUnfinished,
  readUpload,
  retirePieces,
  terminateUpload,
  type UploadRow,
} from './uploads.ts';

const leaseSeconds = 30;
const renewEveryMs = 10_000;
const pollEveryMs = 200;
/** Below the usual time limit of proxies; the client then polls the upload. */
const waitMs = 45_000;
/** A request ends its upload itself unless its process died. */
const forgottenSeconds = 30;
const lookForForgottenEveryMs = 5000;

/** A complete upload with the parts of a direct upload, of one for a slot, or of a file from which rasters are made. */
export interface CompleteUpload extends Upload, Pick<SentMetadata, 'slot' | 'isSource'> {}

/** A thing that an upload has become. */
export interface Uploaded {
  readonly kind: 'dataset' | 'source_file';
  readonly id: string;
}

/** Validates an upload before its bytes are sent. @throws {Problem} as for a direct upload. */
export type CheckUploaded = (
  db: Database,
  upload: NamedFile & Pick<CompleteUpload, 'slot' | 'isSource' | 'fields'>,
) => Promise<void>;

export interface FinishDependencies extends UploadDependencies {
  /** Creates the dataset by the rules of a direct upload, or keeps the file. */
  createUploaded(
    parts: UploadDependencies,
    upload: CompleteUpload,
    alsoWrite: AlsoWrite<Uploaded>,
  ): Promise<Uploaded>;
}

/**
 * Creates the dataset of a complete upload, or keeps its file. If another process is creating it, waits for that;
 * undefined if this takes too long, while the creation continues.
 * @throws {Problem} as for a direct upload, which ends the upload.
 */
export async function finishUpload(
  parts: FinishDependencies,
  id: string,
  { signal, withinMs = waitMs }: { readonly signal: AbortSignal; readonly withinMs?: number },
): Promise<Uploaded | undefined> {
  const late = AbortSignal.timeout(withinMs);
  const waiting = AbortSignal.any([signal, late]);
  const lateness = aborted(late).then(() => undefined);
  for (;;) {
    const making = tryFinish(parts, id);
    making.catch(ignore); // if no request waits any more, `startFinishing` retries
    const made = await Promise.race([making, lateness]);
    if (made !== undefined) return made;
    const uploaded = uploadedOf(await readUpload(parts.db, id));
    if (uploaded !== undefined) return uploaded;
    if (waiting.aborted) return undefined;
    await pause(pollEveryMs, waiting);
  }
}

/** Undefined if the upload is incomplete, has ended, or another process is finishing it. */
async function tryFinish(parts: FinishDependencies, id: string): Promise<Uploaded | undefined> {
  const { db } = parts;
  const writer = randomUUID();
  const upload = await db
    .updateTable('uploads')
    .set({ writer, finishing_until: inSeconds(leaseSeconds) })
    .where('id', '=', id)
    .where(isUnfinished)
    .where(sql<boolean>`received = length`)
    .where(sql<boolean>`(finishing_until is null or finishing_until < now())`)
    .returningAll()
    .executeTakeFirst();
  if (upload === undefined) return undefined;
  const change = async (to: UpdateObject<Tables, 'uploads'>) =>
    await db.updateTable('uploads').set(to).where('id', '=', id).where('writer', '=', writer).execute();
  const renew = async () => await change({ finishing_until: inSeconds(leaseSeconds) });
  const renewing = keepRenewing(renewEveryMs, renew).unref();
  try {
    return await make(parts, upload, writer);
  } catch (error) {
    const isRefused = error instanceof Problem && ['invalid', 'not_found'].includes(error.code);
    if (isRefused) await terminateUpload(db, id);
    // A request may retry at once; the search for abandoned uploads waits, because joining a large file takes long.
    else await change({ finishing_until: null, changed_at: sql<Date>`now()` });
    throw error;
  } finally {
    clearInterval(renewing);
  }
}

async function make(parts: FinishDependencies, upload: UploadRow, writer: string): Promise<Uploaded> {
  const { db } = parts;
  const { id, length, metadata } = upload;
  const { slot, isSource, fields, filename, mediaType } = readMetadata(metadata);
  const pieces = await piecesOf(db, id);
  const { signal } = new AbortController(); // the requester may have left; its dataset is created all the same
  await using file = await joinFile(parts, { filename, mediaType, pieces, signal, isSource });
  if (file.sizeBytes !== length) throw new Error(`upload ${id} has ${file.sizeBytes} of ${length} bytes`);
  const end: AlsoWrite<Uploaded> = async (trx, made) => {
    const { numUpdatedRows } = await trx
      .updateTable('uploads')
      .set({
        ...(made.kind === 'dataset' ? { dataset_id: made.id } : { source_file_id: made.id }),
        ended_at: sql<Date>`now()`,
        finishing_until: null,
      })
      .where('id', '=', id)
      .where('writer', '=', writer)
      .where(isUnfinished)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw uploadProblems.takenOver();
    await retirePieces(trx, [id]);
  };
  return await parts.createUploaded(parts, { file, fields, slot, isSource, problems: {} }, end);
}

/** Returns what a finished upload has become. */
export function uploadedOf({ dataset_id: dataset, source_file_id: source }: UploadRow): Uploaded | undefined {
  if (dataset !== null) return { kind: 'dataset', id: dataset };
  return source === null ? undefined : { kind: 'source_file', id: source };
}

async function piecesOf(db: Database, id: string): Promise<PieceRange[]> {
  const pieces = await db
    .selectFrom('upload_pieces')
    .select(['object_key', 'size_bytes'])
    .where('upload_id', '=', id)
    .orderBy('start')
    .execute();
  return pieces.map(({ object_key: key, size_bytes: size }) => ({ key, start: 0, length: size }));
}

/** Finishes complete uploads whose request died, until it is closed. */
export function startFinishing(
  parts: FinishDependencies,
  log: Pick<Logger, 'warn'>,
  everyMs = lookForForgottenEveryMs,
) {
  return startRepeating(async () => {
    try {
      const forgotten = await parts.db
        .selectFrom('uploads')
        .select('id')
        .where(isUnfinished)
        .where(sql<boolean>`received = length`)
        .where('changed_at', '<', inSeconds(-forgottenSeconds))
        .where(sql<boolean>`(finishing_until is null or finishing_until < now())`)
        .execute();
      for (const { id } of forgotten)
        await tryFinish(parts, id).catch((err: unknown) => {
          log.warn({ err, upload: id }, 'a complete upload could not be finished, to be tried again');
        });
    } catch (err) {
      log.warn({ err }, 'complete uploads are looked through again');
    }
    return everyMs;
  }, everyMs);
}
