import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ResourceError } from '../lib/errors.ts';

/** Inclusive byte positions, as in an HTTP range. */
export type ByteRange = Readonly<Record<'start' | 'end', number>>;

/** Options of every call. */
export interface StoreCall {
  /** Cancels the call, and of `read` its body as well; a driver that cannot end its work may ignore it. */
  readonly signal?: AbortSignal | undefined;
}

/** Further options of `put`. */
export interface PutCall extends StoreCall {
  readonly sizeBytes?: number | undefined;
}

/** Further options of `compose`. */
export interface ComposeCall extends StoreCall {
  /** Sees all bytes in their order, where they pass through this process; what it throws ends the call. */
  readonly onBytes?: ((bytes: Uint8Array) => void) | undefined;
}

/** A stretch of an object, or of a local file to which nothing writes any more. */
export type PieceRange = ({ readonly key: string } | { readonly path: string }) & {
  readonly start: number;
  readonly length: number;
};

/** What an object is composed of. Bytes are held in memory, so that there should be few of them. */
export type Piece = PieceRange | { readonly bytes: Uint8Array };

/** Returns the length of a piece. */
export function lengthOf(piece: Piece): number {
  return 'bytes' in piece ? piece.bytes.length : piece.length;
}

/** An object that is open for reading; disposing of it lets go of it, and is needed once for each `open`. */
export interface OpenObject extends Disposable {
  readonly sizeBytes: number;
  /** Fills all of `bytes` from the byte `start` on; the range must lie within the object. @throws ObjectMissing */
  fill(bytes: Buffer, start: number): Promise<void>;
}

/**
 * PORT. Whole objects under server-made keys (`a-z0-9-/.` only). A reader sees all of an object or none of it, and
 * what `put` has acknowledged survives a power cut. Everything rejects with `StoreUnavailable` while the store is away,
 * full or broken. A driver need not have deadlines of its own: `withDeadlines` stands around each of them.
 */
export interface ObjectStore {
  /**
   * Stores `body` under a key that was never used before. Rejects, leaving nothing to read, when `body` fails, and when a large
   * one's key is removed meanwhile.
   * @param call.sizeBytes the size of the body, or the most that it can have, where that is known.
   */
  put(key: string, body: Readable, call?: PutCall): Promise<void>;
  /**
   * Stores a finished local file under a key that was never used before, without a copy; false where the store cannot.
   * Nothing may write to the file afterwards: that would change the object. Its path may be removed.
   */
  adopt(key: string, path: string, call?: StoreCall): Promise<boolean>;
  /**
   * Stores an object made of pieces, in their order, under a key that was never used before. Bytes of other objects do not pass
   * through this process where the store copies them by itself; true when they did, and `call.onBytes` has seen them. Rejects and
   * leaves nothing to read, as `put` does.
   * @throws ObjectMissing when an object is not there that a piece is of.
   */
  compose(key: string, pieces: readonly Piece[], call?: ComposeCall): Promise<boolean>;
  /** The object's size in bytes, or undefined when there is none. */
  size(key: string, call?: StoreCall): Promise<number | undefined>;
  /** Opens an object for reading; it stays readable to its end even when it is deleted meanwhile. @throws ObjectMissing */
  read(key: string, range?: ByteRange, call?: StoreCall): Promise<Readable>;
  /**
   * Opens an object for short reads, or gives undefined when there is none. A driver may keep objects open for a second, so
   * that the next reads need not look for them, and even when they are removed meanwhile.
   */
  open(key: string, call?: StoreCall): Promise<OpenObject | undefined>;
  /**
   * Makes an object appear as a file at `path` without a copy; false where the store cannot. Whatever opens the file must
   * be unable to write to it: that would change the object. It stays when the object is removed. @throws ObjectMissing
   */
  link(key: string, path: string, call?: StoreCall): Promise<boolean>;
  /** Removes an object and whatever an interrupted `put` of it left; removing nothing is fine. */
  remove(key: string, call?: StoreCall): Promise<void>;
  /** Every key in the store, unfinished ones included, in no particular order; one that changes meanwhile may come twice. */
  keys(call?: StoreCall): AsyncIterable<string>;
  /** Resolves when the store answers and can be written; rejects otherwise. */
  check(call?: StoreCall): Promise<void>;
  /** Lets go of connections; nothing is asked of the store afterwards. */
  close?(): void;
}

/** Options of reading a known object. */
export type ObjectReader = Pick<ObjectStore, 'size' | 'read' | 'open'>;

/** The store cannot be read or written now; the cause says why. */
export class StoreUnavailable extends ResourceError {
  override readonly name = 'StoreUnavailable';
  /** True when nothing of the call can happen later; what was not answered, or by a proxy, may. */
  readonly isOver: boolean;
  constructor({ cause, isOver = false }: { readonly cause: Error; readonly isOver?: boolean }) {
    super(`the object store is unavailable: ${cause.message}`, { cause });
    this.isOver = isOver;
  }
}

/** Nothing is stored under this key. */
export class ObjectMissing extends Error {
  override readonly name = 'ObjectMissing';
  constructor(key: string, options?: ErrorOptions) {
    super(`no object ${key}`, options);
  }
}

const maxKeyLength = 512;
const segment = /^[a-z0-9][a-z0-9.-]*$/;

/** The ending of the name of an unfinished file; no key ends so. */
export const partialSuffix = '.partial';

/** No segment can be empty, start with a dot, or look like an unfinished file, so no key leads out of its folder. */
export function isKey(key: string): boolean {
  if (key.length > maxKeyLength) return false;
  return key.split('/').every((part) => segment.test(part) && !part.endsWith(partialSuffix));
}

/**
 * Makes an object appear as a local file: the stored file itself, without a copy, where its reader cannot write to
 * it. @throws {ObjectMissing} @throws {StoreUnavailable}
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
