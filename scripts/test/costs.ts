/** The recorded processor time of each test file (`npm test -- --costs`), and the budget of `npm test`. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../../test/support/project.ts';
import { listTestFiles, tierOf } from './needs.ts';

/** Budget of `npm test` in seconds of processor time; `npm run check` fails when the recorded costs exceed it. */
export const budgetSeconds = 14 * 60;
/** Costs shared by all files: the runner, its PostgreSQL, the first start of a service. */
export const sharedCost = 'shared by all files';
const path = join(projectRoot, 'test/costs.json');

/** Seconds of processor time by test file. */
export type Costs = ReadonlyMap<string, number>;

export async function readCosts(): Promise<Costs> {
  const entries: Readonly<Record<string, number>> = JSON.parse(
    await readFile(path, 'utf8').catch(() => '{}'),
  );
  return new Map(Object.entries(entries));
}

/** Records costs, keeps the other recorded ones, and removes those of deleted files. */
export async function keepCosts(measured: Costs): Promise<void> {
  const names = new Set([sharedCost, ...listTestFiles()]);
  const all = [...new Map([...(await readCosts()), ...measured])]
    .filter(([name]) => names.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, seconds]) => `  ${JSON.stringify(name)}: ${Math.round(seconds * 10) / 10}`);
  await writeFile(path, `{\n${all.join(',\n')}\n}\n`);
}

export interface BudgetFindings {
  readonly sumSeconds: number;
  readonly dearest: readonly (readonly [name: string, seconds: number])[];
  /** Files without a recorded cost. */
  readonly unknown: readonly string[];
}

/** Adds up what the files of `npm test` cost. */
export async function examineBudget(): Promise<BudgetFindings> {
  const costs = await readCosts();
  const files = listTestFiles().filter((file) => tierOf(file) === 'short');
  const own = [sharedCost, ...files].flatMap((name) => {
    const seconds = costs.get(name);
    return seconds === undefined ? [] : [[name, seconds] as const];
  });
  return {
    sumSeconds: own.reduce((sum, [, seconds]) => sum + seconds, 0),
    dearest: own.toSorted(([, a], [, b]) => b - a).slice(0, 10),
    unknown: files.filter((file) => !costs.has(file)),
  };
}
