import { execFile } from 'node:child_process';
import { appendFile, chown, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, type ClientConfig } from 'pg';
import {
  choosePostgresIdentity,
  commandAs,
  type PostgresIdentity,
} from '../../../src/database/embedded/identity.ts';
import { type Place, thisMachine } from './network.ts';
import { freePort } from '../ports.ts';
import { readProjectFile } from '../project.ts';
import { pgbouncerProgram, postgresPrograms } from './programs.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const run = promisify(execFile);
const password = 'services';
const database = 'steppe';
/** Role that may change the schema; the other role may only read and write rows. */
const ownerRole = 'steppe_owner';
const rowsRole = 'steppe';

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

/**
 * Starts a PostgreSQL 15 with TLS and a Russian ICU locale, and a PgBouncer in transaction mode. Both run as
 * an ordinary user, whichever user runs the tests.
 * @param folder an existing folder for everything
 */
export async function startPostgres(folder: string, place: Place = thisMachine) {
  const { address, within } = place;
  const { initdb, postgres } = await postgresPrograms();
  const identity = await choosePostgresIdentity(postgres, folder);
  const home = join(folder, 'postgres');
  await mkdir(home, { mode: 0o700 });
  const certificate = await makeCertificate(home, address);
  const passwordPath = join(home, 'password');
  await writeFile(passwordPath, password);
  await giveTo(identity, home);
  const cluster = join(home, 'cluster');
  const [file, ...leading] = wordsOf(identity, initdb);
  const locale = ['--encoding=UTF8', '--locale-provider=icu', '--icu-locale=ru-RU', '--locale=C'];
  const access = ['--auth=scram-sha-256', `--pwfile=${passwordPath}`, '--username=postgres'];
  const pgdata = [`--pgdata=${cluster}`, '--no-sync', '--no-instructions'];
  await run(file, [...leading, ...pgdata, ...locale, ...access], { cwd: '/' });

  // Every client must send the password, whatever its address.
  await appendFile(join(cluster, 'pg_hba.conf'), 'host all all all scram-sha-256\n');
  const port = await freePort();
  const superuser = { host: address, port, user: 'postgres', password, database: 'postgres' };
  const settings = Object.entries({
    listen_addresses: address,
    port,
    unix_socket_directories: home,
    max_connections: 300,
    fsync: 'off',
    ssl: 'on',
    ssl_cert_file: certificate.path,
    ssl_key_file: certificate.key,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const start = async (): Promise<ServerProcess> =>
    await startServer({
      name: 'PostgreSQL',
      command: [...wordsOf(identity, postgres), '-D', cluster, ...settings],
      within,
      isReady: async () => await runOn(superuser, 'select 1'),
    });
  let server = await start();
  await makeRoles(superuser);
  const urlOf = (role: string, onPort = port) =>
    `postgres://${role}:${password}@${hostOf(address)}:${onPort}/${database}`;
  const tls = `?sslmode=verify-full&sslrootcert=${encodeURIComponent(certificate.path)}`;
  return {
    /** TLS URL of the role that may change the schema. */
    ownerUrl: urlOf(ownerRole) + tls,
    /** TLS URL of the role that may only read and write rows. */
    url: urlOf(rowsRole) + tls,
    superuser,
    /** Self-signed certificate of the server, which is also its authority. */
    certificatePath: certificate.path,
    get process(): ServerProcess {
      return server;
    },
    /** Restarts it on the same port. */
    async restart(): Promise<void> {
      server = await start();
    },
    /** Starts a PgBouncer in front of it; returns a function that makes the URL of a role there. */
    async startPooler() {
      const poolerPort = await freePort();
      const pooler = await openPooler(identity, home, { port, poolerPort, place });
      return { process: pooler, url: urlOf(rowsRole, poolerPort), ownerUrl: urlOf(ownerRole, poolerPort) };
    },
    [Symbol.asyncDispose]: async () => await server.stop('SIGINT'),
  };
}

/** Runs statements in turn on one connection. */
export async function runOn(target: ClientConfig | string, ...statements: readonly string[]): Promise<void> {
  const client = new Client(target);
  client.on('error', () => undefined);
  try {
    await client.connect();
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Creates two roles and a database with the statements of docs/operations.md: one role owns the schema, the other one works with its rows.
 */
async function makeRoles(superuser: ClientConfig): Promise<void> {
  const [, lines = ''] = /```sql\n([\s\S]*?)```/.exec(readProjectFile('docs/operations.md')) ?? [];
  const [asAdministrator = '', inDatabase = ''] = lines
    .replaceAll("password '…'", `password '${password}'`)
    .split(`\\connect ${database}\n`);
  await runOn(superuser, ...statementsOf(asAdministrator));
  await runOn({ ...superuser, database }, ...statementsOf(inDatabase));
}

/** Splits statements, each of which ends at the end of a line. */
export function statementsOf(lines: string): readonly string[] {
  return lines.split(';\n').filter((statement) => statement.trim() !== '');
}

async function openPooler(
  identity: PostgresIdentity,
  home: string,
  { port, poolerPort, place }: { readonly port: number; readonly poolerPort: number; readonly place: Place },
): Promise<ServerProcess> {
  const program = await pgbouncerProgram();
  const path = join(home, 'pgbouncer.ini');
  const users = join(home, 'users.txt');
  await writeFile(users, [ownerRole, rowsRole].map((role) => `"${role}" "${password}"\n`).join(''));
  await writeFile(
    path,
    `[databases]
* = host=${place.address} port=${port}
[pgbouncer]
listen_addr = ${place.address}
listen_port = ${poolerPort}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
max_client_conn = 500
default_pool_size = 20
`,
  );
  await giveTo(identity, home);
  const target = { host: place.address, port: poolerPort, user: rowsRole, password, database };
  return await startServer({
    name: 'PgBouncer',
    command: [...wordsOf(identity, program), path],
    within: place.within,
    isReady: async () => await runOn(target, 'select 1'),
  });
}

/** Name in the certificate: `localhost` for this machine, else the address. */
function hostOf(address: string): string {
  return address === thisMachine.address ? 'localhost' : address;
}

function wordsOf(identity: PostgresIdentity, program: string): [string, ...string[]] {
  const { file, leadingArguments } = commandAs(identity, program);
  return [file, ...leadingArguments];
}

async function giveTo({ owner }: PostgresIdentity, folder: string): Promise<void> {
  if (owner === undefined) return;
  await chown(folder, owner.uid, owner.gid);
  for (const name of await readdir(folder)) await chown(join(folder, name), owner.uid, owner.gid);
}

/** Creates a self-signed certificate for this machine or for an address. */
export async function makeCertificate(folder: string, address = thisMachine.address) {
  const [path, key] = [join(folder, 'server.crt'), join(folder, 'server.key')];
  const subject = ['-subj', '/CN=localhost', '-addext', `subjectAltName=DNS:localhost,IP:${address}`];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  await run('openssl', ['req', '-x509', ...kind, ...subject, '-keyout', key, '-out', path]);
  return { path, key };
}
