import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Place, thisMachine } from './network.ts';
import { listenOn } from '../ports.ts';
import { readProjectFile } from '../project.ts';
import { type PostgresServer, runOn, statementsOf } from './postgres.ts';
import { temporalProgram, temporalSqlProgram } from './programs.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const run = promisify(execFile);
const role = 'temporal';
const password = 'services';
const databases = ['temporal', 'temporal_visibility'] as const;
const temporalNamespace = 'steppe';
const retention = '259200s';

interface TemporalRole {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** Variables of the database of a server. */
export interface TemporalDatabase {
  readonly env: NodeJS.ProcessEnv;
  /** Empties the database while no server runs. */
  empty(): Promise<void>;
}

interface TemporalOptions {
  readonly place?: Place;
  readonly database?: TemporalDatabase;
  /** Certificates for mutual TLS: the server requires a client certificate of its own authority. */
  readonly tls?: Certificates;
}

/** Paths of the certificate of an authority, and of the certificate and key that it issued for this machine. */
interface Certificates {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/**
 * Starts a Temporal server with a namespace, by default on SQLite.
 * @param folder an existing folder for its data
 */
export async function startTemporal(
  folder: string,
  { place = thisMachine, database, tls }: TemporalOptions = {},
) {
  const program = await temporalProgram();
  const { address, within } = place;
  const home = join(folder, 'temporal');
  await mkdir(home);
  const { env, empty } = database ?? sqliteIn(home);
  const { ports, grpc, http } = await temporalPorts();
  // Without this file, which may be empty, the server ends at once. It resolves both paths from its own
  // folder.
  const settings = join(home, 'dynamic.yaml');
  await writeFile(settings, '');
  const web = `http://${address}:${http}`;
  const start = async (): Promise<ServerProcess> =>
    await startServer({
      name: 'Temporal',
      command: [program, 'start'],
      within,
      env: {
        ...env,
        ...ports,
        BIND_ON_IP: address,
        TEMPORAL_BROADCAST_ADDRESS: address,
        DYNAMIC_CONFIG_FILE_PATH: settings,
        NUM_HISTORY_SHARDS: '4',
        ...(tls && tlsSettings(tls)),
        LOG_LEVEL: 'error',
      },
      isReady: async () => (tls === undefined ? await registerNamespace(web) : await listens(address, grpc)),
    });
  let server = await start();
  return {
    url: `temporal://${address}:${grpc}/?namespace=${temporalNamespace}`,
    server: `${address}:${grpc}`,
    /** Address of the HTTP interface. */
    web,
    get process(): ServerProcess {
      return server;
    },
    /** Restarts it on the same ports. */
    async restart(): Promise<void> {
      server = await start();
    },
    /** Deletes all its data, after a stop. */
    empty,
    [Symbol.asyncDispose]: async () => await server.stop(),
  };
}

/** PostgreSQL stores the port in a smallint. */
const highestPort = 32_767;
const lowestPort = 10_000;

/** Chooses ports for all parts of a server; returns them as variables. */
export async function temporalPorts() {
  const names = ['FRONTEND', 'HISTORY', 'MATCHING', 'WORKER'].flatMap((part) => [
    `${part}_GRPC_PORT`,
    `${part}_MEMBERSHIP_PORT`,
  ]);
  const ports: Record<string, string> = {};
  for (const name of names) ports[name] = String(await lowFreePort());
  const [grpc, http] = [await lowFreePort(), await lowFreePort()];
  return {
    ports: { ...ports, FRONTEND_GRPC_PORT: String(grpc), FRONTEND_HTTP_PORT: String(http) },
    grpc,
    http,
  };
}

async function lowFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowestPort, highestPort + 1);
    await using server = createServer();
    if (await listenOn(server, { port }).then(Boolean, () => false)) return port;
  }
}

/**
 * Creates an authority and a certificate for this machine.
 * @param folder an existing folder for the files
 */
export async function makeCertificates(folder: string): Promise<Certificates> {
  const [ca, cert, key] = [join(folder, 'ca.crt'), join(folder, 'leaf.crt'), join(folder, 'leaf.key')];
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const authority = join(folder, 'ca.key');
  await run('openssl', [
    'req',
    '-x509',
    ...newKey,
    '-days',
    '2',
    '-subj',
    '/CN=authority',
    '-keyout',
    authority,
    '-out',
    ca,
  ]);
  const leaf = [
    '-subj',
    '/CN=localhost',
    '-addext',
    'subjectAltName=DNS:localhost,IP:127.0.0.1',
    '-addext',
    'basicConstraints=CA:FALSE',
  ];
  await run('openssl', [
    'req',
    '-x509',
    ...newKey,
    '-days',
    '2',
    '-CA',
    ca,
    '-CAkey',
    authority,
    ...leaf,
    '-keyout',
    key,
    '-out',
    cert,
  ]);
  return { ca, cert, key };
}

