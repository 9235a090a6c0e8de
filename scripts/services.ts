/** `npm run services`: starts PostgreSQL 15, PgBouncer, an S3 store, NATS and Temporal, and prints the variables for Steppe. */
import { once } from 'node:events';
import { asksForHelp, readOptions } from '../src/commands/options.ts';
import { installServices } from '../test/support/services/programs.ts';
import { startServices } from '../test/support/services/services.ts';
import { startTemporal } from '../test/support/services/temporal.ts';
import { installEnginePackage } from './setup/engine-package.mjs';

if (asksForHelp(process.argv.slice(2))) {
  console.log(`Usage: npm run services [-- --install [temporal]]

Starts PostgreSQL 15 with PgBouncer, versitygw (an S3 store), nats-server and Temporal on free ports of this machine, in a temporary
folder, prints the variables with which Steppe works with them, and stops them on Ctrl-C. What is missing is installed first, as
root; versitygw and Temporal are built by Go, once. With --install nothing is started. With --install temporal only the package is
installed with which Steppe works with a Temporal server, for WORKFLOW_ENGINE_URL.`);
  process.exit(0);
}
// Registered before any service starts, so that Ctrl-C always stops it.
const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort());
try {
  const { values, positionals } = readOptions(process.argv.slice(2), { install: { type: 'boolean' } }, 1);
  const isForTemporal = values.install === true && positionals[0] === 'temporal';
  if (isForTemporal) await installEnginePackage();
  else await installServices((what) => console.error(what), stopping.signal);
  if (values.install !== true && !stopping.signal.aborted) await serve();
} catch (error) {
  if (!stopping.signal.aborted) console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function serve(): Promise<void> {
  await using services = await startServices();
  const { postgres, pooler, env } = services;
  await using temporal = await startTemporal(services.folder);
  const all = { ...env, WORKFLOW_ENGINE_URL: temporal.url };
  for (const [name, value] of Object.entries(all)) console.log(`export ${name}='${value}'`);
  console.log(`
# A role that may only read and write rows, once ./steppe migrate has run with the URL above:
#export DATABASE_URL='${postgres.url}'
# The same behind PgBouncer in transaction mode:
#export DATABASE_URL='${pooler.url}' DATABASE_DIRECT_URL='${postgres.url}'
`);
  for (const { name, pid } of [postgres, pooler, services.s3, services.nats, temporal].map(
    ({ process }) => process,
  )) {
    console.error(`${name} is process ${pid}`);
  }
  console.error('Ctrl-C stops them and removes their data.');
  if (!stopping.signal.aborted) await once(stopping.signal, 'abort');
}
