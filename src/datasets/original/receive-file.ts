import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  type BoundedBody,
  type Composition,
  type ObjectDraft,
  writeDraft,
} from '../../object-store/ledger.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import type { Database } from '../../database/tables/tables.ts';
import { createContentSniffer, promisedKind, type ContentKind } from './content-kind.ts';
import { cleanFileName, contentTypeOf, extensionOf } from './file-name.ts';

/** A file part as it arrives. */
export interface SentFile {
  readonly filename: string | undefined;
  readonly mediaType: string | undefined;
  readonly body: AsyncIterable<Buffer>;
  /** The most bytes that it can have. */
  readonly maxSizeBytes: number;
}

/** A file that has arrived, as far as two of them are compared. */
export interface DigestedFile extends AsyncDisposable {
  /** Cleaned; empty when none was sent. */
  readonly filename: string;
  readonly contentType: string;
  /** Of its bytes; absent where they were not read. */
  readonly sha256?: Buffer | undefined;
}

/** A file that has arrived; unless a transaction publishes its draft, disposing of it removes the bytes. */
export interface ReceivedFile extends DigestedFile {
  /** The id that the dataset will have; its object key is made of it. */
  readonly datasetId: string;
  readonly sizeBytes: number;
  readonly kind: ContentKind | undefined;
  /** Its first bytes, which tell what it is when that is another kind than its name promises. */
  readonly head: Buffer;
  /** Absent when no dataset can be made of a file with this name, which then was not stored. */
  readonly draft: ObjectDraft | undefined;
}

export interface StorageDependencies {
  readonly db: Database;
  readonly objectStore: ObjectStore;
}

/** Streams a file into the store as a draft, counting and sniffing; an impossible file is left unread. */
export async function receiveFile(parts: StorageDependencies, sent: SentFile): Promise<ReceivedFile> {
  return await storeFile(parts, sent, (onBytes) => {
    async function* watched(): AsyncGenerator<Buffer> {
      for await (const chunk of sent.body) {
        onBytes(chunk);
        yield chunk;
      }
    }
    return {
      stream: Readable.from(watched(), { objectMode: false }),
      maxSizeBytes: sent.maxSizeBytes,
    };
  });
}

/** A file whose bytes are in the store already, in pieces. */
export interface StoredFile extends Pick<SentFile, 'filename' | 'mediaType'> {
  readonly pieces: Composition['pieces'];
  readonly signal: AbortSignal;
}

/** Joins the pieces of a file inside the store, as `receiveFile` takes one that comes. */
export async function joinFile(parts: StorageDependencies, stored: StoredFile): Promise<ReceivedFile> {
  const { pieces, signal } = stored;
  return await storeFile(parts, stored, (onBytes) => ({
    pieces,
    signal,
    createCheck: () => (bytes) => onBytes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)),
  }));
}

async function storeFile(
  { db, objectStore }: StorageDependencies,
  sent: Pick<SentFile, 'filename' | 'mediaType'>,
  bodyOf: (onBytes: (bytes: Buffer) => void) => BoundedBody | Composition,
): Promise<ReceivedFile> {
  const datasetId = randomUUID();
  const filename = cleanFileName(sent.filename ?? '');
  const sniffer = createContentSniffer();
  let sizeBytes = 0;
  const onBytes = (bytes: Buffer): void => {
    sniffer.push(bytes);
    sizeBytes += bytes.length;
  };
  const key = `originals/${datasetId}/source${extensionOf(filename)}`;
  const isOfUse = promisedKind(filename) !== undefined;
  const draft = isOfUse ? await writeDraft(db, objectStore, key, bodyOf(onBytes)) : undefined;
  return {
    datasetId,
    filename,
    contentType: contentTypeOf(sent.mediaType, filename),
    sizeBytes,
    kind: sniffer.kind(),
    head: sniffer.head(),
    sha256: draft?.sha256,
    draft,
    async [Symbol.asyncDispose]() {
      await draft?.[Symbol.asyncDispose]();
    },
  };
}

/** Reads a file and stores nothing, to compare it with one that was received. */
export async function digestFile(sent: SentFile): Promise<DigestedFile> {
  const filename = cleanFileName(sent.filename ?? '');
  const hash = createHash('sha256');
  for await (const chunk of sent.body) hash.update(chunk);
  const contentType = contentTypeOf(sent.mediaType, filename);
  return { filename, contentType, sha256: hash.digest(), async [Symbol.asyncDispose]() {} };
}
