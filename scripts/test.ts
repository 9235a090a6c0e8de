import { glob, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { openEmbeddedDatabase } from '../src/database/embedded/embedded.ts';
import { asksForHelp } from '../src/commands/options.ts';

/** Each test file runs in a process of its own; those that start whole services do so one after the other. */
const oneByOne =
  /^test\/(lifecycle|faults|first-minute|districts|survey|demo|fuzz\/fuzz|landscape\/service|acceptance\/acceptance|hostile\/(?:mutations|service))\b/;
const fileTimeoutMs = 15 * 60_000;

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
const args = process.argv.slice(2);
if (asksForHelp(args)) {
  console.log(`Usage: npm test [-- PATH...]\n\nRuns the tests in these files and folders, or all of them.`);
  process.exit(0);
}
const wanted = args.map((path) => path.replace(/^\.\/|\/$/g, ''));
const all = await Array.fromAsync(glob('{src,test}/**/*.test.ts'));
const isIn = (file: string, path: string) => file === path || file.startsWith(`${path}/`);
const empty = wanted.filter((path) => !all.some((file) => isIn(file, path)));
if (empty.length > 0) {
  console.error(`test: there are no tests in ${empty.join(', ')}; see npm test -- --help`);
  process.exit(1);
}
const files = all.filter((file) => wanted.length === 0 || wanted.some((path) => isIn(file, path))).toSorted();

const dataDir = await mkdtemp(join(tmpdir(), 'steppe-tests-'));
const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort()).once('SIGTERM', () => stopping.abort());
const postgres = await openEmbeddedDatabase({
  dataDir,
  log: pino({ level: 'warn' }),
  signal: stopping.signal,
  onStart: async () => undefined,
});
try {
  process.env['STEPPE_TEST_POSTGRES'] = JSON.stringify(postgres.target);
  const together = await runTests(
    files.filter((file) => !oneByOne.test(file)),
    availableParallelism(),
  );
  const alone = await runTests(
    files.filter((file) => oneByOne.test(file)),
    1,
  );
  process.exitCode = together && alone ? 0 : 1;
} finally {
  await postgres.close();
  await rm(dataDir, { recursive: true });
}

/** True when every test passed; a test that was skipped or left for later did not. */
async function runTests(paths: readonly string[], concurrency: number): Promise<boolean> {
  if (paths.length === 0) return true;
  let failures = 0;
  const results = run({ files: [...paths], concurrency, timeout: fileTimeoutMs, signal: stopping.signal })
    .on('test:fail', () => (failures += 1))
    .on('test:pass', ({ name, skip, todo }) => {
      if (skip === undefined && todo === undefined) return;
      failures += 1;
      console.error(`not run, which counts as failed: ${name}`);
    });
  for await (const text of results.compose(spec)) process.stdout.write(text);
  return failures === 0;
}
