import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../test/support/project.ts';

/** `npm test` as a whole ends in this time on two cores, once what it needs is installed; CONTRIBUTING.md says so. */
export const budgetSeconds = 7 * 60;
const slowestShown = 15;
const path = join(projectRoot, 'node_modules/.cache/test-seconds.json');

/** CPU seconds of those that took most by far, for a clone in which nothing has run yet. */
const measured: Readonly<Record<string, number>> = {
  'test/acceptance/acceptance.test.ts': 93,
  'database-7': 34,
  'test/drawing/races.test.ts': 30,
  'test/districts/import.test.ts': 17,
  'test/drawing/hostile-places.test.ts': 15,
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

/** Prints what took longest, and the sums of each folder. */
export function printSeconds(seconds: Seconds): void {
  const folders = new Map<string, number>();
  for (const [file, duration] of seconds) {
    const folder = file.split('/').slice(0, 2).join('/');
    folders.set(folder, (folders.get(folder) ?? 0) + duration);
  }
  for (const [what, numbers] of [
    ['files', seconds],
    ['folders', folders],
  ] as const) {
    console.log(`slowest ${what}, in seconds:`);
    const slowest = [...numbers].toSorted(([, a], [, b]) => b - a).slice(0, slowestShown);
    for (const [name, duration] of slowest) console.log(`${duration.toFixed(1).padStart(8)}  ${name}`);
  }
}

/** Such as `6 min 10 s`. */
export function inWords(seconds: number): string {
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
