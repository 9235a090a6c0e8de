import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { sql } from 'kysely';
import { Problem } from '../../lib/errors.ts';
import { pause } from '../../lib/promises.ts';
import { startRepeating } from '../../lib/repeating.ts';
import type { Database } from '../../database/tables.ts';
import type { AlsoWrite } from '../../database/transaction.ts';
import { uploadProblems } from '../../messages/request.ts';
import { keepRenewing } from '../../object-store/ledger.ts';
import type { PieceRange } from '../../object-store/object-store.ts';
import { joinFile } from '../original/receive-file.ts';
import type { DatasetRow } from '../schema.ts';
import type { Upload, UploadDependencies } from '../upload/upload.ts';
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
 * not done in time.
 * @throws {Problem} as for an upload that is sent at once; then the upload is given up.
 */
export async function finishUpload(
  parts: FinishDependencies,
  id: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const endsAt = performance.now() + waitMs;
  for (;;) {
    const made = await tryFinish(parts, id);
    if (made !== undefined) return made;
    const { dataset_id: datasetId } = await readUpload(parts.db, id);
    if (datasetId !== null) return datasetId;
    if (performance.now() > endsAt || signal.aborted) return undefined;
    await pause(lookEveryMs, signal);
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
  const set = async (until: ReturnType<typeof inSeconds> | null) =>
    await db
      .updateTable('uploads')
      .set({ finishing_until: until })
      .where('id', '=', id)
      .where('writer', '=', writer)
      .execute();
  const renewing = keepRenewing(renewEveryMs, async () => await set(inSeconds(leaseSeconds))).unref();
  try {
    return await make(parts, upload, writer);
  } catch (error) {
    const isRefused = error instanceof Problem && ['invalid', 'not_found'].includes(error.code);
    if (isRefused) await terminateUpload(db, id);
    else await set(null);
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
      for (const { id } of forgotten) await tryFinish(parts, id);
    } catch (err) {
      log.warn({ err }, 'complete uploads are looked through again');
    }
    return everyMs;
  }, everyMs);
}
