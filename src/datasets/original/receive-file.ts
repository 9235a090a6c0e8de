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

export interface SentFile {
  readonly filename: string | undefined;
  readonly mediaType: string | undefined;
  readonly body: AsyncIterable<Buffer>;
  /** Upper bound of its size. */
  readonly maxSizeBytes: number;
}

/** A received file, reduced to what the comparison of two files needs. */
export interface DigestedFile extends AsyncDisposable {
  /** Safe version of the sent name; empty without one. */
  readonly filename: string;
  readonly contentType: string;
  /** Digest of its bytes; absent if they were not read. */
  readonly sha256?: Buffer | undefined;
}

/** A received file; disposal removes its bytes unless a transaction publishes the draft. */
export interface ReceivedFile extends DigestedFile {
  /** Id of the future dataset; the object key contains it. */
  readonly datasetId: string;
  readonly sizeBytes: number;
  readonly kind: ContentKind | undefined;
  /** First bytes, which identify the content if it differs from the kind that the name promises. */
  readonly head: Buffer;
  /** Absent if the file name rules out a dataset; the file was then not stored. */
  readonly draft: ObjectDraft | undefined;
}

export interface StorageDependencies {
  readonly db: Database;
  readonly objectStore: ObjectStore;
}

/** Streams a file into the store as a draft, measures it and detects its kind; an impossible file is not read. */
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

/** A file whose bytes are already in the store, in pieces. */
export interface StoredFile extends Pick<SentFile, 'filename' | 'mediaType'> {
  readonly pieces: Composition['pieces'];
  readonly signal: AbortSignal;
  /** True for a file that is kept whatever its name. */
  readonly isSource?: boolean;
}

/** Joins the pieces of a file in the store, with the same result as `receiveFile`. */
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
  sent: Pick<SentFile, 'filename' | 'mediaType'> & Pick<StoredFile, 'isSource'>,
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
  const { isSource = false } = sent;
  const key = isSource
    ? `sources/${datasetId}/file`
    : `originals/${datasetId}/source${extensionOf(filename)}`;
  const isOfUse = isSource || promisedKind(filename) !== undefined;
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

/** Reads a file without storing it, to compare it with a received one. */
export async function digestFile(sent: SentFile): Promise<DigestedFile> {
  const filename = cleanFileName(sent.filename ?? '');
  const hash = createHash('sha256');
  for await (const chunk of sent.body) hash.update(chunk);
  const contentType = contentTypeOf(sent.mediaType, filename);
  return { filename, contentType, sha256: hash.digest(), async [Symbol.asyncDispose]() {} };
}