function tlsSettings({ ca, cert, key }: Certificates): NodeJS.ProcessEnv {
  return {
    TEMPORAL_TLS_REQUIRE_CLIENT_AUTH: 'true',
    TEMPORAL_TLS_FRONTEND_CERT: cert,
    TEMPORAL_TLS_FRONTEND_KEY: key,
    TEMPORAL_TLS_SERVER_CERT: cert,
    TEMPORAL_TLS_SERVER_KEY: key,
    TEMPORAL_TLS_SERVER_CA_CERT: ca,
    TEMPORAL_TLS_CLIENT1_CA_CERT: ca,
    TEMPORAL_TLS_CLIENT2_CA_CERT: ca,
    TEMPORAL_TLS_FRONTEND_SERVER_NAME: 'localhost',
    TEMPORAL_TLS_INTERNODE_SERVER_NAME: 'localhost',
  };
}

/** Returns whether the namespace exists. A server answers over HTTP before it accepts one. */
async function registerNamespace(web: string): Promise<boolean> {
  const signal = AbortSignal.timeout(5000);
  const known = await fetch(`${web}/api/v1/namespaces/${temporalNamespace}`, { signal });
  if (known.ok) return true;
  const body = JSON.stringify({
    namespace: temporalNamespace,
    workflowExecutionRetentionPeriod: retention,
  });
  const made = await fetch(`${web}/api/v1/namespaces`, { method: 'POST', body, signal });
  return made.ok;
}

function sqliteIn(folder: string): TemporalDatabase {
  const path = (name: string): string => join(folder, `${name}.db`);
  return {
    env: { DB: 'sqlite', DBNAME: path('temporal'), VISIBILITY_DBNAME: path('visibility') },
    async empty() {
      const names = ['temporal', 'visibility'].flatMap((name) =>
        ['', '-shm', '-wal'].map((end) => path(name) + end),
      );
      for (const name of names) await rm(name, { force: true });
    },
  };
}

/** Creates the role of a Temporal server and its two databases in a PostgreSQL, with the statements of docs/operations.md. */
export async function makeTemporalRole({
  superuser,
}: Pick<PostgresServer, 'superuser'>): Promise<TemporalRole> {
  const [, , lines = ''] = readProjectFile('docs/operations.md').split('```sql\n');
  const [statements = ''] = lines.split('```');
  await runOn(superuser, ...statementsOf(statements.replace("password '…'", `password '${password}'`)));
  return { host: superuser.host, port: superuser.port, user: role, password };
}

/** Creates the databases and the tables of a Temporal server in a PostgreSQL. */
export async function temporalOn(postgres: Pick<PostgresServer, 'superuser'>): Promise<TemporalDatabase> {
  const { host, port, user } = await makeTemporalRole(postgres);
  await makeTables();
  return {
    env: {
      DB: 'postgres12',
      DBNAME: databases[0],
      VISIBILITY_DBNAME: databases[1],
      POSTGRES_SEEDS: host,
      DB_PORT: String(port),
      POSTGRES_USER: user,
      POSTGRES_PWD: password,
    },
    async empty() {
      const again = databases.flatMap((name) => [
        `drop database ${name} with (force)`,
        `create database ${name} owner ${user} encoding 'UTF8' template template0`,
      ]);
      await runOn(postgres.superuser, ...again);
      await makeTables();
    },
  };

  async function makeTables(): Promise<void> {
    const tool = await temporalSqlProgram();
    const env = {
      SQL_PLUGIN: 'postgres12',
      SQL_HOST: host,
      SQL_PORT: String(port),
      SQL_USER: user,
      SQL_PASSWORD: password,
    };
    for (const name of databases) {
      const schema = `postgresql/v12/${name.replace('temporal_', '')}`;
      await run(tool, ['--database', name, 'setup-schema', '--version', '0.0'], { env });
      await run(tool, ['--database', name, 'update-schema', '--schema-name', schema], { env });
    }
  }
}

/** Returns whether a server accepts connections. */
async function listens(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
