import { open } from 'node:fs/promises';
import {
  type CompletedPart,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { ignore } from '../../lib/concurrency/promises.ts';
import { inParallel } from '../../lib/concurrency/limiter.ts';
import { lengthOf, ObjectMissing, type Piece } from '../object-store.ts';
import { type ComposedPart, type GatheredPart, partsOf } from './composed-parts.ts';
import { isNoObject } from './errors.ts';
import { abortUpload, completeUpload, createUpload, type UploadTarget } from './upload.ts';

/** A store may read and write the whole range before it answers. */
const copyWithinMs = 120_000;
const partsInFlight = 8;

interface Sources {
  objectName(key: string): string;
  /** Fills a buffer with a range of an object. @throws ObjectMissing */
  fill(key: string, bytes: Buffer, start: number): Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

/** Composes an object of pieces: the store copies long ones internally. Leaves no upload behind on failure. */
export async function composeObject(
  target: UploadTarget,
  pieces: readonly Piece[],
  sources: Sources,
): Promise<void> {
  const parts = partsOf(pieces);
  const [first] = parts;
  if (parts.length < 2 && (first === undefined || 'sent' in first)) {
    await putGathered(target, first, sources);
    return;
  }
  sources.signal?.throwIfAborted();
  const UploadId = await createUpload(target);
  try {
    const { signal = new AbortController().signal } = sources;
    // Awaits all started parts: one that arrives after the abort would recreate the upload.
    const completed = await inParallel(
      [...parts.entries()],
      { limit: partsInFlight, signal },
      async ([index, part], each) =>
        await sendPart(target, part, { ...sources, UploadId, PartNumber: index + 1, signal: each }),
    );
    await completeUpload(target, UploadId, completed);
  } catch (error) {
    await abortUpload(target, UploadId).catch(ignore); // the ledger knows any remainder, and the sweeper removes it
    throw error;
  }
}

async function putGathered(
  { ask, Bucket, Key, budget }: UploadTarget,
  part: GatheredPart | undefined,
  sources: Sources,
): Promise<void> {
  const release = await budget.take(part?.sizeBytes ?? 0);
  try {
    const Body = part === undefined ? Buffer.alloc(0) : await gathered(part.sent, part.sizeBytes, sources);
    await ask(new PutObjectCommand({ Bucket, Key, Body, ContentLength: Body.length }));
  } finally {
    release();
  }
}

interface PartOptions extends Sources {
  readonly UploadId: string;
  readonly PartNumber: number;
  readonly signal: AbortSignal;
}

async function sendPart(
  { ask, Bucket, Key, budget }: UploadTarget,
  part: ComposedPart,
  { UploadId, PartNumber, signal, ...sources }: PartOptions,
): Promise<CompletedPart> {
  const place = { Bucket, Key, UploadId, PartNumber };
  if ('copy' in part) {
    const { key, start, length } = part.copy;
    const copy = new UploadPartCopyCommand({
      ...place,
      CopySource: encodeURI(`${Bucket}/${sources.objectName(key)}`),
      CopySourceRange: `bytes=${start}-${start + length - 1}`,
    });
    const { CopyPartResult } = await ask(copy, { withinMs: copyWithinMs, signal }).catch((error: unknown) => {
      throw isNoObject(error) ? new ObjectMissing(key, { cause: error }) : error;
    });
    return completed(PartNumber, CopyPartResult?.ETag);
  }
  const release = await budget.take(part.sizeBytes);
  try {
    signal.throwIfAborted();
    const Body = await gathered(part.sent, part.sizeBytes, sources);
    const { ETag } = await ask(new UploadPartCommand({ ...place, Body, ContentLength: Body.length }), {
      signal,
    });
    return completed(PartNumber, ETag);
  } finally {
    release();
  }
}

function completed(PartNumber: number, ETag: string | undefined): CompletedPart {
  return { PartNumber, ...(ETag === undefined ? {} : { ETag }) };
}

/** Reads pieces into memory. */
async function gathered(
  pieces: readonly Piece[],
  sizeBytes: number,
  { fill }: Pick<Sources, 'fill'>,
): Promise<Buffer> {
  const all = Buffer.allocUnsafe(sizeBytes);
  let at = 0;
  for (const piece of pieces) {
    const room = all.subarray(at, at + lengthOf(piece));
    if ('bytes' in piece) room.set(piece.bytes);
    else if ('key' in piece) await fill(piece.key, room, piece.start);
    else await fillFromFile(piece.path, room, piece.start);
    at += room.length;
  }
  return all;
}

async function fillFromFile(path: string, room: Buffer, start: number): Promise<void> {
  await using file = await open(path);
  const { bytesRead } = await file.read(room, 0, room.length, start);
  if (bytesRead !== room.length) throw new Error('a piece reaches beyond the end of a file');
}
