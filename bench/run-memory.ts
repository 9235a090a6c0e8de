import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { KiB, MiB } from '../src/lib/units.ts';
import { descendantsOf } from '../test/support/processes.ts';
import { drawLeaves, type GridSize } from './leaf-files.ts';
import type { LandscapeService } from './landscape-service.ts';
import { memoryOf, round } from './memory.ts';
import { makeFolder } from './service.ts';
import { startFilled } from './run.ts';

const execute = promisify(execFile);
const sizes: readonly GridSize[] = [
  { width: 4096, height: 4096 },
  { width: 16_384, height: 8192 },
];
const sampleEveryMs = 200;
const targetMiB = 1536;

/**
 * Runs the graph over aligned leaves and prints how much memory the service and its children held resident together, without
 * the database, and how much scratch space they took, as one line of JSON for each size. Fails above 1.5 GiB.
 */
export async function benchRunMemory(): Promise<void> {
  for (const size of sizes) {
    await using resources = new AsyncDisposableStack();
    const folder = await makeFolder(resources);
    const service = resources.use(await startFilled(await drawLeaves(folder, size)));
    const ended = new AbortController();
    const watching = watch(service, ended.signal);
    const { seconds } = await service.run();
    ended.abort();
    const { residentMiB, scratchBytes } = await watching;
    const mpx = (size.width * size.height) / 1e6;
    const scratchMBPerMpx = round(scratchBytes / 1e6 / mpx);
    const figures = {
      ...size,
      seconds: round(seconds),
      peakMiB: round(residentMiB),
      targetMiB,
      scratchMBPerMpx,
    };
    console.log(JSON.stringify({ bench: 'run-memory', ...figures }));
    if (residentMiB > targetMiB) process.exitCode = 1;
  }
}

/** The most that was seen at once, until the signal. */
async function watch(service: LandscapeService, signal: AbortSignal) {
  const most = { residentMiB: 0, scratchBytes: 0 };
  while (!signal.aborted) {
    const programs = (await descendantsOf(service.pid)).filter(({ commandLine }) =>
      commandLine.includes('main.ts'),
    );
    const pids = [service.pid, ...programs.map(({ pid }) => pid)];
    // A child may be gone by now.
    const resident = await Promise.all(
      pids.map(async (pid) => (await memoryOf(pid).catch(() => undefined))?.residentMiB ?? 0),
    );
    most.residentMiB = Math.max(most.residentMiB, sumOf(resident));
    most.scratchBytes = Math.max(most.scratchBytes, await bytesIn(join(service.dataDir, 'scratch')));
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
