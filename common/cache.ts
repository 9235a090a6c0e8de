import { LRUCache } from 'lru-cache';

/** Values that were used last, by key. */
export interface Cache<T> {
  /** Returns the value of this key, made by `load` unless it is kept or under way; a failure is not kept. */
  get(key: string, load: () => Promise<T>): Promise<T>;
  /** Drops a value, which is not kept either when it is still being loaded. */
  forget(key: string): void;
  /** Drops the values of all keys that begin so. */
  forgetAll(prefix?: string): void;
}

interface CacheOptions<T> {
  /** How many values are kept at most. */
  readonly max?: number;
  /** How many bytes are kept at most, as `bytesOf` counts them; a larger value is not kept. */
  readonly maxBytes?: number;
  readonly bytesOf?: (value: T) => number;
  readonly ttlMs?: number;
  /**
   * Whether a value may be kept. With this option loads under way are not shared: a value that may not be kept must not be
   * older than the question either.
   */
  readonly isLasting?: (value: T) => boolean;
}

/** Creates a cache with the given bounds, of which at least one is needed. */
export function createCache<T>(options: CacheOptions<T>): Cache<T> {
  const { max = 0, maxBytes = 0, bytesOf, ttlMs = 0, isLasting } = options;
  const kept = new LRUCache<string, { readonly value: T }>({
    max,
    maxSize: maxBytes,
    ttl: ttlMs,
    ...(bytesOf !== undefined && { sizeCalculation: ({ value }) => Math.max(1, bytesOf(value)) }),
  });
  /** The newest load of each key, which alone may be kept. */
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
