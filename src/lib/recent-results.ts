import { LRUCache } from 'lru-cache';

/** Keeps the `max` results that were asked for last, those under way included. */
export function createRecentResults<T>(max: number) {
  const kept = new LRUCache<string, Promise<T>>({ max });
  return {
    /** Returns the result of this key, made by `make` unless it is there or under way; a failure is not kept. */
    async get(key: string, make: () => Promise<T>): Promise<T> {
      const known = kept.get(key);
      if (known !== undefined) return await known;
      const made = make();
      kept.set(key, made);
      try {
        return await made;
      } catch (error) {
        if (kept.peek(key) === made) kept.delete(key);
        throw error;
      }
    },
  };
}
