import { LRUCache } from 'lru-cache';
import type { Block } from '../tiff/decode-block.ts';

/** A block that stays in memory until disposal. */
export interface LentBlock extends Disposable {
  readonly block: Promise<Block>;
}

interface Lent {
  readonly loading: Promise<Block>;
  /** Set after `loading` has succeeded. */
  block: Block | undefined;
  users: number;
}

/**
 * Lends blocks, and caches the most recent unused ones up to `maxBytes`. Others are freed at once: left to the garbage
 * collector, scattered mebibytes make it run so often that it took a quarter of the drawing time.
 */
export function createBlockCache(maxBytes: number) {
  const lent = new Map<string, Lent>();
  const kept = new LRUCache<string, Block>({
    maxSize: maxBytes,
    sizeCalculation: ({ byteLength }) => Math.max(1, byteLength),
    // A block that is taken out for its next user counts as deleted.
    dispose: (block, _, reason) => void (reason === 'delete' || block.free()),
  });

  function begin(key: string, load: () => Promise<Block>): Lent {
    const known = kept.get(key);
    kept.delete(key);
    const begun: Lent = { loading: known ? Promise.resolve(known) : load(), block: known, users: 0 };
    lent.set(key, begun);
    // A cached block returns only when its users return it: a second return would free it under the next user.
    if (known !== undefined) return begun;
    begun.loading.then(
      (block) => {
        begun.block = block;
        takeBack(key, begun);
      },
      () => lent.delete(key),
    );
    return begun;
  }

  function takeBack(key: string, { users, block }: Lent): void {
    if (users > 0 || block === undefined) return;
    lent.delete(key);
    kept.set(key, block);
    // A block larger than the whole cache is not cached.
    if (!kept.has(key)) block.free();
  }

  return {
    /** Lends the block of a key, and calls `load` unless it is cached or loading; a failure is not cached. */
    lend(key: string, load: () => Promise<Block>): LentBlock {
      const entry = lent.get(key) ?? begin(key, load);
      entry.users += 1;
      let isBack = false;
      return {
        block: entry.loading,
        [Symbol.dispose]() {
          if (isBack) return;
          isBack = true;
          entry.users -= 1;
          takeBack(key, entry);
        },
      };
    },
    /** Size of the cached blocks that are not lent. */
    keptBytes: () => kept.calculatedSize,
  };
}
