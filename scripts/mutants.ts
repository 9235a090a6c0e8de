import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { messageOf } from '../src/lib/error-facts.ts';
import { asksForHelp, readOptions, UsageError } from '../src/commands/options.ts';
import { cogMutants } from '../test/mutants/cog-mutants.ts';
import { earthMutants } from '../test/mutants/earth-mutants.ts';
import { geoJsonMutants } from '../test/mutants/geojson-mutants.ts';
import { type Mutant, mutants } from '../test/mutants/mutants.ts';
import { copyProject } from '../test/support/clones.ts';

/**
 * Plants one small fault after another in copies of the tree. The test that is named for a fault must pass without it
 * and fail with it; a fault that its test does not see ends the command with 1.
 */
const usage = `Usage: npm run test:mutants [-- TEXT]

Plants the faults of test/mutants/ in copies of the tree, or only those whose title or file contains TEXT.`;

const parts = [
  ['src', 'test', 'scripts', 'tools', 'seeds', 'examples'],
  ['package.json', 'tsconfig.json', '.oxlintrc.json'],
].flat();

const args = process.argv.slice(2);
if (asksForHelp(args)) {
  console.log(usage);
} else {
  process.exitCode = await plantAll(args).catch((error: unknown) => {
    const where = error instanceof UsageError ? '; see npm run test:mutants -- --help' : '';
    console.error(`mutants: ${messageOf(error)}${where}`);
    return 1;
  });
}

/** Plants the faults that the command line names; gives the exit code. */
async function plantAll(args: readonly string[]): Promise<number> {
  const [wanted = ''] = readOptions(args, {}, 1).positionals;
  const planned = [...mutants, ...geoJsonMutants, ...earthMutants, ...cogMutants].filter(
    ({ title, file }) => title.includes(wanted) || file.includes(wanted),
  );
  if (planned.length === 0) throw new UsageError(`no fault matches ${wanted}`);
  const copies = await Promise.all(Array.from({ length: availableParallelism() }, copyTree));
  const unseen: string[] = [];
  try {
    console.log(`${planned.length} faults; first their tests on the tree as it is`);
    const files = [...new Set(planned.map(({ test }) => test.file))];
    const healthy = await inCopies(copies, files, async (copy, file) => {
      const { failed, output } = await runTest(copy, file);
      if (failed) console.error(`${output}\n✖ ${file} fails without any fault`);
      return !failed;
    });
    if (healthy.includes(false)) throw new Error('a test fails on the tree as it is');
    await inCopies(copies, planned, async (copy, mutant) => {
      const start = performance.now();
      const isSeen = await isSeenIn(copy, mutant);
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      console.log(`${isSeen ? '✔' : '✖ NOT SEEN:'} ${mutant.title} (${mutant.file}, ${seconds} s)`);
      if (!isSeen) unseen.push(mutant.title);
    });
  } finally {
    for (const copy of copies) await rm(copy, { recursive: true });
  }
  console.log(`${planned.length - unseen.length} of ${planned.length} faults seen`);
  return unseen.length === 0 ? 0 : 1;
}

async function copyTree(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'steppe-mutants-'));
  await copyProject(copy, parts);
  return copy;
}

/** Works on the items with one worker for each copy; gives the results in the order of the items. */
async function inCopies<Item, Result>(
  copies: readonly string[],
  items: readonly Item[],
  work: (copy: string, item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const drain = async (copy: string): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(copy, item);
  };
  await Promise.all(copies.map(drain));
  return results;
}

/** Returns whether the named test fails while the fault is planted. @throws {Error} when the fault has no single place. */
async function isSeenIn(copy: string, { file, from, to, test }: Mutant): Promise<boolean> {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(from).length !== 2) throw new Error(`${file} does not have exactly once: ${from}`);
  writeFileSync(
    path,
    source.replace(from, () => to),
  );
  try {
    const { failed, output } = await runTest(copy, test.file);
    return failed && output.includes(`✖ ${test.name}`);
  } finally {
    writeFileSync(path, source);
  }
}

async function runTest(copy: string, file: string): Promise<{ failed: boolean; output: string }> {
  const needsDatabase = readFileSync(join(copy, file), 'utf8').includes('support/database.ts');
  const runner = needsDatabase ? ['scripts/test.ts', file] : ['--test', file];
  const child = spawn(process.execPath, runner, { cwd: copy, stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { failed: exitCode !== 0, output };
}
