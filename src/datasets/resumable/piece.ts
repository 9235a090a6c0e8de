import type { createHash } from 'node:crypto';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { Database } from '../../database/tables/tables.ts';
import { sourceFormatOf } from '../../geo/source.ts';
import { ignore } from '../../lib/concurrency/promises.ts';
import { invalidFields } from '../../lib/errors.ts';
import { MiB } from '../../lib/units.ts';
import { sourceFaults } from '../../messages/sources/english.ts';
import { type ObjectDraft, writeDraft } from '../../object-store/ledger.ts';
import { createContentSniffer } from '../original/content-kind.ts';
import { cleanFileName } from '../original/file-name.ts';
import type { StorageDependencies } from '../original/receive-file.ts';
import { refuseContent } from '../upload/upload.ts';
import type { createCutter } from './cutter.ts';
import { readMetadata } from './metadata.ts';
import { terminateUpload, type UploadRow } from './uploads.ts';

/** A dying process loses less than two pieces: an arriving one, and one that is being stored. */
const pieceBytes = 16 * MiB;
/** A shorter last piece is stored again with the bytes after it: the store cannot join shorter pieces. */
const minPieceBytes = 8 * MiB;
const maxPieces = 4096;
/** Prefix of the keys of all pieces. */
export const keyPrefix = 'uploads/';
/** Number of bytes that identify the kind of a file. */
const tellingBytes = 512;

/** A stored piece that is not yet part of the upload. */
export interface NewPiece {
  readonly draft: ObjectDraft;
  readonly start: number;
  readonly sizeBytes: number;
  /** Key of the shorter piece whose bytes it includes. */
  readonly replaced: string | undefined;
}

type ShortPiece = Awaited<ReturnType<typeof findShortPiece>>;

/** Finds the last piece of an upload if it has to be stored again with the next bytes. */
export async function findShortPiece(db: Database, { id, received }: UploadRow) {
  if (received === 0) return undefined;
  return await db
    .selectFrom('upload_pieces')
    .select(['start', 'size_bytes', 'object_key'])
    .where('upload_id', '=', id)
    .where('size_bytes', '<', minPieceBytes)
    .where(sql<boolean>`start + size_bytes = ${received}`)
    .executeTakeFirst();
}

interface Storing {
  readonly upload: UploadRow;
  readonly cutter: ReturnType<typeof createCutter>;
  readonly hash: ReturnType<typeof createHash> | undefined;
  /** Offset of the next bytes in the file. */
  readonly at: number;
  /** The piece that it replaces. */
  readonly last: ShortPiece;
}

/**
 * Starts to store the next bytes of a body. `taken` resolves to the end of the piece in the file once all its bytes
 * have arrived, so that the next ones can arrive while the store makes it durable. `stored` rejects with `invalid`, and
 * the upload ends, if the first bytes do not match the kind of the file.
 */
export function beginPiece(parts: StorageDependencies, storing: Storing) {
  const { upload, cutter, hash, at, last } = storing;
  const { id, length } = upload;
  const maxSizeBytes = Math.max(pieceBytes, Math.ceil(length / maxPieces / MiB) * MiB);
  const sniffer = at === 0 ? createContentSniffer() : undefined;
  const start = last?.start ?? at;
  let sizeBytes = last?.size_bytes ?? 0;
  const taken = Promise.withResolvers<number>();
  async function* bytes(): AsyncGenerator<Buffer> {
    if (last !== undefined) yield* await parts.objectStore.read(last.object_key);
    for await (const chunk of cutter.take(maxSizeBytes - sizeBytes)) {
      sizeBytes += chunk.length;
      hash?.update(chunk);
      sniffer?.push(chunk);
      yield chunk;
    }
    taken.resolve(start + sizeBytes);
  }
  async function store(): Promise<NewPiece> {
    const stream = Readable.from(bytes(), { objectMode: false });
    const key = `${keyPrefix}${id}/${randomUUID()}`;
    const draft = await writeDraft(parts.db, parts.objectStore, key, { stream, maxSizeBytes });
    try {
      if (sniffer !== undefined && (sizeBytes >= tellingBytes || sizeBytes === length))
        refuseUnlessPromised(upload, sniffer);
    } catch (error) {
      await draft[Symbol.asyncDispose]();
      await terminateUpload(parts.db, id);
      throw error;
    }
    return { draft, start, sizeBytes, replaced: last?.object_key };
  }
  const stored = store();
  stored.catch(ignore); // handled where it is awaited
  return { taken: taken.promise, stored };
}

/** @throws {Problem} `invalid` if the bytes do not match the kind that the file name promises. */
function refuseUnlessPromised(
  { metadata }: UploadRow,
  sniffer: ReturnType<typeof createContentSniffer>,
): void {
  const { filename, isSource } = readMetadata(metadata);
  if (isSource) {
    if (sourceFormatOf(sniffer.head()) === undefined)
      throw invalidFields({ file: sourceFaults.unknownFormat });
    return;
  }
  refuseContent({ filename: cleanFileName(filename), kind: sniffer.kind(), head: sniffer.head() });
}
