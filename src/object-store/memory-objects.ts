import { Readable } from 'node:stream';
import { ObjectMissing, type ObjectReader } from './object-store.ts';

interface MemoryObjects extends ObjectReader {
  put(key: string, bytes: Buffer): void;
  /** Open readers are not affected. */
  remove(key: string): void;
}

/** Creates a store in memory for a few objects that the process can recreate at any time. */
export function createMemoryObjects(): MemoryObjects {
  const objects = new Map<string, Buffer>();
  return {
    put: (key, bytes) => void objects.set(key, bytes),
    remove: (key) => void objects.delete(key),
    size: async (key) => objects.get(key)?.length,
    async read(key, range) {
      const bytes = objects.get(key);
      if (bytes === undefined) throw new ObjectMissing(key);
      return Readable.from([range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)]);
    },
    async open(key) {
      const bytes = objects.get(key);
      if (bytes === undefined) return undefined;
      return {
        sizeBytes: bytes.length,
        fill: async (into, start) => void bytes.copy(into, 0, start),
        [Symbol.dispose]() {},
      };
    },
  };
}
