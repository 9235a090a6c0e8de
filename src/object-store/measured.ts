import { storeErrors, storeSeconds } from '../metrics/instruments.ts';
import { inSpan } from '../tracing/tracing.ts';
import type { ObjectStore } from './object-store.ts';

/** Counts and traces the calls of a store of any driver, except reads of an open object. */
export function withMetrics(store: ObjectStore): ObjectStore {
  async function measure<T>(op: string, call: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await inSpan(
        { name: `store ${op}`, kind: 'client', attributes: { 'steppe.store.op': op } },
        call,
      );
    } catch (error) {
      storeErrors.inc({ op });
      throw error;
    } finally {
      storeSeconds.observe({ op }, (performance.now() - startedAt) / 1000);
    }
  }
  return {
    ...store,
    put: async (...args) => await measure('put', async () => await store.put(...args)),
    adopt: async (...args) => await measure('adopt', async () => await store.adopt(...args)),
    compose: async (...args) => await measure('compose', async () => await store.compose(...args)),
    size: async (...args) => await measure('size', async () => await store.size(...args)),
    read: async (...args) => await measure('read', async () => await store.read(...args)),
    link: async (...args) => await measure('link', async () => await store.link(...args)),
    remove: async (...args) => await measure('remove', async () => await store.remove(...args)),
    check: async (...args) => await measure('check', async () => await store.check(...args)),
    open: async (...args) => await measure('open', async () => await store.open(...args)),
  };
}
