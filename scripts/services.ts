/** `npm run services`: PostgreSQL 15, PgBouncer, an S3 store and NATS, and the variables with which Steppe works with them. */
import { once } from 'node:events';
import { asksForHelp } from '../src/commands/options.ts';
import { installServices } from '../test/support/services/programs.ts';
import { startServices } from '../test/support/services/services.ts';

if (asksForHelp(process.argv.slice(2))) {
  console.log(`Usage: npm run services [-- --install]

Starts PostgreSQL 15 with PgBouncer, versitygw (an S3 store) and nats-server on free ports of this machine, in a temporary
folder, prints the variables with which Steppe works with them, and stops them on Ctrl-C. What is missing is installed first, as
root; versitygw is built by Go, once. With --install nothing is started.`);
  process.exit(0);
}
// Before anything is started, so that Ctrl-C always stops it.
const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort());
try {
  await installServices((what) => console.error(what), stopping.signal);
  if (!process.argv.includes('--install') && !stopping.signal.aborted) await serve();
} catch (error) {
  if (!stopping.signal.aborted) console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function serve(): Promise<void> {
  await using services = await startServices();
  const { postgres, pooler, env } = services;
  for (const [name, value] of Object.entries(env)) console.log(`export ${name}='${value}'`);
  console.log(`
# A role that may only read and write rows, once ./steppe migrate has run with the URL above:
#export DATABASE_URL='${postgres.url}'
# The same behind PgBouncer in transaction mode:
#export DATABASE_URL='${pooler.url}' DATABASE_DIRECT_URL='${postgres.url}'
`);
  for (const { name, pid } of [postgres, pooler, services.s3, services.nats].map((each) => each.process)) {
    console.error(`${name} is process ${pid}`);
  }
  console.error('Ctrl-C stops them and removes their data.');
  if (!stopping.signal.aborted) await once(stopping.signal, 'abort');
}
