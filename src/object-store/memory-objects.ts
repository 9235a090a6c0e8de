import { Readable } from 'node:stream';
import { ObjectMissing, type ObjectReader } from './object-store.ts';

interface MemoryObjects extends ObjectReader {
  put(key: string, bytes: Buffer): void;
  /** A reader that has it open reads on. */
  remove(key: string): void;
}

/** Creates a place for a few objects that a process can make again whenever it needs them; they end with it. */
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
