import { drawLeaves, type GridSize } from './leaf-files.ts';
import { round } from './memory.ts';
import { makeFolder } from './service.ts';
import { startFilled } from './run.ts';
import { watchWorkers } from './watch-workers.ts';

const sizes: readonly GridSize[] = [
  { width: 4096, height: 4096 },
  { width: 16_384, height: 8192 },
];
const targetMiB = 1536;

/**
 * Runs the graph over aligned leaves and prints the resident memory of the service with its child processes, without the database, and
 * its scratch space, as one line of JSON for each size. Fails above 1.5 GiB.
 */
export async function benchRunMemory(): Promise<void> {
  for (const size of sizes) {
    await using resources = new AsyncDisposableStack();
    const folder = await makeFolder(resources);
    const service = resources.use(await startFilled(await drawLeaves(folder, size)));
    const ended = new AbortController();
    const watching = watchWorkers([service], ended.signal);
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
