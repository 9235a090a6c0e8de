import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { descendantsAmong, listProcesses, type ProcessFacts } from '../test/support/processes.ts';
import { memoryOf } from './memory.ts';

/** The sampling interval; more frequent samples would affect the measured times. */
const sampleEveryMs = 1000;
const blockBytes = 512;

interface WatchedWorker {
  readonly pid: number;
  readonly dataDir: string;
}

/** Returns the maximum that a worker with its child processes held at a sample, until the signal. */
export async function watchWorkers(workers: readonly WatchedWorker[], signal: AbortSignal) {
  const most = { residentMiB: 0, scratchBytes: 0 };
  while (!signal.aborted) {
    const all = await listProcesses();
    for (const { pid, dataDir } of workers) {
      most.residentMiB = Math.max(most.residentMiB, await residentOf(pid, all));
      most.scratchBytes = Math.max(most.scratchBytes, await bytesIn(join(dataDir, 'scratch')));
    }
    await sleep(sampleEveryMs, undefined, { signal }).catch(() => undefined);
  }
  return most;
}

async function residentOf(worker: number, all: readonly ProcessFacts[]): Promise<number> {
  const programs = descendantsAmong(all, worker).filter(({ commandLine }) => commandLine.includes('main.ts'));
  // A child process may have ended, or be about to end.
  const resident = await Promise.all(
    [worker, ...programs.map(({ pid }) => pid)].map(
      async (pid) => (await memoryOf(pid).catch(() => undefined))?.residentMiB || 0,
    ),
  );
  return sumOf(resident);
}

/** Returns the size of files in a folder, without files linked from the store. */
async function bytesIn(folder: string): Promise<number> {
  // Files may appear and disappear meanwhile.
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => {
      const facts = await stat(join(parentPath, name)).catch(() => undefined);
      return facts?.nlink === 1 ? facts.blocks * blockBytes : 0;
    });
  return sumOf(await Promise.all(sizes));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
