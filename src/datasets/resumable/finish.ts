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
import type { DatasetRow } from '../schema.ts';
import type { NamedFile, Upload, UploadDependencies } from '../upload/upload.ts';
import { readMetadata } from './metadata.ts';
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

/** A complete upload with the parts of a direct upload or of one for a slot. */
export interface CompleteUpload extends Upload {
  readonly slot: string | undefined;
}

/** Validates an upload before its bytes are sent. @throws {Problem} as for a direct upload. */
export type CheckUploaded = (
  db: Database,
  upload: NamedFile & Pick<CompleteUpload, 'slot' | 'fields'>,
) => Promise<void>;

export interface FinishDependencies extends UploadDependencies {
  /** Creates the dataset by the rules of a direct upload. */
  createUploaded(
    parts: UploadDependencies,
    upload: CompleteUpload,
    alsoWrite: AlsoWrite<DatasetRow>,
  ): Promise<DatasetRow>;
}

/**
 * Creates the dataset of a complete upload and returns its id. If another process is creating it, waits for that;
 * undefined if this takes too long, while the creation continues.
 * @throws {Problem} as for a direct upload, which ends the upload.
 */
export async function finishUpload(
  parts: FinishDependencies,
  id: string,
  { signal, withinMs = waitMs }: { readonly signal: AbortSignal; readonly withinMs?: number },
): Promise<string | undefined> {
  const late = AbortSignal.timeout(withinMs);
  const waiting = AbortSignal.any([signal, late]);
  const lateness = aborted(late).then(() => undefined);
  for (;;) {
    const making = tryFinish(parts, id);
    making.catch(ignore); // if no request waits any more, `startFinishing` retries
    const made = await Promise.race([making, lateness]);
    if (made !== undefined) return made;
    const { dataset_id: datasetId } = await readUpload(parts.db, id);
    if (datasetId !== null) return datasetId;
    if (waiting.aborted) return undefined;
    await pause(pollEveryMs, waiting);
  }
}

/** Undefined if the upload is incomplete, has ended, or another process is finishing it. */
async function tryFinish(parts: FinishDependencies, id: string): Promise<string | undefined> {
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

async function make(parts: FinishDependencies, upload: UploadRow, writer: string): Promise<string> {
  const { db } = parts;
  const { id, length, metadata } = upload;
  const { slot, fields, filename, mediaType } = readMetadata(metadata);
  const pieces = await piecesOf(db, id);
  const { signal } = new AbortController(); // the requester may have left; its dataset is created all the same
  await using file = await joinFile(parts, { filename, mediaType, pieces, signal });
  if (file.sizeBytes !== length) throw new Error(`upload ${id} has ${file.sizeBytes} of ${length} bytes`);
  const end: AlsoWrite<DatasetRow> = async (trx, { id: datasetId }) => {
    const { numUpdatedRows } = await trx
      .updateTable('uploads')
      .set({ dataset_id: datasetId, ended_at: sql<Date>`now()`, finishing_until: null })
      .where('id', '=', id)
      .where('writer', '=', writer)
      .where(isUnfinished)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw uploadProblems.takenOver();
    await retirePieces(trx, [id]);
  };
  const made = await parts.createUploaded(parts, { file, fields, slot, problems: {} }, end);
  return made.id;
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
