import { Readable } from 'node:stream';
import { membersOf } from '../json/verbatim-json.ts';
import { remoteFaults } from '../messages/datasets/english.ts';
import type { S3Options } from '../object-store/s3/client.ts';
import type { S3Location } from '../object-store/s3/location.ts';
import { StoreUnavailable } from '../object-store/object-store.ts';
import {
  faultOfStatus,
  type ProbedFile,
  readAnswer,
  readBody,
  RemoteFault,
  type RemoteVersion,
  type Request,
} from './remote-answer.ts';

export interface BucketOptions {
  /** Buckets of which objects may be read, and only below their prefixes. */
  readonly buckets: readonly S3Location[];
  /** Overrides what the AWS SDK finds. */
  readonly credentials?: S3Options['credentials'];
  /** Learns why a bucket cannot be read with the settings of the operator. */
  readonly onRefusal?: (bucket: string, error: unknown) => void;
}

/** An object by its address `s3://bucket/key`; the key is taken as it stands, without percent signs being decoded. */
export interface BucketPlace {
  readonly bucket: string;
  readonly key: string;
}

const maxKeyBytes = 1024;

/** Returns the place of an object; undefined if a text is not an address of one. */
export function bucketPlaceOf(address: string): BucketPlace | undefined {
  const [, bucket, key] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/(\P{Cc}+)$/u.exec(address) ?? [];
  if (bucket === undefined || key === undefined || Buffer.byteLength(key) > maxKeyBytes) return undefined;
  // A server that resolves such segments would leave the prefix.
  return key.split('/').some((part) => part === '.' || part === '..') ? undefined : { bucket, key };
}

/** Creates a reader of objects in the buckets that the operator has listed. The operator has named their servers, which may be private. */
export function createBucketFiles({ buckets, credentials, onRefusal }: BucketOptions) {
  const clients = new Map<S3Location, Promise<Client>>();

  /** The SDK is slow to load, so it is loaded only on demand. */
  async function clientOf(location: S3Location): Promise<Client> {
    let client = clients.get(location);
    if (client === undefined) clients.set(location, (client = openClient(location)));
    return await client;
  }

  async function openClient(location: S3Location) {
    const { createS3Clients } = await import('../object-store/s3/client.ts');
    const { GetObjectCommand } = await import('@aws-sdk/client-s3');
    const own = createS3Clients(location, {
      ...(credentials === undefined ? {} : { credentials }),
      onRefusal: (_sentence, error) => onRefusal?.(location.bucket, error),
    });
    return {
      async get(place: BucketPlace, { range: { start, end }, version, signal }: Request) {
        const get = new GetObjectCommand({
          Bucket: place.bucket,
          Key: place.key,
          Range: `bytes=${start}-${end}`,
          ...(version?.etag === undefined ? {} : { IfMatch: version.etag }),
        });
        try {
          return await own.reading(get, { signal });
        } catch (error) {
          if (signal.aborted) throw error;
          throw faultOf(place.bucket, error, start);
        }
      },
      close: own.close,
    };
  }

  type Client = Awaited<ReturnType<typeof openClient>>;

  /** @throws {RemoteFault} if the operator has not listed the bucket, or another part of it. */
  function locationOf({ bucket, key }: BucketPlace): S3Location {
    const location = buckets.find((each) => each.bucket === bucket && key.startsWith(each.prefix));
    if (location === undefined) throw new RemoteFault(remoteFaults.bucketNotListed(bucket));
    return location;
  }

  return {
    /** @throws {RemoteFault} if the operator has not listed the place. */
    refuse: (place: BucketPlace): void => void locationOf(place),

    /** Reads a part of an object. @param check refuses what the store says of it, before the bytes are read. */
    async readRange(
      request: Request,
      place: BucketPlace,
      check: (found: RemoteVersion, host: string) => void,
    ): Promise<ProbedFile> {
      const { address, range, signal } = request;
      const { bucket } = place;
      const client = await clientOf(locationOf(place));
      const { Body, ContentRange, ContentEncoding, ETag, LastModified, $metadata } = await client.get(
        place,
        request,
      );
      if (!(Body instanceof Readable)) throw new Error('the object store sent no body');
      const stop = (): void => void Body.destroy();
      signal.addEventListener('abort', stop, { once: true });
      try {
        const headers = {
          'content-range': ContentRange,
          'content-encoding': ContentEncoding,
          etag: ETag,
          'last-modified': LastModified?.toUTCString(),
        };
        const status = $metadata.httpStatusCode ?? 0;
        const found = { address, ...readAnswer(headers, { status, host: bucket, ...range }) };
        check(found, bucket);
        const length = Math.min(range.end + 1, found.sizeBytes) - range.start;
        return { ...found, head: await readBody(Body, length, bucket) };
      } catch (error) {
        if (error instanceof RemoteFault || signal.aborted) throw error;
        throw new RemoteFault(remoteFaults.noConnection(bucket), { isPassing: true, cause: error });
      } finally {
        signal.removeEventListener('abort', stop);
        if (!Body.readableEnded) Body.destroy();
      }
    },

    close(): void {
      for (const client of clients.values()) void client.then(({ close }) => close());
    },
  };
}

/** Returns the fault of a request that gave no object. */
function faultOf(bucket: string, error: unknown, start: number): RemoteFault {
  const { name, status } = answerOf(error);
  const cause = { cause: error };
  if (['NoSuchBucket', 'PermanentRedirect', 'AuthorizationHeaderMalformed'].includes(name))
    return new RemoteFault(remoteFaults.bucketSettings(bucket), cause);
  if (status !== undefined) return faultOfStatus(status, { host: bucket, start });
  if (error instanceof StoreUnavailable && !isOfCredentials(error))
    return new RemoteFault(remoteFaults.noConnection(bucket), { isPassing: true, ...cause });
  return new RemoteFault(remoteFaults.bucketSettings(bucket), cause);
}

/** Returns what the store has answered, if it has; the body may be none of S3. */
function answerOf(error: unknown): { readonly name: string; readonly status: number | undefined } {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { httpStatusCode: status } = membersOf(membersOf(cause)['$metadata']);
    if (typeof status === 'number') return { name: cause.name, status };
  }
  return { name: '', status: undefined };
}

/** No credentials or no region were found. */
const isOfCredentials = ({ cause }: StoreUnavailable): boolean =>
  cause instanceof Error &&
  (cause.name === 'CredentialsProviderError' || cause.message === 'Region is missing');
