import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { inTransaction } from '../../database/transaction.ts';
import type { Database, Transaction } from '../../database/tables.ts';
import { MiB } from '../../lib/units.ts';
import { uploadProblems } from '../../messages/request.ts';
import { type ObjectDraft, publishObject, retireObjects, writeDraft } from '../../object-store/ledger.ts';
import { createContentSniffer } from '../original/content-kind.ts';
import { cleanFileName } from '../original/file-name.ts';
import type { StorageDependencies } from '../original/receive-file.ts';
import { refuseContent } from '../upload/upload.ts';
import { createCutter } from './cutter.ts';
import { readMetadata } from './metadata.ts';
import {
  inSeconds,
  isUnfinished,
  readUpload,
  terminateUpload,
  type UploadLimits,
  type UploadRow,
} from './uploads.ts';

/** A dying process loses less than one piece. */
const pieceBytes = 16 * MiB;
/** A shorter last piece is stored again with the bytes behind it: a store joins no shorter ones. */
const minPieceBytes = 8 * MiB;
const maxPieces = 4096;
const keyPrefix = 'uploads/';
/** By so many bytes a file says what it is. */
const tellingBytes = 512;

export interface AppendDependencies extends StorageDependencies {
  readonly uploadLimits: UploadLimits;
}

/** The digest that the bytes of one request must have. */
export interface Checksum {
  readonly algorithm: string;
  readonly digest: Buffer;
}

interface SentBytes {
  /** Where the client believes that the upload goes on. */
  readonly offset: number;
  readonly body: AsyncIterable<Buffer>;
  readonly checksum: Checksum | undefined;
}

/** A piece that is stored and not yet part of the upload. */
interface NewPiece {
  readonly draft: ObjectDraft;
  readonly start: number;
  readonly sizeBytes: number;
  /** The key of the shorter piece whose bytes it has. */
  readonly replaced: string | undefined;
}

/**
 * Adds the bytes of a request to an upload, piece by piece: each counts once it is stored, so that what breaks off goes on there.
 * With a checksum they count together, or not at all. A later request takes the upload over from an earlier one.
 * @throws {Problem} `not_found`, `gone`; `conflict` on another offset and when it was taken over; `busy`; `mismatch`; `invalid`
 * when the first bytes are not those of its kind of file: then the upload is given up. And whatever `body` throws.
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
  let at = offset;
  try {
    while (await cutter.hasMore()) {
      await refuseWhenFull(db, parts.uploadLimits);
      const last = at === offset ? await findShortPiece(db, upload) : undefined;
      const piece = await storePiece(parts, { upload, cutter, hash, at, last });
      at = piece.start + piece.sizeBytes;
      if (hash === undefined) {
        await using _ = piece.draft;
        await publish(parts, { id, writer }, [piece]);
      } else {
        unproved.use(piece.draft);
        proved.push(piece);
      }
    }
  } finally {
    cutter.close();
  }
  const failure = cutter.failure();
  if (failure !== undefined) throw failure.cause;
  if (checksum !== undefined && hash?.digest().equals(checksum.digest) !== true)
    throw uploadProblems.wrongChecksum();
  await publish(parts, { id, writer }, proved);
  return await readUpload(db, id);
}

/** Makes a request the one that may go on. */
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
  return upload; // it is complete
}

/** The piece that the next bytes are stored with. */
async function findShortPiece(db: Database, { id, received }: UploadRow) {
  if (received === 0) return undefined;
  return await db
    .selectFrom('upload_pieces')
    .select(['start', 'size_bytes', 'object_key'])
    .where('upload_id', '=', id)
    .where('size_bytes', '<', minPieceBytes)
    .where(sql<boolean>`start + size_bytes = ${received}`)
    .executeTakeFirst();
}

/** Asked before each piece, since others grow meanwhile. Pieces that wait for their checksum count as well. */
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

interface Storing {
  readonly upload: UploadRow;
  readonly cutter: ReturnType<typeof createCutter>;
  readonly hash: ReturnType<typeof createHash> | undefined;
  readonly at: number;
  readonly last: Awaited<ReturnType<typeof findShortPiece>>;
}

async function storePiece(
  { db, objectStore }: StorageDependencies,
  { upload, cutter, hash, at, last }: Storing,
): Promise<NewPiece> {
  const { id, length } = upload;
  const maxSizeBytes = Math.max(pieceBytes, Math.ceil(length / maxPieces / MiB) * MiB);
  const sniffer = at === 0 ? createContentSniffer() : undefined;
  let sizeBytes = last?.size_bytes ?? 0;
  async function* bytes(): AsyncGenerator<Buffer> {
    if (last !== undefined) yield* await objectStore.read(last.object_key);
    for await (const chunk of cutter.take(maxSizeBytes - sizeBytes)) {
      sizeBytes += chunk.length;
      hash?.update(chunk);
      sniffer?.push(chunk);
      yield chunk;
    }
  }
  const stream = Readable.from(bytes(), { objectMode: false });
  const draft = await writeDraft(db, objectStore, `${keyPrefix}${id}/${randomUUID()}`, { stream, maxSizeBytes });
  try {
    if (sniffer !== undefined && (sizeBytes >= tellingBytes || sizeBytes === length)) {
      const { filename } = readMetadata(upload.metadata);
      refuseContent({ filename: cleanFileName(filename), kind: sniffer.kind(), head: sniffer.head() });
    }
  } catch (error) {
    await draft[Symbol.asyncDispose]();
    await terminateUpload(db, id);
    throw error;
  }
  return { draft, start: last?.start ?? at, sizeBytes, replaced: last?.object_key };
}

/** Makes stored pieces part of the upload, if this request may still go on with it. */
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
