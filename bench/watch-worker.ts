import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { KiB, MiB } from '../src/lib/units.ts';
import { descendantsOf } from '../test/support/processes.ts';
import { memoryOf } from './memory.ts';

const execute = promisify(execFile);
const sampleEveryMs = 200;

/** The most that a worker with its children was seen to hold at once, until the signal. */
export async function watchWorker(
  { pid: ownPid, dataDir }: { readonly pid: number; readonly dataDir: string },
  signal: AbortSignal,
) {
  const most = { residentMiB: 0, scratchBytes: 0 };
  while (!signal.aborted) {
    const programs = (await descendantsOf(ownPid)).filter(({ commandLine }) =>
      commandLine.includes('main.ts'),
    );
    const pids = [ownPid, ...programs.map(({ pid }) => pid)];
    // A child may be gone by now, or be about to go and say nothing.
    const resident = await Promise.all(
      pids.map(async (pid) => (await memoryOf(pid).catch(() => undefined))?.residentMiB || 0),
    );
    most.residentMiB = Math.max(most.residentMiB, sumOf(resident));
    most.scratchBytes = Math.max(most.scratchBytes, await bytesIn(join(dataDir, 'scratch')));
    await sleep(sampleEveryMs);
  }
  return most;
}

/** Counts no files that are linked from the store: they are there anyway. */
async function bytesIn(folder: string): Promise<number> {
  const find = ['-type', 'f', '-links', '1', '-printf', String.raw`%k\n`];
  // Files come and go meanwhile.
  const { stdout } = await execute('find', [folder, ...find], { maxBuffer: MiB }).catch(() => ({
    stdout: '',
  }));
  return sumOf(stdout.split('\n').map(Number)) * KiB;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
