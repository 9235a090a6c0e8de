import { MiB } from '../../../lib/units.ts';
import type { VectorSource } from './tasks.ts';
import type { ThreadContext } from '../objects/context.ts';
import { readSource } from './read-source.ts';
import { createTileIndex, type TileIndex } from './tile-index.ts';

/** Bytes of the texts from which the indices of a thread are made, together. */
const maxBytes = 128 * MiB;

/** Creates the place of the indices of a thread, from which those go that were not used for longest. */
export function createIndexCache(most: number = maxBytes) {
  /** In the order of their last use; what is under way has no size yet. */
  const indices = new Map<string, Promise<TileIndex>>();
  const sizes = new Map<string, number>();

  function forget(key: string): void {
    indices.delete(key);
    sizes.delete(key);
  }

  async function make(source: VectorSource, context: ThreadContext): Promise<TileIndex> {
    const { key } = source;
    try {
      const index = createTileIndex(await readSource(key, context), source);
      sizes.set(key, index.bytes);
      makeRoom(key);
      return index;
    } catch (error) {
      forget(key);
      throw error;
    }
  }

  function makeRoom(forKey: string): void {
    let bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    for (const key of indices.keys()) {
      if (bytes <= most) return;
      const size = sizes.get(key);
      if (key === forKey || size === undefined) continue;
      bytes -= size;
      forget(key);
    }
  }

  return {
    /** Returns the index of an object, made once however many ask. @throws {Problem} as `readSource` does. */
    async indexOf(source: VectorSource, context: ThreadContext): Promise<TileIndex> {
      const { key } = source;
      const known = indices.get(key);
      const index = known ?? make(source, context);
      indices.delete(key);
      indices.set(key, index);
      return await index;
    },
    /** Forgets an index that has grown too large; whoever has it goes on with it. */
    settle(key: string, index: TileIndex): void {
      if (index.isFull()) forget(key);
    },
    /** The number of indices. */
    count: () => indices.size,
  };
}
