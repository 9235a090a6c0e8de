import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { failedWith } from '../../support/processes.ts';

const lookEveryMs = 500;
const blockBytes = 512;

/** Measures again and again what folders take on the disk, until `stop`, which gives the most that was seen. */
export function watchDiskUse(folders: readonly string[]): { stop(): Promise<number> } {
  const stopping = new AbortController();
  let most = 0;
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      let sum = 0;
      for (const folder of folders) sum += await bytesIn(folder);
      most = Math.max(most, sum);
      await sleep(lookEveryMs);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await watching;
      return most;
    },
  };
}

async function bytesIn(folder: string): Promise<number> {
  let sum = 0;
  for (const entry of await unlessGone(readdir(folder, { recursive: true, withFileTypes: true }), [])) {
    const found = await unlessGone(stat(join(entry.parentPath, entry.name)), undefined);
    sum += (found?.blocks ?? 0) * blockBytes;
  }
  return sum;
}

/** Files come and go while they are looked at. */
async function unlessGone<T, G>(looking: Promise<T>, gone: G): Promise<T | G> {
  try {
    return await looking;
  } catch (error) {
    if (failedWith(error, 'ENOENT', 'ENOTDIR')) return gone;
    throw error;
  }
}
