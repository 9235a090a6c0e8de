import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { ignore } from '../../lib/promises.ts';
import type { Budget } from './budget.ts';
import { type OnRefusal, within } from './calls.ts';
import { cutIntoParts, type Part, partBytesFor } from './parts.ts';

export const answerWithinMs = 6_000;
const completeWithinMs = 120_000;
const abortWithinMs = 2_000;
const partsInFlight = 2;

/** Where an object goes. */
export interface UploadTarget {
  readonly client: S3Client;
  readonly Bucket: string;
  readonly Key: string;
  readonly budget: Budget;
  readonly onRefusal: OnRefusal;
}

/** Stores a body as one object, in parts when it is longer than one. Leaves no upload behind when it fails. */
export async function uploadBody(target: UploadTarget, body: Readable, sizeBytes?: number): Promise<void> {
  // Until the first part is read there is no other listener.
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

async function putWhole({ client, Bucket, Key, onRefusal }: UploadTarget, part: Part): Promise<void> {
  try {
    const put = new PutObjectCommand({ Bucket, Key, Body: bytesOf(part), ContentLength: part.sizeBytes });
    await within(answerWithinMs, async (abortSignal) => await client.send(put, { abortSignal }), onRefusal);
  } finally {
    part.release();
  }
}

async function putInParts(
  target: UploadTarget,
  first: Part,
  rest: AsyncGenerator<Part, void, undefined>,
): Promise<void> {
  const UploadId = await createUpload(target, first);
  const cancelled = new AbortController();
  const inFlight = new Set<Promise<void>>();
  const completed: CompletedPart[] = [];
  const begin = async (part: Part): Promise<void> => {
    const sending = sendPart({ ...target, UploadId, cancelled: cancelled.signal }, part).then((sent) => {
      completed.push(sent);
      inFlight.delete(sending);
    });
    sending.catch(ignore); // heard where it is waited for
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
    await Promise.allSettled(inFlight); // a part that lands after the end would bring the upload back
    await abortUpload(target, UploadId).catch(ignore); // what is left, the ledger knows and the sweeper finds
    throw error;
  }
}

async function createUpload({ client, Bucket, Key, onRefusal }: UploadTarget, first: Part): Promise<string> {
  try {
    const create = new CreateMultipartUploadCommand({ Bucket, Key });
    const { UploadId } = await within(
      answerWithinMs,
      async (abortSignal) => await client.send(create, { abortSignal }),
      onRefusal,
    );
    if (UploadId === undefined) throw new Error('the object store gave no id for an upload');
    return UploadId;
  } catch (error) {
    first.release();
    throw error;
  }
}

interface PartTarget extends UploadTarget {
  readonly UploadId: string;
  readonly cancelled: AbortSignal;
}

async function sendPart(
  { client, Bucket, Key, UploadId, onRefusal, cancelled }: PartTarget,
  part: Part,
): Promise<CompletedPart> {
  const PartNumber = part.number;
  try {
    const upload = { Bucket, Key, UploadId, PartNumber, Body: bytesOf(part), ContentLength: part.sizeBytes };
    const { ETag } = await within(
      answerWithinMs,
      async (late) =>
        await client.send(new UploadPartCommand(upload), { abortSignal: AbortSignal.any([late, cancelled]) }),
      onRefusal,
    );
    return { PartNumber, ...(ETag === undefined ? {} : { ETag }) };
  } finally {
    part.release();
  }
}

async function completeUpload(
  { client, Bucket, Key, onRefusal }: UploadTarget,
  UploadId: string,
  completed: readonly CompletedPart[],
): Promise<void> {
  const Parts = completed.toSorted((a, b) => (a.PartNumber ?? 0) - (b.PartNumber ?? 0));
  const complete = new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } });
  // A store may put the parts together before it answers.
  await within(
    completeWithinMs,
    async (abortSignal) => await client.send(complete, { abortSignal }),
    onRefusal,
  );
}

/** Ends an upload and removes its parts. @throws when it is not there. */
export async function abortUpload(
  { client, Bucket, Key, onRefusal }: Omit<UploadTarget, 'budget'>,
  UploadId: string,
): Promise<void> {
  const abort = new AbortMultipartUploadCommand({ Bucket, Key, UploadId });
  await within(abortWithinMs, async (abortSignal) => await client.send(abort, { abortSignal }), onRefusal);
}

function bytesOf({ chunks }: Part): Buffer {
  return Buffer.concat(chunks);
}
