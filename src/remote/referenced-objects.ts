import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createCache } from '../../common/cache.ts';
import { MiB } from '../lib/units.ts';
import { remoteFaults } from '../messages/datasets/english.ts';
import {
  type ByteRange,
  isReferenceKey,
  ObjectMissing,
  type ObjectStore,
  type StoreCall,
} from '../object-store/object-store.ts';
import { placeOf, type RemoteFiles } from './remote-files.ts';
import { RemoteFault } from './remote-answer.ts';
import { blockBytes, findOtherBlock, type Pin, readPin } from './pin.ts';

const keptBlockBytes = 64 * MiB;
const keptPinBytes = 64 * MiB;
/** Blocks per request of a long read. */
const blocksAtOnce = 16;

interface Options {
  /** Learns of the file of a key that cannot be read, or has changed; it must not reject. */
  readonly onFault?: (key: string, fault: RemoteFault) => Promise<void>;
}

/**
 * Lets a store contain files of other servers: an object in the folder `references` is a pin, and reading it reads the file that it
 * names, in the pinned version. Every block is compared with its digest before a reader gets it.
 */
export function withReferences(
  store: ObjectStore,
  remote: Pick<RemoteFiles, 'read'>,
  { onFault }: Options = {},
): ObjectStore {
  const pins = createCache<Pin>({
    maxBytes: keptPinBytes,
    bytesOf: ({ digests }) => 1024 + (digests?.length ?? 0),
  });
  const blocks = createCache<Buffer>({ maxBytes: keptBlockBytes, bytesOf: (bytes) => bytes.length });

  async function loadPin(key: string, call?: StoreCall): Promise<Pin> {
    return await pins.get(key, async () => readPin(await buffer(await store.read(key, undefined, call))));
  }

  /** Reads some blocks. @throws {RemoteFault} */
  async function readBlocks(
    key: string,
    pin: Pin,
    {
      first,
      count,
      signal,
    }: { readonly first: number; readonly count: number; readonly signal?: AbortSignal | undefined },
  ): Promise<Buffer> {
    const start = first * blockBytes;
    const end = Math.min(start + count * blockBytes, pin.sizeBytes) - 1;
    try {
      const bytes = await remote.read(pin, { start, end }, signal);
      const block = findOtherBlock(pin, first, bytes);
      if (block !== undefined)
        throw new RemoteFault(remoteFaults.changed(placeOf(pin.address).host), { state: 'changed', block });
      return bytes;
    } catch (error) {
      if (error instanceof RemoteFault) await onFault?.(key, error);
      throw error;
    }
  }

  async function readBlock(key: string, pin: Pin, block: number): Promise<Buffer> {
    return await blocks.get(
      `${key} ${block}`,
      async () => await readBlocks(key, pin, { first: block, count: 1 }),
    );
  }

  async function fill(key: string, pin: Pin, bytes: Buffer, start: number): Promise<void> {
    const end = start + bytes.length;
    if (start < 0 || end > pin.sizeBytes) throw new Error(`bytes ${start} to ${end} are not within ${key}`);
    const first = Math.floor(start / blockBytes);
    const count = Math.ceil(end / blockBytes) - first;
    const found = await Promise.all(
      Array.from({ length: count }, async (_, index) => await readBlock(key, pin, first + index)),
    );
    for (const [index, block] of found.entries()) {
      const at = (first + index) * blockBytes;
      block.copy(bytes, Math.max(0, at - start), Math.max(0, start - at), end - at);
    }
  }

  async function* stream(
    key: string,
    pin: Pin,
    { start, end }: ByteRange,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Buffer> {
    const [from, to] = [start, Math.min(end + 1, pin.sizeBytes)];
    const last = Math.ceil(to / blockBytes);
    for (let block = Math.floor(from / blockBytes); block < last; block += blocksAtOnce) {
      const count = Math.min(blocksAtOnce, last - block);
      const bytes = await readBlocks(key, pin, { first: block, count, signal });
      const at = block * blockBytes;
      yield bytes.subarray(Math.max(0, from - at), Math.min(bytes.length, to - at));
    }
  }

  return {
    ...store,
    async size(key, call) {
      if (!isReferenceKey(key)) return await store.size(key, call);
      if ((await store.size(key, call)) === undefined) return undefined;
      return (await loadPin(key, call)).sizeBytes;
    },
    async read(key, range, call) {
      if (!isReferenceKey(key)) return await store.read(key, range, call);
      const pin = await loadPin(key, call);
      const wanted = range ?? { start: 0, end: pin.sizeBytes - 1 };
      return Readable.from(stream(key, pin, wanted, call?.signal), { objectMode: false });
    },
    async open(key, call) {
      if (!isReferenceKey(key)) return await store.open(key, call);
      try {
        const pin = await loadPin(key, call);
        return {
          sizeBytes: pin.sizeBytes,
          fill: async (bytes, start) => await fill(key, pin, bytes, start),
          [Symbol.dispose]() {},
        };
      } catch (error) {
        if (error instanceof ObjectMissing) return undefined;
        throw error;
      }
    },
    async link(key, path, call) {
      return isReferenceKey(key) ? false : await store.link(key, path, call);
    },
    async remove(key, call) {
      if (isReferenceKey(key)) {
        pins.forget(key);
        blocks.forgetAll(`${key} `);
      }
      await store.remove(key, call);
    },
  };
}
