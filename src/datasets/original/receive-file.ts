import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { writeDraft, type ObjectDraft } from '../../object-store/ledger.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import type { Database } from '../../database/tables.ts';
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

/** A file that has arrived; unless a transaction publishes its draft, disposing of it removes the bytes. */
export interface ReceivedFile extends AsyncDisposable {
  /** The id that the dataset will have; its object key is made of it. */
  readonly datasetId: string;
  /** Cleaned; empty when none was sent. */
  readonly filename: string;
  readonly contentType: string;
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
export async function receiveFile(
  { db, objectStore }: StorageDependencies,
  sent: SentFile,
): Promise<ReceivedFile> {
  const datasetId = randomUUID();
  const filename = cleanFileName(sent.filename ?? '');
  const sniffer = createContentSniffer();
  let sizeBytes = 0;
  async function* watched(): AsyncGenerator<Buffer> {
    for await (const chunk of sent.body) {
      sniffer.push(chunk);
      sizeBytes += chunk.length;
      yield chunk;
    }
  }
  const isOfUse = promisedKind(filename) !== undefined;
  const stream = Readable.from(watched(), { objectMode: false });
  const body = { stream, maxSizeBytes: sent.maxSizeBytes };
  const key = `originals/${datasetId}/source${extensionOf(filename)}`;
  const draft = isOfUse ? await writeDraft(db, objectStore, key, body) : undefined;
  return {
    datasetId,
    filename,
    contentType: contentTypeOf(sent.mediaType, filename),
    sizeBytes,
    kind: sniffer.kind(),
    head: sniffer.head(),
    draft,
    async [Symbol.asyncDispose]() {
      await draft?.[Symbol.asyncDispose]();
    },
  };
}
