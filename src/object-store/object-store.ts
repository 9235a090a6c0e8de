import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ResourceError } from '../lib/errors.ts';
import { storeErrors, storeSeconds } from '../metrics/instruments.ts';
import { inSpan } from '../tracing/tracing.ts';

export { ObjectMissing } from './object-missing.ts';

/** Inclusive byte positions, as in an HTTP range. */
export type ByteRange = Readonly<Record<'start' | 'end', number>>;

export interface StoreCall {
  /** Cancels the call, and the body of `read`; a driver that cannot cancel its work may ignore it. */
  readonly signal?: AbortSignal | undefined;
}

export interface PutCall extends StoreCall {
  readonly sizeBytes?: number | undefined;
}

export interface ComposeCall extends StoreCall {
  /** Sees all bytes in order if they pass through this process; an error that it throws ends the call. */
  readonly onBytes?: ((bytes: Uint8Array) => void) | undefined;
}

/** A byte range of an object, or of a local file that is no longer written to. */
export type PieceRange = ({ readonly key: string } | { readonly path: string }) & {
  readonly start: number;
  readonly length: number;
};

/** A part of a composed object. `bytes` are held in memory, and should be few. */
export type Piece = PieceRange | { readonly bytes: Uint8Array };

export function lengthOf(piece: Piece): number {
  return 'bytes' in piece ? piece.bytes.length : piece.length;
}

/** An object that is open for reading. Dispose once per `open`. */
export interface OpenObject extends Disposable {
  readonly sizeBytes: number;
  /** Fills all of `bytes` from offset `start`; the range must lie within the object. @throws ObjectMissing */
  fill(bytes: Buffer, start: number): Promise<void>;
}

/**
 * PORT. Whole objects under keys that the server creates (`a-z0-9-/.` only). A reader sees the complete object or
 * nothing, and an acknowledged `put` survives a power cut. All methods reject with `StoreUnavailable` while the store
 * is unreachable, full or broken. Drivers need no timeouts: `withDeadlines` adds them.
 */
export interface ObjectStore {
  /** True if each object is a file under its key in one folder, which another program of this machine can send. */
  readonly isFolder?: boolean;
  /**
   * Stores `body` under an unused key. Rejects, leaving nothing to read, if `body` fails, and if the key of a large
   * object is removed meanwhile.
   * @param call.sizeBytes size of the body, or its maximum, if known.
   */
  put(key: string, body: Readable, call?: PutCall): Promise<void>;
  /**
   * Stores a finished local file under an unused key without copying; returns false if the store cannot. The file must
   * not be written to afterwards: that would change the object. Its path may be removed.
   */
  adopt(key: string, path: string, call?: StoreCall): Promise<boolean>;
  /**
   * Composes an object of pieces, in order, under an unused key. Returns true if the bytes passed through this process, and through
   * `call.onBytes`; false if the store copied them internally. Rejects and leaves nothing to read, like `put`.
   * @throws ObjectMissing if the object of a piece does not exist.
   */
  compose(key: string, pieces: readonly Piece[], call?: ComposeCall): Promise<boolean>;
  /** Returns the size of an object in bytes, or undefined if it does not exist. */
  size(key: string, call?: StoreCall): Promise<number | undefined>;
  /** Opens an object as a stream, which stays readable to its end even if the object is removed meanwhile. @throws ObjectMissing */
  read(key: string, range?: ByteRange, call?: StoreCall): Promise<Readable>;
  /**
   * Opens an object for short reads; returns undefined if it does not exist. A driver may keep objects open for a
   * second, even after their removal, to speed up further reads.
   */
  open(key: string, call?: StoreCall): Promise<OpenObject | undefined>;
  /**
   * Makes an object available as a file at `path` without copying; returns false if the store cannot. Programs that open the file must be
   * unable to write to it: that would change the object. The file remains when the object is removed. @throws ObjectMissing
   */
  link(key: string, path: string, call?: StoreCall): Promise<boolean>;
  /** Removes an object and the remainder of an interrupted `put`; no error if there is none. */
  remove(key: string, call?: StoreCall): Promise<void>;
  /** Lists every key, including unfinished objects, in no particular order; a key that changes meanwhile may occur twice. */
  keys(call?: StoreCall): AsyncIterable<string>;
  /** Resolves if the store answers and is writable; rejects otherwise. */
  check(call?: StoreCall): Promise<void>;
  /** Closes connections; the store is not used afterwards. */
  close?(): void;
}

/** Methods that read a known object. */
export type ObjectReader = Pick<ObjectStore, 'size' | 'read' | 'open' | 'isFolder'>;

/** The store cannot be read or written now; see the cause. */
export class StoreUnavailable extends ResourceError {
  override readonly name = 'StoreUnavailable';
  /** True if no effect of the call can follow; false for a call that was not answered, or only by a proxy. */
  readonly isOver: boolean;
  constructor({ cause, isOver = false }: { readonly cause: Error; readonly isOver?: boolean }) {
    super(`the object store is unavailable: ${cause.message}`, { cause });
    this.isOver = isOver;
  }
}

const maxKeyLength = 512;
const segment = /^[a-z0-9][a-z0-9.-]*$/;

/** Folder of objects that stand for files of other servers, see `remote/referenced-objects.ts`. */
export const referenceFolder = 'references';

/** Returns whether an object stands for a file of another server. */
export function isReferenceKey(key: string): boolean {
  return key.startsWith(`${referenceFolder}/`);
}

/** Suffix of the name of an unfinished file; no key ends with it. */
export const partialSuffix = '.partial';

/** No segment may be empty, start with a dot, or look like an unfinished file, so that no key leads out of its folder. */
export function isKey(key: string): boolean {
  if (key.length > maxKeyLength) return false;
  return key.split('/').every((part) => segment.test(part) && !part.endsWith(partialSuffix));
}

/**
 * Makes an object available as a local file: the stored file itself, without copying, if its reader cannot write to it.
 * @throws {ObjectMissing} @throws {StoreUnavailable}
 */
export async function bringObject(
  store: ObjectStore,
  key: string,
  {
    path,
    isGuarded,
    signal,
  }: { readonly path: string; readonly isGuarded: boolean; readonly signal: AbortSignal },
): Promise<void> {
  if (isGuarded && (await store.link(key, path, { signal }))) return;
  await pipeline(await store.read(key, undefined, { signal }), createWriteStream(path), { signal });
}

/** Counts and traces the calls of a store of any driver, except reads of an open object. */
export function withMetrics(store: ObjectStore): ObjectStore {
  async function measure<T>(op: string, call: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await inSpan(
        { name: `store ${op}`, kind: 'client', attributes: { 'steppe.store.op': op } },
        call,
      );
    } catch (error) {
      storeErrors.inc({ op });
      throw error;
    } finally {
      storeSeconds.observe({ op }, (performance.now() - startedAt) / 1000);
    }
  }
  return {
    ...store,
    put: async (...args) => await measure('put', async () => await store.put(...args)),
    adopt: async (...args) => await measure('adopt', async () => await store.adopt(...args)),
    compose: async (...args) => await measure('compose', async () => await store.compose(...args)),
    size: async (...args) => await measure('size', async () => await store.size(...args)),
    read: async (...args) => await measure('read', async () => await store.read(...args)),
    link: async (...args) => await measure('link', async () => await store.link(...args)),
    remove: async (...args) => await measure('remove', async () => await store.remove(...args)),
    check: async (...args) => await measure('check', async () => await store.check(...args)),
    open: async (...args) => await measure('open', async () => await store.open(...args)),
  };
}
