import { LRUCache } from 'lru-cache';
import type { Block } from '../tiff/decode-block.ts';

/** A block that stays in memory until it is disposed of. */
export interface LentBlock extends Disposable {
  readonly block: Promise<Block>;
}

interface Lent {
  readonly loading: Promise<Block>;
  /** Set when `loading` has succeeded. */
  block: Block | undefined;
  users: number;
}

/**
 * Lends blocks, and keeps those that are not in use for the next: the last ones, as many as fit into `maxBytes`. Others give their
 * memory back at once. Left to the collector, a mebibyte here and there makes it run so often that it took a quarter of the time of drawing.
 */
export function createBlockCache(maxBytes: number) {
  const lent = new Map<string, Lent>();
  const kept = new LRUCache<string, Block>({
    maxSize: maxBytes,
    sizeCalculation: ({ byteLength }) => Math.max(1, byteLength),
    // What is taken out for the next user is deleted.
    dispose: (block, _, reason) => void (reason === 'delete' || block.free()),
  });

  function begin(key: string, load: () => Promise<Block>): Lent {
    const known = kept.get(key);
    kept.delete(key);
    const begun: Lent = { loading: known ? Promise.resolve(known) : load(), block: known, users: 0 };
    lent.set(key, begun);
    // One that is there goes back when its users give it back, and only then: twice would free it under the next user.
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
    // One that is larger than all that may be kept is not.
    if (!kept.has(key)) block.free();
  }

  return {
    /** Lends the block of this key, made by `load` unless it is there or under way; a failure is not kept. */
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
    /** Bytes of the blocks that are kept and not lent. */
    keptBytes: () => kept.calculatedSize,
  };
}
