import { mkdir, opendir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../lib/error-facts.ts';
import type { Database } from '../database/tables/tables.ts';
import { type Hold, readHeldJob } from './ledger.ts';

const folderName = /^(?<jobId>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(?<attempt>\d{1,9})$/;

/** Creates the empty folder of an attempt, inaccessible to other users of the machine. */
export async function createScratch(root: string, { jobId, attempt }: Hold): Promise<string> {
  const folder = join(root, `${jobId}-${attempt}`);
  await mkdir(root, { recursive: true, mode: 0o700 });
  await mkdir(folder, { mode: 0o700 });
  return folder;
}

export async function removeScratch(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Returns the total size of all files in scratch folders, in bytes; files that disappear meanwhile are ignored. */
export async function sizeOfScratch(root: string): Promise<number> {
  let bytes = 0;
  try {
    for await (const entry of await opendir(root, { recursive: true })) {
      if (entry.isFile()) bytes += await sizeOfFile(join(entry.parentPath, entry.name));
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return bytes;
}

async function sizeOfFile(path: string): Promise<number> {
  const facts = await stat(path).catch(() => undefined);
  return facts?.size ?? 0;
}

/**
 * Removes the folders of attempts that no longer hold their job, of all workers. An attempt that still computes in one of them could not
 * publish.
 * @returns the number of removed folders, and the attempts whose folders remain
 */
export async function sweepScratch(
  db: Database,
  root: string,
): Promise<{ readonly removed: number; readonly held: readonly Hold[] }> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  let removed = 0;
  const held: Hold[] = [];
  for (const name of await readdir(root)) {
    const { jobId, attempt } = folderName.exec(name)?.groups ?? {};
    if (jobId === undefined) continue;
    const hold = { jobId, attempt: Number(attempt) };
    if ((await readHeldJob(db, hold)) !== undefined) {
      held.push(hold);
      continue;
    }
    await removeScratch(join(root, name));
    removed += 1;
  }
  return { removed, held };
}
