import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { sql, type UpdateObject } from 'kysely';
import { Problem } from '../../lib/errors.ts';
import { aborted, ignore, pause } from '../../lib/concurrency/promises.ts';
import { startRepeating } from '../../lib/concurrency/repeating.ts';
import type { Database, Tables } from '../../database/tables/tables.ts';
import type { AlsoWrite } from '../../database/transaction.ts';
import { uploadProblems } from '../../messages/request.ts';
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
const lookEveryMs = 200;
/** An answer to wait for longer would end at the limit of a proxy; the client then asks for the upload. */
const waitMs = 45_000;
/** A request ends its upload itself, unless it has died. */
const forgottenSeconds = 30;
const lookForForgottenEveryMs = 5000;

/** An upload as the form of one that is sent at once, or for a slot. */
export interface CompleteUpload extends Upload {
  readonly slot: string | undefined;
}

/** Checks an upload before its bytes are sent. @throws {Problem} as for an upload that is sent at once. */
export type CheckUploaded = (
  db: Database,
  upload: NamedFile & Pick<CompleteUpload, 'slot' | 'fields'>,
) => Promise<void>;

export interface FinishDependencies extends UploadDependencies {
  /** Makes the dataset, by all rules of one that is sent at once. */
  createUploaded(
    parts: UploadDependencies,
    upload: CompleteUpload,
    alsoWrite: AlsoWrite<DatasetRow>,
  ): Promise<DatasetRow>;
}

/**
 * Makes the dataset of a complete upload and returns its id. While another process does, it waits for that; undefined when it is
 * not done in time, and then it is still made.
 * @throws {Problem} as for an upload that is sent at once; then the upload is given up.
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
    making.catch(ignore); // when no request waits any more, `startFinishing` tries again
    const made = await Promise.race([making, lateness]);
    if (made !== undefined) return made;
    const { dataset_id: datasetId } = await readUpload(parts.db, id);
    if (datasetId !== null) return datasetId;
    if (waiting.aborted) return undefined;
    await pause(lookEveryMs, waiting);
  }
}

/** Undefined when it is not complete, has ended, or another process is at it. */
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
    // A request may try again at once; who looks for forgotten ones waits, for to join a large file takes long.
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
  const { signal } = new AbortController(); // who asked may be gone, and its dataset is made all the same
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

/** Finishes complete uploads whose request has died, until it is closed. */
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
