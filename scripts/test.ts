/**
 * `npm test`, and the commands of the other tiers: runs all tests of a tier, or those of some files and folders. Skipped and todo tests
 * count as failed.
 */
import { spawnSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { spec } from 'node:test/reporters';
import { asksForHelp, UsageError } from '../src/commands/options.ts';
import { findChromium } from '../test/support/browser/chromium.ts';
import { makeMemoryFolder } from '../test/support/memory-folder.ts';
import { projectRoot } from '../test/support/project.ts';
import { type Batch, batchesOf } from './test/choose.ts';
import { budgetSeconds, type Costs, keepCosts, readCosts, sharedCost } from './test/costs.ts';
import { needsOf, tiers } from './test/needs.ts';
import { prepare } from './test/prepare.ts';
import { readRequest, repeatsUntilTheEnd, type TestRequest, usage } from './test/request.ts';
import { createBatchRunner } from './test/run-batch.ts';
import {
  inWords,
  printSeconds,
  processorSecondsOf,
  readProcessorSeconds,
  timesVariable,
} from './test/times.ts';

/** Files that measure time or memory, which other processes would disturb, and files with a browser that uses all cores. */
const oneByOne = /^test\/(console|hostile\/service\/bombs|lifecycle\/endings)\b|^console/;
/**
 * More lanes than cores, because files wait much of the time. Two further lanes, for unit tests and for files that run alone, then join
 * them.
 */
const lanes = availableParallelism() + 1;

process.chdir(projectRoot);
const args = process.argv.slice(2);
if (asksForHelp(args)) {
  console.log(usage);
  process.exit(0);
}
const request = requestOf(args);
if (request.tier !== 'short') {
  process.env['STEPPE_TEST_TIER'] = 'long';
  // Repeating tests stop after this time, and run at least once.
  if (request.minutes !== undefined)
    process.env['STEPPE_TEST_UNTIL'] = String(Date.now() + request.minutes * 60_000);
}
const notices: string[] = [];
const files = request.files.filter(canRun);
const kept = await readCosts();
/** Sorts the most expensive batches first, and those that repeat until the deadline last. */
const rank = ({ files: members }: Batch): number =>
  request.minutes !== undefined && members.some(repeatsUntilTheEnd)
    ? -1
    : members.reduce((sum, file) => sum + (kept.get(file) ?? 1), 0);
const batches = batchesOf(files).toSorted((a, b) => rank(b) - rank(a));

const folder = await makeMemoryFolder('steppe-tests-');
const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort()).once('SIGTERM', () => stopping.abort());
process.env['NODE_COMPILE_CACHE'] = join(projectRoot, 'node_modules/.cache/tests');
const notes = join(folder, 'processor-times');
process.env[timesVariable] = notes;
/** Receives the report of a batch after its end, so that reports of parallel batches do not mix. */
const reporter = new PassThrough({ objectMode: true });
const printed = print(reporter.compose(spec));
const runner = createBatchRunner({
  folder,
  report: (event) => void reporter.write(event),
  signal: stopping.signal,
  timeoutMinutes: request.tier === 'short' ? 15 : 60,
});
const startedAt = performance.now();
let costs: Costs = new Map();
try {
  await using stack = new AsyncDisposableStack();
  // Unit tests do not need the prepared resources.
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
  costs = runner.costsOf(await readProcessorSeconds(notes));
} finally {
  stopping.abort();
  await rm(folder, { recursive: true });
}
const { totals, failed, seconds } = runner;
printSeconds(seconds, costs);
for (const notice of notices) console.log(notice);
if (failed.length > 0) console.log(`failed, each with its reason:\n${failed.join('\n')}`);
console.log(`${totals.tests} tests, ${totals.failed} failed`);
const processorSeconds = processorSecondsOf(await readFile('/proc/self/stat', 'utf8'));
const used = `${inWords((performance.now() - startedAt) / 1000)}, ${inWords(processorSeconds)} of processor time`;
const isBudgeted = request.tier === 'short' && request.isWhole;
console.log(isBudgeted ? `${used}; the budget is ${inWords(budgetSeconds)}` : used);
if (request.keepsCosts) {
  const shared = processorSeconds - [...costs.values()].reduce((sum, each) => sum + each, 0);
  await keepCosts(isBudgeted ? new Map([...costs, [sharedCost, shared]]) : costs);
}

function requestOf(words: readonly string[]): TestRequest {
  try {
    return readRequest(words);
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`test: ${error.message}; see npm test -- --help`);
      process.exit(1);
    }
    throw error;
  }
}

/**
 * Returns whether the programs of a file are installed: tests of the page need a browser, and printed commands need curl; `npm test`
 * installs neither.
 */
function canRun(file: string): boolean {
  const needs = needsOf(file);
  const missing = [
    needs.has('browser if there') && findChromium() === undefined
      ? `there is no Chromium here; ${tiers.page} installs one`
      : undefined,
    needs.has('curl') && spawnSync('curl', ['--version']).status !== 0 ? 'there is no curl here' : undefined,
  ].find((reason) => reason !== undefined);
  if (missing !== undefined) notices.push(`left out: ${file}, because ${missing}`);
  return missing === undefined;
}

/**
 * Runs batches one after the other, each in its own process; true when all tests have passed. Lanes share an iterator; the lanes of unit
 * tests and of files that run alone then continue with the rest.
 */
async function runInTurn(those: Iterable<Batch>, hasPassed = true): Promise<boolean> {
  let passed = hasPassed;
  for (const batch of those) passed = (await runner.run(batch)) && passed;
  return passed;
}

async function print(texts: AsyncIterable<unknown>): Promise<void> {
  for await (const text of texts) process.stdout.write(String(text));
}
