import { appendFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { openEmbeddedDatabase } from '../../src/database/embedded/embedded.ts';
import { messageOf } from '../../src/lib/error-facts.ts';
import { readEmbeddedTarget } from '../../src/runtime/embedded.ts';
import { headlessPackage } from '../../test/support/browser/chromium.ts';
import { prepareTemplates, serverVariable } from '../../test/support/database.ts';
import { imagePackages } from '../../test/support/deploy/image.ts';
import { preparedVariable, startService } from '../../test/support/service.ts';
import { installServices } from '../../test/support/services/programs.ts';
import { installDebianPackages } from '../debian-packages.ts';
import { needsOf } from './needs.ts';

/** Packages of Debian that show maps of the service, or keep their tiles. */
const clientPackages = ['gdal-bin', 'nginx', 'python3-qgis', 'qgis-providers'];
/** Debian packages for tests of the image and the chart, in addition to those that build it. */
const deployPackages = ['bubblewrap', 'python3-venv'];

/** Prepares the resources that files share: packages, a PostgreSQL with databases to copy, a DATA_DIR to copy; the stack closes them. */
export async function prepare(
  files: readonly string[],
  { folder, stack, signal }: { folder: string; stack: AsyncDisposableStack; signal: AbortSignal },
): Promise<void> {
  const needs = files.map(needsOf).reduce((all, more) => all.union(more), new Set());
  const dataDir = needs.has('service') ? prepareDataDir(join(folder, 'service')) : undefined;
  if (needs.has('database')) {
    const ownDir = join(folder, 'database');
    await mkdir(ownDir);
    const postgres = await openEmbeddedDatabase({
      dataDir: ownDir,
      log: pino({ level: 'warn' }),
      // Each file of a batch has its own pools, and batches run in parallel.
      connections: 400,
      signal,
      onStart: async () => undefined,
    });
    stack.defer(async () => await postgres.close());
    await prepareTemplates(postgres.target);
    process.env[serverVariable] = JSON.stringify(postgres.target);
  }
  await dataDir;
  if (needs.has('browser'))
    await install('the fast Chromium', () => installDebianPackages([headlessPackage]));
  if (needs.has('packages'))
    await install('programs that show maps', () => installDebianPackages(clientPackages));
  if (needs.has('image'))
    await install('what builds the image', () =>
      installDebianPackages([...imagePackages, ...deployPackages]),
    );
  if (needs.has('python')) await install('python3-venv', () => installDebianPackages(['python3-venv']));
  if (needs.has('servers'))
    await install(
      'PostgreSQL 15, PgBouncer, NATS, an S3 store and Temporal',
      async () => await installServices((what) => console.error(`test: ${what}`), signal),
    );
}

/** Starts a service once, whose data directory is copied for tests, without fsync. */
async function prepareDataDir(dataDir: string): Promise<void> {
  await mkdir(dataDir);
  const service = await startService({ dataDir });
  await dropTemplates(dataDir);
  await service.stop();
  await appendFile(join(dataDir, 'postgres/cluster/postgresql.auto.conf'), 'fsync = off\n');
  await rm(join(dataDir, 'postgres/socket-folder'), { force: true });
  process.env[preparedVariable] = dataDir;
}

/** Drops unused template databases, which are a third of the size of each copy. */
async function dropTemplates(dataDir: string): Promise<void> {
  const client = new Client(await readEmbeddedTarget(dataDir));
  await client.connect();
  await client.query('update pg_database set datistemplate = false');
  for (const name of ['template0', 'template1']) await client.query(`drop database ${name} with (force)`);
  await client.end();
}

/** Installs a missing dependency with a message; if this fails, the tests that need it fail with the command to type. */
async function install(what: string, work: () => unknown): Promise<void> {
  console.error(`test: needs ${what}; what is missing is installed`);
  try {
    await work();
  } catch (error) {
    console.error(`test: ${what} cannot be installed: ${messageOf(error)}`);
  }
}
