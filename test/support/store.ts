import { mkdir, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GiB } from '../../src/lib/units.ts';
import { createDirectoryObjectStore } from '../../src/object-store/directory.ts';

export type TestStore = Awaited<ReturnType<typeof openTestStore>>;

/** Makes a folder for objects, in memory where that has room: a store synchronises each file, which takes a busy disk long. */
export async function makeStoreFolder(): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => undefined);
  const isRoomy = memory !== undefined && memory.bavail * memory.bsize > 4 * GiB;
  return await mkdtemp(join(isRoomy ? '/dev/shm' : tmpdir(), 'steppe-store-'));
}

/** A directory object store in a folder of its own. */
export async function openTestStore() {
  const root = await makeStoreFolder();
  return {
    ...createDirectoryObjectStore(root),
    root,
    async empty() {
      await rm(root, { recursive: true });
      await mkdir(root);
    },
    close: async () => await rm(root, { recursive: true, force: true }),
  };
}
