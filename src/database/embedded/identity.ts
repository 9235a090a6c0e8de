import { execFile } from 'node:child_process';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import { embeddedFailures } from '../../messages/service/english.ts';

const run = promisify(execFile);
const probeMilliseconds = 10_000;

/** The account for PostgreSQL, which refuses to run as root. */
export interface PostgresIdentity {
  /** Prefix of every PostgreSQL command. The process id stays that of the spawned process. */
  readonly prefix: readonly string[];
  /** Required owner of the cluster's files; undefined if that is this account. */
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
  /** Name in the log. */
  readonly description: string;
}

/** Sends PostgreSQL a fast shutdown when the service dies for any reason. */
const dieWithParent = ['setpriv', '--pdeathsig', 'INT', '--'] as const;

/** Hides the environment from PostgreSQL: no PGPORT, no locale, no time zone. */
const inCleanEnvironment = ['env', '-i', 'LC_ALL=C', 'TZ=UTC'] as const;

/** Maps root to `nobody`, an account of every system, in a user namespace: nothing is created or chowned. */
const asNobodyInNamespace = ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'] as const;

/**
 * Chooses the first identity that can run the `postgres` program and work in an existing folder.
 * @throws {Error} with a remedy if there is none.
 */
export async function choosePostgresIdentity(program: string, folder: string): Promise<PostgresIdentity> {
  const isRoot = process.getuid?.() === 0;
  for await (const identity of isRoot ? rootIdentities() : userIdentities()) {
    const candidate = { ...identity, prefix: [...identity.prefix, ...inCleanEnvironment] };
    if (await works(candidate, program, folder)) return candidate;
  }
  throw new Error(isRoot ? embeddedFailures.notAsRoot : embeddedFailures.notHere(program));
}

export function commandAs(identity: PostgresIdentity, program: string) {
  const [file, ...leadingArguments] = [...identity.prefix, program] as const;
  return { file, leadingArguments };
}

async function* rootIdentities(): AsyncIterable<PostgresIdentity> {
  yield {
    prefix: [...asNobodyInNamespace, ...dieWithParent],
    owner: { uid: 0, gid: process.getgid?.() ?? 0 },
    description: 'root in a user namespace',
  };
  for (const account of ['postgres', 'nobody']) {
    const owner = await accountIds(account);
    if (owner === undefined) continue;
    // Keeps root's right to traverse closed folders, so that DATA_DIR may be anywhere and stay closed to the account.
    const rights = '+dac_override,+dac_read_search';
    const become = [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups'];
    const keep = [`--inh-caps=${rights}`, `--ambient-caps=${rights}`];
    const [setpriv, ...death] = dieWithParent;
    yield { prefix: [setpriv, ...become, ...keep, ...death], owner, description: `account ${account}` };
  }
}

async function* userIdentities(): AsyncIterable<PostgresIdentity> {
  const us = { owner: undefined };
  const inNamespace = [...asNobodyInNamespace, ...dieWithParent];
  // initdb requires a user name for its user id.
  if (!hasAccount()) yield { ...us, prefix: inNamespace, description: 'this user in a user namespace' };
  yield { ...us, prefix: dieWithParent, description: 'this user' };
  yield { ...us, prefix: [], description: 'this user, without a parent-death signal' };
}

async function works(identity: PostgresIdentity, program: string, folder: string): Promise<boolean> {
  const script = 'test -w "$1" && cd "$1" && exec "$2" --version';
  const { file, leadingArguments } = commandAs(identity, '/bin/sh');
  const args = [...leadingArguments, '-c', script, 'sh', folder, program];
  try {
    await run(file, args, { timeout: probeMilliseconds, cwd: '/' });
    return true;
  } catch {
    return false; // a failed attempt is a valid result
  }
}

async function accountIds(name: string): Promise<PostgresIdentity['owner']> {
  try {
    const ids = await Promise.all(['-u', '-g'].map(async (flag) => (await run('id', [flag, name])).stdout));
    const [uid = 0, gid = 0] = ids.map(Number);
    return { uid, gid };
  } catch {
    return undefined; // the account does not exist
  }
}

function hasAccount(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}
