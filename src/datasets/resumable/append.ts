import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { inTransaction } from '../../database/transaction.ts';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import { ignore } from '../../lib/concurrency/promises.ts';
import { uploadProblems } from '../../messages/request/english.ts';
import { publishObject, retireObjects } from '../../object-store/ledger.ts';
import type { StorageDependencies } from '../original/receive-file.ts';
import { createCutter } from './cutter.ts';
import { beginPiece, findShortPiece, keyPrefix, type NewPiece } from './piece.ts';
import { inSeconds, isUnfinished, readUpload, type UploadLimits, type UploadRow } from './uploads.ts';

export interface AppendDependencies extends StorageDependencies {
  readonly uploadLimits: UploadLimits;
}

/** Expected digest of the bytes of one request. */
export interface Checksum {
  readonly algorithm: string;
  readonly digest: Buffer;
}

interface SentBytes {
  /** Offset at which the client continues the upload. */
  readonly offset: number;
  readonly body: AsyncIterable<Buffer>;
  readonly checksum: Checksum | undefined;
}

/**
 * Appends the bytes of a request to an upload, piece by piece: each counts once it is stored, so that an interrupted upload continues
 * there. With a checksum, all count or none. A later request takes the upload over from an earlier one.
 * @throws {Problem} `not_found`, `gone`; `conflict` for another offset and after a takeover; `busy`; `mismatch`; `invalid` if the first
 * bytes do not match the kind of file, which ends the upload. Rethrows the errors of `body`.
 */
export async function appendBytes(
  parts: AppendDependencies,
  id: string,
  { offset, body, checksum }: SentBytes,
): Promise<UploadRow> {
  const { db } = parts;
  const writer = randomUUID();
  const upload = await takeOver(db, id, { offset, writer });
  const cutter = createCutter(body);
  const hash = checksum === undefined ? undefined : createHash(checksum.algorithm);
  await using unproved = new AsyncDisposableStack();
  const proved: NewPiece[] = [];
  async function finish(stored: Promise<NewPiece>): Promise<void> {
    const piece = await stored;
    if (hash === undefined) {
      await using _ = piece.draft;
      await publish(parts, { id, writer }, [piece]);
    } else {
      unproved.use(piece.draft);
      proved.push(piece);
    }
  }
  let before = Promise.resolve(); // the previous piece becomes durable while the next one arrives
  let coming: Promise<NewPiece> | undefined;
  try {
    for (let at = offset; await Promise.race([cutter.hasMore(), failureOf(before)]);) {
      await refuseWhenFull(db, parts.uploadLimits);
      const last = at === offset ? await findShortPiece(db, upload) : undefined;
      const { taken, stored } = beginPiece(parts, { upload, cutter, hash, at, last });
      coming = stored;
      at = await Promise.race([taken, failureOf(stored), failureOf(before)]);
      await before;
      before = finish(stored);
      coming = undefined;
    }
  } finally {
    cutter.close();
    // A request that lost the upload is answered now, not when its client sends more.
    coming?.then(async ({ draft }) => await draft[Symbol.asyncDispose]()).catch(ignore);
    await before; // also after another failure: the next request continues after this piece
  }
  const failure = cutter.failure();
  if (failure !== undefined) throw failure.cause;
  if (checksum !== undefined && hash?.digest().equals(checksum.digest) !== true)
    throw uploadProblems.wrongChecksum();
  await publish(parts, { id, writer }, proved);
  return await readUpload(db, id);
}

/** Rejects when `work` does, otherwise stays pending. */
async function failureOf(work: Promise<unknown>): Promise<never> {
  await work;
  return await new Promise<never>(ignore);
}

/** Makes a request the only one that may continue the upload. */
async function takeOver(
  db: Database,
  id: string,
  { offset, writer }: { readonly offset: number; readonly writer: string },
): Promise<UploadRow> {
  const taken = await db
    .updateTable('uploads')
    .set({ writer })
    .where('id', '=', id)
    .where('received', '=', offset)
    .where(sql<boolean>`received < length`)
    .where(isUnfinished)
    .where('expires_at', '>', sql<Date>`now()`)
    .returningAll()
    .executeTakeFirst();
  if (taken !== undefined) return taken;
  const upload = await readUpload(db, id);
  if (upload.received !== offset) throw uploadProblems.otherOffset(upload.received);
  return upload; // complete
}

/** Checked before each piece, because other uploads grow meanwhile. Pieces waiting for their checksum count too. */
async function refuseWhenFull(db: Database, { maxHeldBytes }: UploadLimits): Promise<void> {
  const held = db
    .selectFrom('uploads')
    .where(isUnfinished)
    .select(sql<number>`coalesce(sum(received), 0)::bigint`.as('bytes'));
  const unproved = db
    .selectFrom('objects')
    .where('state', '=', 'writing')
    .where(sql<boolean>`starts_with(key, ${keyPrefix})`)
    .select(sql<number>`coalesce(sum(size_bytes), 0)::bigint`.as('bytes'));
  const counted = await held.unionAll(unproved).execute();
  if (counted.reduce((sum, { bytes }) => sum + bytes, 0) >= maxHeldBytes) throw uploadProblems.full();
}

/** Appends stored pieces to the upload, if this request still owns it. */
async function publish(
  { db, uploadLimits }: AppendDependencies,
  { id, writer }: { readonly id: string; readonly writer: string },
  pieces: readonly NewPiece[],
): Promise<void> {
  const end = pieces.at(-1);
  if (end === undefined) return;
  await inTransaction(db, async (trx) => {
    const grown = await trx
      .updateTable('uploads')
      .set({
        received: end.start + end.sizeBytes,
        changed_at: sql<Date>`now()`,
        expires_at: inSeconds(uploadLimits.expirySeconds),
      })
      .where('id', '=', id)
      .where('writer', '=', writer)
      .where(isUnfinished)
      .executeTakeFirst();
    if (grown.numUpdatedRows === 0n) throw uploadProblems.takenOver();
    for (const piece of pieces) await addPiece(trx, id, piece);
  });
}

async function addPiece(
  trx: Transaction,
  id: string,
  { draft, start, sizeBytes, replaced }: NewPiece,
): Promise<void> {
  if (replaced !== undefined) {
    await trx.deleteFrom('upload_pieces').where('object_key', '=', replaced).execute();
    await retireObjects(trx, [replaced]);
  }
  await trx
    .insertInto('upload_pieces')
    .values({ upload_id: id, start, size_bytes: sizeBytes, object_key: draft.key })
    .execute();
  await publishObject(trx, draft.key);
}
