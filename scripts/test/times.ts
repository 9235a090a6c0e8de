import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../test/support/project.ts';

/** `npm test` as a whole ends in this time on two cores, once what it needs is installed; CONTRIBUTING.md says so. */
export const budgetSeconds = 7 * 60;
const slowestShown = 15;
/** Where each process of test files notes its processor time. */
export const timesVariable = 'STEPPE_TEST_TIMES';
/** Linux counts the time of processes in these parts of a second on every machine. */
const ticksPerSecond = 100;
const path = join(projectRoot, 'node_modules/.cache/test-seconds.json');

/** Seconds of processor time of those that take most, for a clone in which nothing has run yet. */
const measured: Readonly<Record<string, number>> = {
  'test/acceptance/acceptance.test.ts': 200,
  console: 90,
  'raster-engine-here': 60,
  'test/landscape/service/queue.test.ts': 40,
  'test/field-cases/field-cases.test.ts': 38,
  'test/drawing/hostile-places.test.ts': 32,
  'test/drawing/races.test.ts': 25,
};

export type Seconds = ReadonlyMap<string, number>;

/** The seconds that each process took when it ran last: the longest start first, so that all lanes end at about the same time. */
export async function readSeconds(): Promise<Seconds> {
  const text = await readFile(path, 'utf8').catch(() => '{}');
  const entries: Readonly<Record<string, number>> = JSON.parse(text);
  return new Map(Object.entries({ ...measured, ...entries }));
}

export async function storeSeconds(seconds: Seconds): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(Object.fromEntries(seconds)));
}

/** Prints what took longest, the sums of each folder, and which processes took the processors most. */
export function printSeconds(seconds: Seconds, processor: Seconds): void {
  const folders = new Map<string, number>();
  for (const [file, duration] of seconds) {
    const folder = file.split('/').slice(0, 2).join('/');
    folders.set(folder, (folders.get(folder) ?? 0) + duration);
  }
  for (const [what, numbers] of [
    ['slowest files, in seconds', seconds],
    ['slowest folders, in seconds', folders],
    ['processes of tests, in seconds of processor time', processor],
  ] as const) {
    console.log(`${what}:`);
    const slowest = [...numbers].toSorted(([, a], [, b]) => b - a).slice(0, slowestShown);
    for (const [name, duration] of slowest) console.log(`${duration.toFixed(1).padStart(8)}  ${name}`);
  }
}

/** Processor time of a process and of all that it has waited for, by its `/proc/PID/stat`. */
export function processorSecondsOf(stat: string): number {
  // The name of the program, in parentheses, may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
}

/** Reads what the processes have noted, by the path of their program. */
export async function readProcessorSeconds(notes: string): Promise<Seconds> {
  const text = await readFile(notes, 'utf8').catch(() => '');
  const lines: readonly (readonly [string, number])[] = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  return new Map(lines);
}

/** Such as `6 min 10 s`. */
export function inWords(seconds: number): string {
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
