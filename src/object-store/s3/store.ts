import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { stat } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { ignore } from '../../lib/concurrency/promises.ts';
import { MiB } from '../../lib/units.ts';
import { guardBody } from '../deadlines.ts';
import { isKey, ObjectMissing, StoreUnavailable, type ByteRange, type ObjectStore } from '../object-store.ts';
import { composeObject } from './compose.ts';
import { createS3Clients, type S3Options } from './client.ts';
import { isNotThere, meantOfStore } from './errors.ts';
import type { S3Location } from './location.ts';
import { createBudget } from './parts.ts';
import { abortUpload, uploadBody } from './upload.ts';

const idleMs = 30_000;
const sizeLastsMs = 1000;
const checkWithinMs = 2000;
const pageWithinMs = 10_000;
const uploadMemoryBytes = 64 * MiB;
/** A name that is not a key never appears in `keys()`. */
const probeName = '.check';

/** Objects in a bucket of an S3 store. Does not connect yet. */
export function createS3ObjectStore(location: S3Location, options: Partial<S3Options> = {}): ObjectStore {
  const { bucket: Bucket, prefix } = location;
  const { onRefusal = ignore } = options;
  const { reading, other, checking, close } = createS3Clients(location, { ...options, onRefusal });
  const budget = createBudget(uploadMemoryBytes);
  // A map reads the same object repeatedly.
  const recentSizes = new LRUCache<string, number>({ max: 1000, ttl: sizeLastsMs });

  function objectName(key: string): string {
    if (!isKey(key)) throw new Error(`not an object key: ${key}`);
    return prefix + key;
  }

  async function size(key: string): Promise<number | undefined> {
    const head = new HeadObjectCommand({ Bucket, Key: objectName(key) });
    try {
      return (await reading(head)).ContentLength ?? 0;
    } catch (error) {
      if (!isNotThere(error)) throw error;
      // The answer has no body, so that it may be the bucket that is missing.
      await checkBucket();
      return undefined;
    }
  }

  async function checkBucket(): Promise<void> {
    await other(new HeadBucketCommand({ Bucket })).catch((error: unknown) => {
      if (!isNotThere(error)) throw error;
      onRefusal('the bucket of OBJECT_STORE_URL is not there: make it, or correct the name', error);
      throw new StoreUnavailable({ cause: new Error(`there is no bucket ${Bucket}`) });
    });
  }

  async function read(key: string, range?: ByteRange): Promise<Readable> {
    const Range = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
    const get = new GetObjectCommand({ Bucket, Key: objectName(key), ...Range });
    const { Body, ContentLength } = await reading(get).catch((error: unknown) => {
      throw isNotThere(error) ? new ObjectMissing(key, { cause: error }) : error;
    });
    if (!(Body instanceof Readable)) throw new Error('the object store sent no body');
    const wanted = range === undefined ? undefined : range.end - range.start + 1;
    if (wanted !== undefined && ContentLength !== undefined && ContentLength > wanted) {
      Body.destroy();
      throw new StoreUnavailable({ cause: new Error('the object store knows no ranges') });
    }
    return guardBody(Body, idleMs, (error) => meantOfStore(error, onRefusal));
  }

  async function remove(key: string): Promise<void> {
    const Key = objectName(key);
    // First, so that no later put of this key can succeed.
    for await (const upload of listUploads(Key)) {
      if (upload.Key !== Key) continue;
      await abortUpload({ ask: other, Bucket, Key }, upload.UploadId).catch(unlessNotThere);
    }
    await other(new DeleteObjectCommand({ Bucket, Key })).catch(unlessNotThere);
  }

  /** Lists the names of all objects, including unfinished ones. */
  async function* names(): AsyncGenerator<string> {
    for (let token: string | undefined; ;) {
      const list = { Bucket, Prefix: prefix, ...(token && { ContinuationToken: token }) };
      const page = await other(new ListObjectsV2Command(list), { withinMs: pageWithinMs });
      for (const { Key } of page.Contents ?? []) if (Key !== undefined) yield Key;
      token = page.NextContinuationToken;
      if (page.IsTruncated !== true || token === undefined) break;
    }
    for await (const { Key } of listUploads(prefix)) yield Key;
  }

  /** Lists all unfinished uploads under names with a prefix. */
  async function* listUploads(Prefix: string) {
    for (let after = {}; ;) {
      const list = new ListMultipartUploadsCommand({ Bucket, Prefix, ...after });
      const page = await other(list, { withinMs: pageWithinMs });
      for (const { Key, UploadId } of page.Uploads ?? []) {
        if (Key !== undefined && UploadId !== undefined) yield { Key, UploadId };
      }
      const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
      if (page.IsTruncated !== true || KeyMarker === undefined) return;
      after = { KeyMarker, ...(UploadIdMarker !== undefined && { UploadIdMarker }) };
    }
  }

  /** Fills a buffer with a range of an object. */
  async function fill(key: string, bytes: Buffer, start: number): Promise<void> {
    if (bytes.length === 0) return;
    let filled = 0;
    for await (const chunk of await read(key, { start, end: start + bytes.length - 1 })) {
      filled += chunk.copy(bytes, filled);
    }
    if (filled < bytes.length) throw new Error(`the object ends before byte ${start + bytes.length}`);
  }

  return {
    async put(key, body, { sizeBytes } = {}) {
      await uploadBody({ ask: other, Bucket, Key: objectName(key), budget }, body, sizeBytes);
    },
    async compose(key, pieces, { signal } = {}) {
      const target = { ask: other, Bucket, Key: objectName(key), budget };
      await composeObject(target, pieces, { objectName, fill, signal });
      return false;
    },
    /** Rejects if the file does not exist, like every driver. */
    async adopt(key, path) {
      objectName(key);
      await stat(path);
      return false;
    },
    async link(key) {
      if ((await size(key)) === undefined) throw new ObjectMissing(key);
      return false;
    },
    size,
    read,
    async open(key) {
      const sizeBytes = recentSizes.get(key) ?? (await size(key));
      if (sizeBytes === undefined) return undefined;
      recentSizes.set(key, sizeBytes);
      const readInto = async (bytes: Buffer, start: number) => await fill(key, bytes, start);
      return { sizeBytes, fill: readInto, [Symbol.dispose]() {} };
    },
    async remove(key) {
      await remove(key).finally(() => recentSizes.delete(key));
    },
    async *keys() {
      for await (const name of names()) {
        const key = name.slice(prefix.length);
        if (isKey(key)) yield key;
      }
    },
    async check() {
      const put = new PutObjectCommand({ Bucket, Key: prefix + probeName, Body: '', ContentLength: 0 });
      await checking(put, { withinMs: checkWithinMs });
    },
    close,
  };
}

function unlessNotThere(error: unknown): void {
  if (!isNotThere(error)) throw error;
}
