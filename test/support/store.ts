import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDirectoryObjectStore } from '../../src/object-store/directory.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';

export interface TestStore extends ObjectStore {
  readonly root: string;
  empty(): Promise<void>;
  close(): Promise<void>;
}

/** A directory object store in a folder of its own. */
export async function openTestStore(): Promise<TestStore> {
  const root = await mkdtemp(join(tmpdir(), 'steppe-store-'));
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
