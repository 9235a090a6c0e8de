import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { ignore } from '../../lib/concurrency/promises.ts';
import type { Ask } from './client.ts';
import { type Budget, cutIntoParts, type Part, partBytesFor } from './parts.ts';

/** A store may join the parts before it answers. */
const completeWithinMs = 120_000;
const abortWithinMs = 2_000;
const partsInFlight = 2;

/** Destination of an object. */
export interface UploadTarget {
  readonly ask: Ask;
  readonly Bucket: string;
  readonly Key: string;
  readonly budget: Budget;
}

/** Stores a body as one object, in several parts if necessary. Leaves no upload behind on failure. */
export async function uploadBody(target: UploadTarget, body: Readable, sizeBytes?: number): Promise<void> {
  // Until the first part is read, there is no other listener.
  body.on('error', ignore);
  const parts = cutIntoParts(body, partBytesFor(sizeBytes), target.budget);
  try {
    const { value: first } = await parts.next();
    if (first === undefined) throw new Error('a body has one part at least');
    if (first.isLast) await putWhole(target, first);
    else await putInParts(target, first, parts);
  } finally {
    body.destroy();
    await parts.return();
  }
}

async function putWhole({ ask, Bucket, Key }: UploadTarget, part: Part): Promise<void> {
  try {
    await ask(new PutObjectCommand({ Bucket, Key, Body: bytesOf(part), ContentLength: part.sizeBytes }));
  } finally {
    part.release();
  }
}

async function putInParts(
  target: UploadTarget,
  first: Part,
  rest: AsyncGenerator<Part, void, undefined>,
): Promise<void> {
  const UploadId = await createUpload(target).catch((error: unknown) => {
    first.release();
    throw error;
  });
  const cancelled = new AbortController();
  const inFlight = new Set<Promise<void>>();
  const completed: CompletedPart[] = [];
  const begin = async (part: Part): Promise<void> => {
    const sending = sendPart({ ...target, UploadId, signal: cancelled.signal }, part).then((sent) => {
      completed.push(sent);
      inFlight.delete(sending);
    });
    sending.catch(ignore); // handled where it is awaited
    inFlight.add(sending);
    if (inFlight.size === partsInFlight) await Promise.race(inFlight);
  };
  try {
    await begin(first);
    for await (const part of rest) await begin(part);
    await Promise.all(inFlight);
    await completeUpload(target, UploadId, completed);
  } catch (error) {
    cancelled.abort();
    await Promise.allSettled(inFlight); // a part that arrives after the abort would recreate the upload
    await abortUpload(target, UploadId).catch(ignore); // the ledger knows any remainder, and the sweeper removes it
    throw error;
  }
}

/** Starts a multipart upload, and returns its id. */
export async function createUpload({ ask, Bucket, Key }: Omit<UploadTarget, 'budget'>): Promise<string> {
  const { UploadId } = await ask(new CreateMultipartUploadCommand({ Bucket, Key }));
  if (UploadId === undefined) throw new Error('the object store gave no id for an upload');
  return UploadId;
}

/** Completes an upload; the parts may be in any order. */
export async function completeUpload(
  { ask, Bucket, Key }: Omit<UploadTarget, 'budget'>,
  UploadId: string,
  parts: readonly CompletedPart[],
): Promise<void> {
  const Parts = parts.toSorted((a, b) => (a.PartNumber ?? 0) - (b.PartNumber ?? 0));
  const complete = new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } });
  await ask(complete, { withinMs: completeWithinMs });
}

async function sendPart(
  {
    ask,
    Bucket,
    Key,
    UploadId,
    signal,
  }: UploadTarget & { readonly UploadId: string; readonly signal: AbortSignal },
  part: Part,
): Promise<CompletedPart> {
  const PartNumber = part.number;
  try {
    const upload = { Bucket, Key, UploadId, PartNumber, Body: bytesOf(part), ContentLength: part.sizeBytes };
    const { ETag } = await ask(new UploadPartCommand(upload), { signal });
    return { PartNumber, ...(ETag === undefined ? {} : { ETag }) };
  } finally {
    part.release();
  }
}

/** Aborts an upload and removes its parts. @throws if it does not exist. */
export async function abortUpload(
  { ask, Bucket, Key }: Omit<UploadTarget, 'budget'>,
  UploadId: string,
): Promise<void> {
  await ask(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), { withinMs: abortWithinMs });
}

function bytesOf({ chunks }: Part): Buffer {
  return Buffer.concat(chunks);
}
