import { mkdir, rm } from 'node:fs/promises';
import { createDirectoryObjectStore } from '../../src/object-store/directory.ts';
import { makeMemoryFolder } from './memory-folder.ts';

export type TestStore = Awaited<ReturnType<typeof openTestStore>>;

/** A directory object store in a folder of its own. */
export async function openTestStore() {
  const root = await makeMemoryFolder('steppe-store-');
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
