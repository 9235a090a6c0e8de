import { LRUCache } from 'lru-cache';

/** Most recently used values, by key. */
export interface Cache<T> {
  /** Returns the value of a key, and calls `load` unless the value is cached or loading; a failure is not cached. */
  get(key: string, load: () => Promise<T>): Promise<T>;
  /** Drops a value; one that is still loading will not be cached. */
  forget(key: string): void;
  /** Drops the values of all keys with this prefix. */
  forgetAll(prefix?: string): void;
}

interface CacheOptions<T> {
  readonly max?: number;
  /** Maximum size of all values, as measured by `bytesOf`; a larger value is not cached. */
  readonly maxBytes?: number;
  readonly bytesOf?: (value: T) => number;
  readonly ttlMs?: number;
  /**
   * Decides which values may be cached. With this option, running loads are not shared: a value that must not be cached
   * must not be older than the question either.
   */
  readonly isLasting?: (value: T) => boolean;
}

/** Creates a cache with at least one limit. */
export function createCache<T>(options: CacheOptions<T>): Cache<T> {
  const { max = 0, maxBytes = 0, bytesOf, ttlMs = 0, isLasting } = options;
  const kept = new LRUCache<string, { readonly value: T }>({
    max,
    maxSize: maxBytes,
    ttl: ttlMs,
    ...(bytesOf !== undefined && { sizeCalculation: ({ value }) => Math.max(1, bytesOf(value)) }),
  });
  /** The newest load of each key; only its result is cached. */
  const underWay = new Map<string, Promise<T>>();

  async function keep(key: string, loading: Promise<T>): Promise<T> {
    underWay.set(key, loading);
    try {
      const value = await loading;
      if (underWay.get(key) === loading && isLasting?.(value) !== false) kept.set(key, { value });
      return value;
    } finally {
      if (underWay.get(key) === loading) underWay.delete(key);
    }
  }

  function forget(key: string): void {
    kept.delete(key);
    underWay.delete(key);
  }

  return {
    async get(key, load) {
      const known = kept.get(key);
      if (known !== undefined) return known.value;
      const shared = isLasting === undefined ? underWay.get(key) : undefined;
      return await (shared ?? keep(key, load()));
    },
    forget,
    forgetAll(prefix = '') {
      for (const key of [...kept.keys(), ...underWay.keys()]) if (key.startsWith(prefix)) forget(key);
    },
  };
}
