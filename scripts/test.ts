/**
 * `npm test`: all tests of the tier, or those of some files and folders. A test that is skipped or left for later counts as
 * failed.
 */
import { appendFile, glob, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { asksForHelp } from '../src/commands/options.ts';
import { openEmbeddedDatabase } from '../src/database/embedded/embedded.ts';
import { prepareTemplates, serverVariable } from '../test/support/database.ts';
import { preparedVariable, startService } from '../test/support/service.ts';
import { isLongTier } from '../test/support/tier.ts';
import { messageOf } from '../src/lib/error-facts.ts';
import { findChromium } from '../test/support/chromium.ts';
import { imagePackages } from '../test/support/deploy/image.ts';
import { installServices } from '../test/support/services/programs.ts';
import { installDebianPackages } from './debian-packages.ts';

/** Files that measure time or memory, which a neighbour would disturb, and those in which a browser keeps all cores busy. */
const alone = /^test\/(console|hostile\/service\/bombs|lifecycle\/endings)\b/;
/** These are of the long tier alone. */
const longOnly = /\.long\.test\.ts$/;
/** More than there are cores: most files wait for something much of the time. */
const lanes = availableParallelism() + 2;
/** These take longest and come first, so that the lanes end at about the same time. */
const first = [
  /^test\/acceptance\/acceptance\b/,
  /^test\/(faults\/kill-9|hostile\/(service|layers|without-layers)|http\/long-poll-minute|landscape\/service)\b/,
  /^test\/(hostile|fuzz|faults|lifecycle)\b/,
];
/** Files that name these start servers, or share one. */
const needsServers = /test\/support\/(?:database\.ts|services\/)/;
/** Files that name these work with real servers of other makers. */
const namesServices = /support\/(?:services\/|deployment\b)/;
/** Files that look at pages. */
const needsBrowser = /^test\/(?:console\/|drawing\/clients\/|first-minute\b)/;
/** Packages of Debian that show maps of the service, or keep their tiles; QGIS takes two minutes. */
const clientPackages = ['gdal-bin', 'nginx'];
const qgisPackages = ['python3-qgis', 'qgis-providers'];
/** Packages of Debian that tests of the image and the chart need beside those that build it. */
const deployPackages = ['bubblewrap', 'python3-venv'];
/** Runs all files below `src` and `console` that need no PostgreSQL: a process for each would cost more than they do. */
const unitRunner = 'test/support/unit-files.ts';
const fileTimeoutMs = (isLongTier ? 60 : 15) * 60_000;
const slowestShown = 15;

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
const files = all.filter((file) => isOfTier(file) && isWanted(file)).toSorted();
const units: string[] = [];
let needServices = false;
for (const file of files) {
  const text = await readFile(file, 'utf8');
  if (!file.startsWith('test/') && !needsServers.test(text)) units.push(file);
  needServices ||= namesServices.test(text);
}
const others = files.filter((file) => !units.includes(file)).toSorted((a, b) => rank(a) - rank(b));

const folder = await mkdtemp(join(tmpdir(), 'steppe-tests-'));
const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort()).once('SIGTERM', () => stopping.abort());
process.env['NODE_COMPILE_CACHE'] = join(root, 'node_modules/.cache/tests');
process.env['STEPPE_TEST_UNITS'] = JSON.stringify(units);
const seconds = new Map<string, number>();
try {
  await using stack = new AsyncDisposableStack();
  if (others.length > 0) await prepare(stack);
  if (others.some((file) => needsBrowser.test(file))) {
    await install(
      'Chromium, in which pages are tested,',
      () => findChromium() ?? installDebianPackages(['chromium']),
    );
  }
  const clients = others.filter((file) => file.startsWith('test/drawing/clients/'));
  if (clients.length > 0) {
    const names = clients.some((file) => longOnly.test(file))
      ? [...clientPackages, ...qgisPackages]
      : clientPackages;
    await install('a program that shows maps', () => installDebianPackages(names));
  }
  if (others.some((file) => file.startsWith('test/deploy/'))) {
    await install('what builds the image', () =>
      installDebianPackages([...imagePackages, ...deployPackages]),
    );
  }
  if (others.some((file) => file.startsWith('test/drawing/'))) {
    await install('what runs programs of PyPI', () => installDebianPackages(['python3-venv']));
  }
  if (needServices) {
    const say = (what: string): void => console.error(`test: ${what}`);
    await install('a server that tests work with', async () => await installServices(say, stopping.signal));
  }
  const together = [...(units.length > 0 ? [unitRunner] : []), ...others.filter((file) => !alone.test(file))];
  const apart = others.filter((file) => alone.test(file));
  const passed = [await runTests(together, lanes), await runTests(apart, 1)];
  process.exitCode = passed.includes(false) ? 1 : 0;
} finally {
  await rm(folder, { recursive: true });
}
const slowest = [...seconds].toSorted(([, a], [, b]) => b - a).slice(0, slowestShown);
console.log(`slowest files, in seconds:`);
for (const [file, duration] of slowest) console.log(`${duration.toFixed(1).padStart(8)}  ${file}`);

/** Starts what the test files share: a PostgreSQL with databases to copy, and a DATA_DIR to copy. */
async function prepare(stack: AsyncDisposableStack): Promise<void> {
  const dataDir = join(folder, 'service');
  await mkdir(dataDir);
  const prepared = startService({ dataDir }).then(async (service) => await service.stop());
  const ownDir = join(folder, 'database');
  await mkdir(ownDir);
  const postgres = await openEmbeddedDatabase({
    dataDir: ownDir,
    log: pino({ level: 'warn' }),
    signal: stopping.signal,
    onStart: async () => undefined,
  });
  stack.defer(async () => await postgres.close());
  await prepareTemplates(postgres.target);
  await prepared;
  // The copies start where this one ended, without the fsync that only a crash of the machine calls for.
  await appendFile(join(dataDir, 'postgres/cluster/postgresql.auto.conf'), 'fsync = off\n');
  await rm(join(dataDir, 'postgres/socket-folder'), { force: true });
  process.env[serverVariable] = JSON.stringify(postgres.target);
  process.env[preparedVariable] = dataDir;
}

/** Where it cannot be installed, the tests that need it fail with the line to type. */
async function install(what: string, work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(`test: ${what} is not installed: ${messageOf(error)}`);
  }
}

function rank(file: string): number {
  const index = first.findIndex((pattern) => pattern.test(file));
  return index === -1 ? first.length : index;
}

/** True when every test passed. */
async function runTests(paths: readonly string[], concurrency: number): Promise<boolean> {
  if (paths.length === 0) return true;
  let failures = 0;
  const results = run({ files: [...paths], concurrency, timeout: fileTimeoutMs, signal: stopping.signal })
    .on('test:fail', () => (failures += 1))
    .on('test:pass', ({ name, skip, todo }) => {
      if (skip === undefined && todo === undefined) return;
      failures += 1;
      console.error(`not run, which counts as failed: ${name}`);
    })
    .on('test:summary', ({ file, duration_ms: duration }) => {
      if (file !== undefined) seconds.set(relative(root, file), duration / 1000);
    });
  for await (const text of results.compose(spec)) process.stdout.write(text);
  return failures === 0;
}
