import { mkdir, open, rmdir, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing } from '../common/error-facts.ts';

const maxOpenRetries = 20;

/** Creates a file and the folders above it; `created` is the topmost of them that did not exist. */
export async function createFile(path: string): Promise<{ file: FileHandle; created: string | undefined }> {
  for (let retry = 0; ; retry += 1) {
    try {
      const created = await createFolders(dirname(path));
      return { file: await open(path, 'wx', 0o600), created };
    } catch (error) {
      // A removal next to us has just taken the folder away because it was empty.
      if (!isMissing(error) || retry === maxOpenRetries) throw error;
    }
  }
}

/**
 * Makes the names of a file and of all folders above it durable. All of them, because a folder that was there already
 * may be another put's that has not come so far; syncing an unchanged folder costs next to nothing.
 */
export async function syncFolders(folder: string, root: string, created: string | undefined): Promise<void> {
  const last = created !== undefined && root.startsWith(created) ? dirname(created) : root;
  for (let each = folder; each !== last; each = dirname(each)) await syncFolder(each);
  await syncFolder(last);
}

/** The topmost folder that did not exist. */
export async function createFolders(folder: string): Promise<string | undefined> {
  return await mkdir(folder, { recursive: true, mode: 0o700 });
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes a folder that is empty; returns whether it is gone. */
export async function removedEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch {
    return false; // somebody's file is in it, or somebody else was faster
  }
}

/** Returns what `work` returns, or undefined when the file or folder that it is about is not there. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
