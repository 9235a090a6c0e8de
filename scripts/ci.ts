/**
 * `npm run ci`: the tests of the later tiers for a change, which `.ci/run` runs: the contract with external services, the tests whose
 * imports the change touches, and a third of the rest in turn, so that three changes in a row run all. Lists what it leaves out.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asksForHelp } from '../src/commands/options.ts';
import { projectRoot } from '../test/support/project.ts';
import { chooseForChange, thirds } from './test/change.ts';
import { readCosts } from './test/costs.ts';
import { isOfTier, listTestFiles, type Tier, tierOf, tiers } from './test/needs.ts';
import { inWords } from './test/times.ts';

const turnFile = '.ci/turn';
/** Files that run in every turn: the contract with external PostgreSQL, S3 store and NATS. */
const always = ['test/acceptance/external.test.ts'];
/** Processor time for files that the change touches, in addition to the third of this turn. */
const mostTouchedSeconds = 4 * 60;
const repetitionMinutes = 3;
/** Part of the output of a run that is kept for its summary. */
const summaryCharacters = 200_000;
const laterTiers: readonly Tier[] = ['services', 'clients', 'page', 'long'];

const args = process.argv.slice(2);
if (asksForHelp(args) || args.some((each) => each !== '--begin' && each !== '--list')) {
  console.log(`Usage: npm run ci [-- --begin | --list]

Runs the later tiers of a change: the contract with external services, what the commits since the last change of ${turnFile} touch,
and a third of the rest in turn.
  --begin  begins a change: raises the number in ${turnFile}, which its first commit takes along
  --list   says what would run and what is left out, and runs nothing`);
  process.exit(asksForHelp(args) ? 0 : 1);
}
const turn = Number(await readFile(join(projectRoot, turnFile), 'utf8'));
if (args.includes('--begin')) {
  await writeFile(join(projectRoot, turnFile), `${turn + 1}\n`);
  console.log(`${turnFile} is ${turn + 1} now; commit it with the change`);
  process.exit(0);
}
const changed = changedFiles();
const costs = await readCosts();
const choice = chooseForChange({
  files: listTestFiles().filter((file) => laterTiers.some((tier) => isOfTier(file, tier))),
  always,
  turn,
  changed: changed ?? [],
  costs,
  mostTouchedSeconds,
});
if (changed === undefined)
  console.log('ci: no history here, so that nothing is chosen by what the change touches');
console.log(
  `ci: turn ${turn % thirds} of ${thirds}; ${choice.inTurn.length} files, and ${choice.touched.length} that the change touches`,
);
const running = [...always, ...choice.inTurn, ...choice.touched];
for (const file of running) console.log(`  runs      ${file}`);
for (const file of choice.leftOut) {
  const isTouched = choice.touchedButDear.has(file) ? ', which the change touches' : '';
  console.log(`  left out  ${file} (${tiers[tierOf(file)]})${isTouched}`);
}
console.log(
  `ci: left out ${choice.leftOut.length} files of ${inWords(choice.leftOutSeconds)} of processor time`,
);
if (!args.includes('--list')) {
  // Tests of servers create networks; Chromium then aborts requests.
  const isOfServers = (file: string): boolean => tierOf(file) === 'services';
  const summaries: string[] = [];
  for (const part of [running.filter(isOfServers), running.filter((file) => !isOfServers(file))]) {
    const { status, summary } = await runFiles(part);
    summaries.push(summary);
    if (status !== 0) process.exitCode = status ?? 1;
  }
  // Failures of the first part again, because a log may be kept only from its end.
  console.log(`\nci: both parts\n${summaries.join('\n')}`);
}

/** Runs test files, and returns what is printed at the end: the failed tests with their reasons, and the number of tests. */
async function runFiles(files: readonly string[]) {
  const run = ['scripts/test.ts', '--tier', 'long', '--minutes', String(repetitionMinutes), ...files];
  const child = spawn(process.execPath, run, { cwd: projectRoot, stdio: ['inherit', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text);
    printed = (printed + text).slice(-summaryCharacters);
  });
  const [status]: (number | null)[] = await once(child, 'close');
  const [summary = ''] =
    /^(?:failed, each with its reason:|\d+ tests, \d+ failed)\n[^]*/m.exec(printed) ?? [];
  return { status, summary: summary.trimEnd() };
}

/** Lists the files that changed since the base of the change; undefined without a history. */
function changedFiles(): readonly string[] | undefined {
  const git = (...words: readonly string[]): string | undefined => {
    const { status, stdout } = spawnSync('git', words, { cwd: projectRoot, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : undefined;
  };
  const begun = git('log', '-1', '--format=%H', '--', turnFile);
  if (begun === undefined || begun === '' || git('rev-parse', '--verify', `${begun}~1`) === undefined)
    return undefined;
  return git('diff', '--name-only', `${begun}~1`)
    ?.split('\n')
    .filter((path) => path !== '');
}
