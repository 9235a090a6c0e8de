/**
 * `npm test`: all tests of the tier, or those of some files and folders. A test that is skipped or left for later counts as
 * failed.
 */
import { glob, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { PassThrough } from 'node:stream';
import { run } from 'node:test';
import { spec, type TestEvent } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { asksForHelp } from '../src/commands/options.ts';
import { makeMemoryFolder } from '../test/support/memory-folder.ts';
import { readProjectFile } from '../test/support/project.ts';
import { isLongTier } from '../test/support/tier.ts';
import { type Batch, batchesOf } from './test/choose.ts';
import { prepare } from './test/prepare.ts';
import {
  budgetSeconds,
  inWords,
  printSeconds,
  processorSecondsOf,
  readProcessorSeconds,
  readSeconds,
  storeSeconds,
  timesVariable,
} from './test/times.ts';

/** Files that measure time or memory, which a neighbour would disturb, and those in which a browser keeps all cores busy. */
const oneByOne = /^test\/(console|hostile\/service\/bombs|lifecycle\/endings)\b|^console/;
/** These are of the long tier alone. */
const longOnly = /\.long\.test\.ts$/;
/**
 * Lanes of most files, more than there are cores: they wait for something much of the time. Two more, of units and of files that have
 * to be alone, join them once they are through.
 */
const lanes = availableParallelism() + 1;
/** Test files make much that they soon forget: with room for it a fifth of their time is not spent on looking through it. */
const heapArguments = ['--min-semi-space-size=64', '--max-semi-space-size=64'];
const reasonLines = 12;
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
const all = await Array.fromAsync(glob('{src,common,test,console/src,tools}/**/*.test.ts'));
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
const notes = join(folder, 'processor-times');
process.env[timesVariable] = notes;
const processorTime = new URL('test/processor-time.ts', import.meta.url).href;
/** Seconds of each batch and of each file, by name, and of their processes by processor time. */
const seconds = {
  batches: new Map<string, number>(),
  files: new Map<string, number>(),
  processor: new Map<string, number>(),
};
const totals = { tests: 0, failed: 0 };
/** Failed tests with their reasons, for the end of the output. */
const failed: string[] = [];
/** The batches by the path of the program that runs each. */
const programs = new Map<string, string>();
/** Takes what a batch reports once it has ended, so that reports of batches that run at the same time do not mix. */
const reporter = new PassThrough({ objectMode: true });
const printed = print(reporter.compose(spec));
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
  const rest = many.values();
  const passed = await Promise.all([
    runInTurn(units).then(async (hasPassed) => await prepared.then(() => runInTurn(rest, hasPassed))),
    prepared
      .then(async () => await runInTurn(single))
      .then(async (hasPassed) => await runInTurn(rest, hasPassed)),
    ...Array.from({ length: lanes }, async () => await prepared.then(() => runInTurn(rest))),
  ]);
  reporter.end();
  await printed;
  process.exitCode = passed.includes(false) ? 1 : 0;
  const byPath = await readProcessorSeconds(notes);
  for (const [path, name] of programs) seconds.processor.set(name, byPath.get(path) ?? 0);
} finally {
  stopping.abort();
  await rm(folder, { recursive: true });
}
printSeconds(seconds.files, seconds.processor);
if (failed.length > 0) console.log(`failed, each with its reason:\n${failed.join('\n')}`);
console.log(`${totals.tests} tests, ${totals.failed} failed`);
const processorSeconds = processorSecondsOf(await readFile('/proc/self/stat', 'utf8'));
const used = `${inWords((performance.now() - startedAt) / 1000)}, ${inWords(processorSeconds)} of processor time`;
if (wanted.length > 0 || isLongTier) {
  console.log(used);
} else {
  console.log(`${used}; the budget is ${inWords(budgetSeconds)}`);
  await storeSeconds(seconds.batches);
}

/**
 * Runs batches one after the other, each in a process of its own; true when every test passed, and those before. Lanes that take
 * from the same iterator share what is in it; units, and what has to be alone, have a lane that then helps with the rest.
 */
async function runInTurn(those: Iterable<Batch>, hasPassed = true): Promise<boolean> {
  let passed = hasPassed;
  for (const batch of those) passed = (await runTests(batch)) && passed;
  return passed;
}

async function runTests(batch: Batch): Promise<boolean> {
  const path = await programOf(batch);
  programs.set(path, batch.name);
  let failures = 0;
  const results = run({
    files: [path],
    execArgv: [...heapArguments, `--import=${processorTime}`],
    timeout: fileTimeoutMs,
    signal: stopping.signal,
  })
    .on('test:fail', ({ name, file = '', details: { error } }) => {
      failures += 1;
      const reason = reasonOf(error);
      if (reason !== undefined) failed.push(`  ${relative(root, file)}: ${name}\n${reason}`);
    })
    .on('test:pass', ({ name, skip, todo }) => {
      if (skip === undefined && todo === undefined) return;
      failures += 1;
      console.error(`not run, which counts as failed: ${name}`);
    })
    .on('test:complete', ({ file = '', nesting, details }) => {
      if (nesting > 0 || programs.has(file)) return;
      const name = relative(root, file);
      seconds.files.set(name, (seconds.files.get(name) ?? 0) + details.duration_ms / 1000);
    })
    .on('test:summary', ({ file, counts, duration_ms: duration }) => {
      if (file !== undefined) return;
      seconds.batches.set(batch.name, duration / 1000);
      const own = relative(root, path);
      if (files.includes(own)) seconds.files.set(own, duration / 1000);
      totals.tests += counts.tests;
      totals.failed += counts.tests - counts.passed;
    });
  const reported = await Array.fromAsync(results);
  for (const event of reported) if (!isFigure(event)) reporter.write(event);
  return failures === 0;
}

/** The first lines of an error; none for a suite whose tests say it. */
function reasonOf(error: unknown): string | undefined {
  const { failureType, cause }: { failureType?: unknown; cause?: unknown } = Object(error);
  if (failureType === 'subtestsFailed') return undefined;
  return inspect(cause ?? error)
    .split('\n')
    .slice(0, reasonLines)
    .map((line) => `    ${line}`)
    .join('\n');
}

/** A figure of one batch, such as `pass 3`; those of all batches come at the end. */
function isFigure({ type, data }: TestEvent): boolean {
  return (
    type === 'test:diagnostic' &&
    data.nesting === 0 &&
    /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/.test(data.message)
  );
}

async function print(texts: AsyncIterable<unknown>): Promise<void> {
  for await (const text of texts) process.stdout.write(String(text));
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
