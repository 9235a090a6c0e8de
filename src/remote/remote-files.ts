import { GiB, KiB } from '../lib/units.ts';
import { pause } from '../lib/concurrency/promises.ts';
import type { Message } from '../lib/message.ts';
import { remoteFaults } from '../messages/datasets/english.ts';
import { type BucketOptions, bucketPlaceOf, createBucketFiles } from './bucket-files.ts';
import {
  connectionFault,
  createHttpsFiles,
  type HttpsOptions,
  isHttpsAddress,
  type RemoteDocument,
} from './https-files.ts';
import {
  type ProbedFile,
  type Range,
  refuseOther,
  RemoteFault,
  type RemoteVersion,
} from './remote-answer.ts';

interface RemoteOptions extends HttpsOptions, Partial<BucketOptions> {
  readonly maxFileBytes?: number;
  /** Time for one request and its bytes. */
  readonly deadlineMs?: number;
  readonly pausesMs?: readonly number[];
}

export type RemoteFiles = ReturnType<typeof createRemoteFiles>;

const probeBytes = 16 * KiB;
const maxAddressLength = 2000;

/**
 * Creates a reader of parts of files on other servers: of listed hosts over https, and of objects in listed buckets. Without any host or
 * bucket the feature is off.
 */
export function createRemoteFiles({
  hosts,
  buckets = [],
  maxFileBytes = 64 * GiB,
  deadlineMs = 20_000,
  pausesMs = [300, 1500],
  ...options
}: RemoteOptions) {
  const ofHosts = createHttpsFiles({ hosts, ...options }, deadlineMs);
  const ofBuckets = createBucketFiles({ buckets, ...options });

  /** Sends one request within its time. */
  async function once<T>(
    address: string,
    signal: AbortSignal | undefined,
    send: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const { host } = placeOf(address);
    const late = AbortSignal.timeout(deadlineMs);
    try {
      return await send(signal === undefined ? late : AbortSignal.any([signal, late]));
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof RemoteFault || !late.aborted) throw error;
      throw connectionFault('timeout', host, error);
    }
  }

  /** Sends a request, and sends it again after failures that may pass. */
  async function patiently<T>(
    address: string,
    signal: AbortSignal | undefined,
    send: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await once(address, signal, send);
      } catch (error) {
        const pauseMs = pausesMs[tries];
        if (!(error instanceof RemoteFault) || !error.isPassing || pauseMs === undefined) throw error;
        await pause(pauseMs, signal ?? never);
      }
    }
  }

  async function read(
    address: string,
    range: Range,
    version: RemoteVersion | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ProbedFile> {
    const check = (found: RemoteVersion, host: string): void => {
      if (version !== undefined) refuseOther(found, version, host);
      if (found.sizeBytes > maxFileBytes) throw new RemoteFault(remoteFaults.tooLarge(maxFileBytes / GiB));
    };
    return await patiently(address, signal, async (either) => {
      const request = { address, range, version, signal: either };
      const place = bucketPlaceOf(address);
      if (place !== undefined) return await ofBuckets.readRange(request, place, check);
      return await ofHosts.readRange(request, check);
    });
  }

  return {
    /** False if the operator has listed no hosts and no buckets. */
    isOn: hosts.length + buckets.length > 0,

    /** Returns why nothing may be read from an address, as far as the lists of the operator say so; undefined if it may be read. */
    refusalOf(address: string): Message | undefined {
      try {
        const place = bucketPlaceOf(address);
        if (place !== undefined) ofBuckets.refuse(place);
        else ofHosts.refuse(address);
        return undefined;
      } catch (error) {
        if (error instanceof RemoteFault) return error.told;
        throw error;
      }
    },

    /** Asks for the first bytes of a file, and what the server says of it. @throws {RemoteFault} with the reason. */
    async probe(address: string, signal?: AbortSignal): Promise<ProbedFile> {
      return await read(address, { start: 0, end: probeBytes - 1 }, undefined, signal);
    },

    /** Reads bytes of a version of a file. @throws {RemoteFault} `changed` if the server has another version. */
    async read(version: RemoteVersion, range: Range, signal?: AbortSignal): Promise<Buffer> {
      return (await read(version.address, range, version, signal)).head;
    },

    /** Reads a whole document of a listed host. @throws {RemoteFault} */
    async readDocument(address: string, signal?: AbortSignal): Promise<RemoteDocument> {
      return await patiently(address, signal, async (either) => await ofHosts.readDocument(address, either));
    },

    close(): void {
      ofHosts.close();
      ofBuckets.close();
    },
  };
}

const { signal: never } = new AbortController();

/** The name of the host or bucket of a file, and its own name. */
export interface RemotePlace {
  readonly host: string;
  readonly name: string;
}

/** Returns the place of an address that may be registered. @throws {RemoteFault} */
export function placeOf(address: string): RemotePlace {
  const object = address.length > maxAddressLength ? undefined : bucketPlaceOf(address);
  if (object !== undefined) return { host: object.bucket, name: object.key.split('/').at(-1) ?? '' };
  const url = address.length > maxAddressLength ? null : URL.parse(address);
  if (url === null || !isHttpsAddress(url)) throw new RemoteFault(remoteFaults.notAnAddress);
  return { host: url.host, name: decoded(url.pathname.split('/').at(-1) ?? '') };
}

/** Decodes percent signs, unless they stand for no character. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
