/**
 * `npm test`: all tests of the tier, or those of some files and folders. A test that is skipped or left for later counts as
 * failed.
 */
import { glob, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { asksForHelp } from '../src/commands/options.ts';
import { makeMemoryFolder } from '../test/support/memory-folder.ts';
import { readProjectFile } from '../test/support/project.ts';
import { isLongTier } from '../test/support/tier.ts';
import { type Batch, batchesOf } from './test/choose.ts';
import { prepare } from './test/prepare.ts';
import { budgetSeconds, inWords, printSeconds, readSeconds, storeSeconds } from './test/times.ts';

/** Files that measure time or memory, which a neighbour would disturb, and those in which a browser keeps all cores busy. */
const oneByOne = /^test\/(console|hostile\/service\/bombs|lifecycle\/endings)\b|^console$/;
/** These are of the long tier alone. */
const longOnly = /\.long\.test\.ts$/;
/** More than there are cores: most files wait for something much of the time, and most of all those of the long tier. */
const lanes = availableParallelism() + (isLongTier ? 2 : 1);
const fileTimeoutMs = (isLongTier ? 60 : 15) * 60_000;

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
const args = process.argv.slice(2);
if (asksForHelp(args)) {
  console.log(`Usage: npm test [-- PATH...]

Runs the tests in these files and folders, or all of them. Files of the long tier, *.long.test.ts, run when they are
named, or with STEPPE_TEST_TIER=long.`);
  process.exit(0);
}
const wanted = args.map((path) => path.replace(/^\.\/|\/$/g, ''));
const all = await Array.fromAsync(glob('{src,test,console/src,tools}/**/*.test.ts'));
const isIn = (file: string, path: string) => file === path || file.startsWith(`${path}/`);
const empty = wanted.filter((path) => !all.some((file) => isIn(file, path)));
if (empty.length > 0) {
  console.error(`test: there are no tests in ${empty.join(', ')}; see npm test -- --help`);
  process.exit(1);
}
const isOfTier = (file: string) => isLongTier || !longOnly.test(file) || wanted.includes(file);
const isWanted = (file: string) => wanted.length === 0 || wanted.some((path) => isIn(file, path));
const files = all.filter((file) => isOfTier(file) && isWanted(file));
const lastSeconds = await readSeconds();
/** Starts the slowest batches of the last run first, and those that repeat until their time is up last. */
const rank = ({ name, files: members }: Batch) =>
  members.some((file) => readProjectFile(file).includes('isTimeUp()')) ? -1 : (lastSeconds.get(name) ?? 0);
const batches = batchesOf(files).toSorted((a, b) => rank(b) - rank(a));

const folder = await makeMemoryFolder('steppe-tests-');
const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort()).once('SIGTERM', () => stopping.abort());
process.env['NODE_COMPILE_CACHE'] = join(root, 'node_modules/.cache/tests');
/** Seconds of each batch and of each file, by name. */
const seconds = { batches: new Map<string, number>(), files: new Map<string, number>() };
const startedAt = performance.now();
try {
  await using stack = new AsyncDisposableStack();
  // Units need nothing that is prepared meanwhile.
  const units = batches.filter(({ name }) => name === 'units');
  const others = batches.filter((batch) => !units.includes(batch));
  const prepared = prepare(
    others.flatMap((batch) => batch.files),
    { folder, stack, signal: stopping.signal },
  );
  const single = others.filter(({ name }) => oneByOne.test(name));
  const many = others.filter((batch) => !single.includes(batch));
  const passed = await Promise.all([
    runTests(units, 1, 'at the end'),
    prepared.then(async () => await runTests(many, lanes, 'as it comes')),
    prepared.then(async () => await runTests(single, 1, 'at the end')),
  ]);
  process.exitCode = passed.includes(false) ? 1 : 0;
} finally {
  stopping.abort();
  await rm(folder, { recursive: true });
}
printSeconds(seconds.files);
const used = inWords((performance.now() - startedAt) / 1000);
if (wanted.length > 0 || isLongTier) {
  console.log(used);
} else {
  console.log(`${used} of ${inWords(budgetSeconds)}`);
  await storeSeconds(seconds.batches);
}

/** Runs each batch in a process of its own; true when every test passed. Reports that come at the same time are mixed. */
async function runTests(
  those: readonly Batch[],
  concurrency: number,
  report: 'as it comes' | 'at the end',
): Promise<boolean> {
  if (those.length === 0) return true;
  let failures = 0;
  const names = new Map<string, string>();
  for (const batch of those) names.set(await programOf(batch), batch.name);
  const results = run({
    files: [...names.keys()],
    concurrency,
    timeout: fileTimeoutMs,
    signal: stopping.signal,
  })
    .on('test:fail', () => (failures += 1))
    .on('test:pass', ({ name, skip, todo }) => {
      if (skip === undefined && todo === undefined) return;
      failures += 1;
      console.error(`not run, which counts as failed: ${name}`);
    })
    .on('test:complete', ({ file = '', nesting, details }) => {
      if (nesting > 0 || names.has(file)) return;
      const name = relative(root, file);
      seconds.files.set(name, (seconds.files.get(name) ?? 0) + details.duration_ms / 1000);
    })
    .on('test:summary', ({ file = '', duration_ms: duration }) => {
      const name = names.get(file);
      if (name === undefined) return;
      seconds.batches.set(name, duration / 1000);
      if (files.includes(name)) seconds.files.set(name, duration / 1000);
    });
  const held: string[] = [];
  for await (const text of results.compose(spec)) {
    if (report === 'as it comes') process.stdout.write(text);
    else held.push(String(text));
  }
  process.stdout.write(held.join(''));
  return failures === 0;
}

/** The file that runs a batch. */
async function programOf({ name, files: members }: Batch): Promise<string> {
  const [only] = members;
  if (members.length === 1 && only !== undefined) return join(root, only);
  const path = join(folder, `${name}.mjs`);
  const loader = JSON.stringify(new URL('../test/support/batch.ts', import.meta.url).href);
  await writeFile(
    path,
    `import { loadTests } from ${loader};\nawait loadTests(${JSON.stringify(members)});\n`,
  );
  return path;
}
