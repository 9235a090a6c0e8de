import { readFile } from 'node:fs/promises';

const slowestShown = 15;
/** The variable with the folder in which each process of test files records its processor time. */
export const timesVariable = 'STEPPE_TEST_TIMES';
/** Linux reports processor time in units of 1/100 second on every machine. */
const ticksPerSecond = 100;

export type Seconds = ReadonlyMap<string, number>;

/** Prints the slowest files, the sums by folder, and the files with the most processor time. */
export function printSeconds(seconds: Seconds, processor: Seconds): void {
  const folders = new Map<string, number>();
  for (const [file, duration] of seconds) {
    const folder = file.split('/').slice(0, 2).join('/');
    folders.set(folder, (folders.get(folder) ?? 0) + duration);
  }
  for (const [what, numbers] of [
    ['slowest files, in seconds', seconds],
    ['slowest folders, in seconds', folders],
    ['dearest files, in seconds of processor time', processor],
  ] as const) {
    console.log(`${what}:`);
    const slowest = [...numbers].toSorted(([, a], [, b]) => b - a).slice(0, slowestShown);
    for (const [name, duration] of slowest) console.log(`${duration.toFixed(1).padStart(8)}  ${name}`);
  }
}

/** Returns the processor time of a process and of its ended children, from `/proc/PID/stat`. */
export function processorSecondsOf(stat: string): number {
  // The name of the program, in parentheses, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
}

/** Reads the recorded times, summed by name: a test file, or the program of a process. */
export async function readProcessorSeconds(notes: string): Promise<Seconds> {
  const text = await readFile(notes, 'utf8').catch(() => '');
  const sums = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [name, seconds]: readonly [string, number] = JSON.parse(line);
    sums.set(name, (sums.get(name) ?? 0) + seconds);
  }
  return sums;
}

/** Formats a duration, such as `6 min 10 s`. */
export function inWords(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
