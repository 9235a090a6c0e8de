import { setTimeout as sleep } from 'node:timers/promises';
import { nodes } from '../src/landscape/graph/graph.ts';
import type { ReferenceGrid } from '../src/landscape/grid/reference-grid.ts';
import type { BandFile } from '../src/landscape/compute/landscape-engine.ts';
import {
  computeWhole,
  openLandscapeEngine,
  type TestLandscapeEngine,
} from '../test/support/landscape/landscape-engine.ts';
import { descendantsOf } from '../test/support/processes.ts';
import { writeLandscape } from '../test/support/landscape/steppe-landscape.ts';
import { memoryOf, round } from './memory.ts';

const size = { width: 6000, height: 4000 };
const sampleEveryMs = 50;
/** Limit of resident memory for one process, for any window size. */
const targetMiB = 512;
const passes = [
  { windowSize: 2048, workers: 1 },
  { windowSize: 2048, workers: 2 },
  { windowSize: 256, workers: 2 },
  { windowSize: 8192, workers: 1 },
] as const;

/**
 * Computes all nodes for 24 megapixels, with leaves on the grid and in four CRS, and prints speed and memory as one line of JSON per pass.
 */
export async function benchLandscape(): Promise<void> {
  const engine = await openLandscapeEngine();
  const sources = writeLandscape(engine.folder, size);
  const { grid } = await engine.inspect(sources);
  if (grid === undefined) throw new Error('the elevation gives no grid');
  let first: number | undefined;
  for (const pass of passes) {
    const { seconds, peakMiB } = await measure(engine, { grid, sources, ...pass });
    const mpxPerSecond = (grid.width * grid.height) / 1e6 / seconds;
    first ??= mpxPerSecond;
    const figures = {
      bench: 'landscape',
      ...pass,
      nodes: nodes.length,
      mpx: (grid.width * grid.height) / 1e6,
      seconds: round(seconds),
      mpxPerSecond: Math.round(mpxPerSecond * 100) / 100,
      timesFirst: Math.round((mpxPerSecond / first) * 100) / 100,
      childPeakMiB: peakMiB,
      targetMiB,
    };
    console.log(JSON.stringify(figures));
    if (peakMiB >= targetMiB) process.exitCode = 1;
  }
  await engine.close();
}

async function measure(
  engine: TestLandscapeEngine,
  pass: {
    readonly grid: ReferenceGrid;
    readonly sources: readonly BandFile[];
    readonly windowSize: number;
    readonly workers: number;
  },
): Promise<{ readonly seconds: number; readonly peakMiB: number }> {
  const stopping = new AbortController();
  const peak = watchChildren(stopping.signal);
  const startedMs = performance.now();
  await computeWhole(engine, pass);
  const seconds = (performance.now() - startedMs) / 1000;
  stopping.abort();
  return { seconds, peakMiB: await peak };
}

/** Returns the maximum resident memory of any child process, until the signal. */
async function watchChildren(signal: AbortSignal): Promise<number> {
  let peakMiB = 0;
  while (!signal.aborted) {
    for (const { pid, commandLine } of await descendantsOf(process.pid)) {
      if (!commandLine.includes('compute/child/main.ts')) continue;
      // The process may have ended, or be about to end.
      const memory = await memoryOf(pid).catch(() => undefined);
      peakMiB = Math.max(peakMiB, memory?.peakMiB || 0);
    }
    await sleep(sampleEveryMs);
  }
  return peakMiB;
}
