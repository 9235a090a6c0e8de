import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Mutant, mutants } from '../test/mutants/mutants.ts';

/**
 * Plants one small fault after another in copies of the tree. The test that is named for a fault must pass without it
 * and fail with it; a fault that its test does not see ends the command with 1.
 */
const usage = `Usage: npm run test:mutants [-- TEXT]

Plants the faults of test/mutants/mutants.ts in copies of the tree, or only those whose title or file contains TEXT.`;

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({ options: { help: { type: 'boolean' } }, allowPositionals: true });
if (values.help === true) {
  console.log(usage);
  process.exit(0);
}
const [wanted = ''] = positionals;
const planned = mutants.filter(({ title, file }) => title.includes(wanted) || file.includes(wanted));
if (planned.length === 0) {
  console.error(`mutants: no fault matches ${wanted}`);
  process.exit(1);
}

const copies = Array.from({ length: availableParallelism() }, copyTree);
const unseen: string[] = [];
try {
  console.log(`${planned.length} faults; first their tests on the tree as it is`);
  const healthy = await inCopies([...new Set(planned.map(({ test }) => test.file))], async (copy, file) => {
    const { failed, output } = await runTest(copy, file);
    if (failed) console.error(`${output}\n✖ ${file} fails without any fault`);
    return !failed;
  });
  if (healthy.includes(false)) throw new Error('a test fails on the tree as it is');
  await inCopies(planned, async (copy, mutant) => {
    const start = performance.now();
    const isSeen = await isSeenIn(copy, mutant);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${isSeen ? '✔' : '✖ NOT SEEN:'} ${mutant.title} (${mutant.file}, ${seconds} s)`);
    if (!isSeen) unseen.push(mutant.title);
  });
} finally {
  for (const copy of copies) rmSync(copy, { recursive: true });
}
console.log(`${planned.length - unseen.length} of ${planned.length} faults seen`);
process.exitCode = unseen.length === 0 ? 0 : 1;

function copyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'steppe-mutants-'));
  const names = [
    'src',
    'test',
    'scripts',
    'seeds',
    'examples',
    'package.json',
    'tsconfig.json',
    '.oxlintrc.json',
  ];
  for (const name of names) cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Works on the items with one worker for each copy; gives the results in the order of the items. */
async function inCopies<Item, Result>(
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

/** Says whether the named test fails while the fault is planted. @throws {Error} when the fault has no single place. */
async function isSeenIn(copy: string, { file, from, to, test }: Mutant): Promise<boolean> {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${file} does not have exactly once: ${from}`);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
  try {
    const { failed, output } = await runTest(copy, test.file);
    return failed && output.includes(`✖ ${test.name}`);
  } finally {
    writeFileSync(path, text);
  }
}

async function runTest(copy: string, file: string): Promise<{ failed: boolean; output: string }> {
  const needsDatabase = readFileSync(join(copy, file), 'utf8').includes('support/database.ts');
  const runner = needsDatabase ? ['scripts/test.ts', file] : ['--test', file];
  const child = spawn(process.execPath, runner, {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = (await Array.fromAsync(child.stdout.setEncoding('utf8'))).join('');
  const exitCode =
    child.exitCode ?? (await new Promise<number | null>((resolve) => child.once('close', resolve)));
  return { failed: exitCode !== 0, output };
}
