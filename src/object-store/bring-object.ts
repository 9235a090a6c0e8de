import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { ObjectStore } from './object-store.ts';

/**
 * Makes an object appear as a local file: the stored file itself, without a copy, where its reader cannot write to
 * it. @throws {ObjectMissing} @throws {StoreUnavailable}
 */
export async function bringObject(
  store: ObjectStore,
  key: string,
  {
    path,
    isGuarded,
    signal,
  }: { readonly path: string; readonly isGuarded: boolean; readonly signal: AbortSignal },
): Promise<void> {
  if (isGuarded && (await store.link(key, path, { signal }))) return;
  await pipeline(await store.read(key, undefined, { signal }), createWriteStream(path), { signal });
}
