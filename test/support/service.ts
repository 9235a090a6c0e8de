import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compiledModules } from '../../src/lib/compiled-modules.ts';
import { makeMemoryFolder } from './memory-folder.ts';
import { projectRoot } from './project.ts';
import { descendantsOf, eventually, failedWith, isRunning } from './processes.ts';

const run = promisify(execFile);
/** Generous for a busy machine; a service that cannot start ends by itself. */
const startSeconds = 300;
/** The promise: longest time between a signal and the end of all processes of the service. */
export const stopSeconds = 10;

/** Variable in which `scripts/test.ts` passes a DATA_DIR in which a service has started and stopped. */
export const preparedVariable = 'STEPPE_TEST_DATA_DIR';

/** Value of NODE_OPTIONS that prints the OpenTelemetry modules that a program loads. */
export const tellModules = `--import=${new URL('tell-modules.ts', import.meta.url).href}`;

export interface ServiceOptions {
  /** By default a DATA_DIR from `openDataDir`, which `dispose` removes. */
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Command to run instead of `node src/main.ts serve`; it must become this process or its parent. */
  readonly command?: readonly [string, ...string[]];
  /** Working folder of the command; by default the folder of the project. */
  readonly cwd?: string;
  /** Creates a process group, so that `killGroup` kills the service and no other process. */
  readonly detached?: boolean;
}

export type Service = Awaited<ReturnType<typeof startService>>;

/**
 * Creates a temporary DATA_DIR in which a service has started before: its PostgreSQL exists, is migrated and
 * seeded, and does not use fsync. Outside of a test run it is empty.
 */
export async function openDataDir(): Promise<string> {
  const prepared = process.env[preparedVariable];
  if (prepared === undefined) return await mkdtemp(join(tmpdir(), 'steppe-test-'));
  const dataDir = await makeMemoryFolder('steppe-test-');
  await run('cp', ['-a', '--reflink=auto', `${prepared}/.`, dataDir]);
  return dataDir;
}

/**
 * Starts the real service on a free port and waits until it is ready.
 * @throws with its output when it ends before
 */
export async function startService(options: ServiceOptions = {}) {
  const ownDataDir = options.dataDir === undefined;
  const dataDir = options.dataDir ?? (await openDataDir());
  const launched = launchService({ ...options, dataDir });
  const { child } = launched;
  const ready = async () => {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error('it ended before it was ready');
    }
    return /https?:\/\/\S+:\d+/.exec(launched.stdout())?.[0];
  };
  const discardDataDir = async () => {
    if (ownDataDir) await rm(dataDir, { recursive: true, force: true });
  };
  const baseUrl = await eventually('ready line', ready, startSeconds).catch(async (cause: unknown) => {
    child.kill('SIGKILL');
    await launched.exited();
    await discardDataDir();
    throw new Error(`the service did not become ready:\n${launched.output()}`, { cause });
  });
  const pid = pidOf(child);
  const tree = async () => [pid, ...(await descendantsOf(pid)).map((fact) => fact.pid)];
  const end = async (name: NodeJS.Signals) => {
    const pids = await tree();
    child.kill(name);
    const code = await launched.exited();
    await allGone(pids);
    return code;
  };
  return {
    /** Such as `http://127.0.0.1:41234`. */
    baseUrl,
    /** Process id of the service, or of the given command. */
    pid,
    dataDir,
    /** Everything that it has written to stdout and stderr so far. */
    output: launched.output,
    async workerPid() {
      return await eventually('a worker process', async () => {
        const facts = await descendantsOf(pid);
        return facts.find((fact) => /main\.ts worker/.test(fact.commandLine))?.pid;
      });
    },
    postgresPid: async () => await eventually('a postmaster', async () => await postmasterPid(dataDir)),
    signal: (name: NodeJS.Signals) => void child.kill(name),
    signalGroup: (name: NodeJS.Signals) => void process.kill(-pid, name),
    exited: launched.exited,
    /** Sends SIGTERM and waits until every process of the service has ended; returns the exit code. */
    stop: async () => await end('SIGTERM'),
    /** Sends SIGKILL and waits until every process of the service has ended. */
    kill9: async () => void (await end('SIGKILL')),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await end('SIGTERM');
      await discardDataDir();
    },
  };
}

/** Starts the service without waiting, for starts that fail or are interrupted. */
export function launchService(options: ServiceOptions & { readonly dataDir: string }) {
  const [file, ...args] = options.command ?? [process.execPath, join(projectRoot, 'src/main.ts'), 'serve'];
  const child = spawn(file, args, {
    cwd: options.cwd ?? projectRoot,
    // The environment is not inherited: the service must set everything else itself.
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: compiledModules, // like ./steppe
      HTTP_PORT: '0',
      DATA_DIR: options.dataDir,
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: options.detached ?? false,
  });
  let stdout = '';
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const exit = once(child, 'exit');
  return {
    child,
    stdout: () => stdout,
    output: () => output,
    /** Exit code, or name of the signal that ended the service. */
    async exited(): Promise<number | string> {
      await exit;
      return child.exitCode ?? child.signalCode ?? 'unknown';
    },
  };
}

/** Runs a command and waits for its end. */
export async function runToEnd(options: Parameters<typeof launchService>[0]) {
  const { child, exited, stdout, output } = launchService(options);
  const closed = once(child, 'close'); // the last output may arrive after the end
  const code = await exited();
  await closed;
  return { code, stdout: stdout(), output: output() };
}

/** Runs a command of Steppe, such as `['fsck']`, and waits for its end. */
export async function runSteppe(
  args: readonly string[],
  options: Omit<Parameters<typeof launchService>[0], 'command'>,
) {
  return await runToEnd({ ...options, command: [process.execPath, 'src/main.ts', ...args] });
}

/** Runs `npm run demo` or `npm run survey`, and waits for its end. */
export async function runTool(
  args: readonly ['demo' | 'survey', ...string[]],
  options: Omit<Parameters<typeof launchService>[0], 'command'>,
) {
  return await runToEnd({ ...options, command: [process.execPath, 'tools/main.ts', ...args] });
}

/** Verifies every object with the digests of the ledger, and asserts that there is no damage; returns the output. */
export async function assertNoDamage(dataDir: string, env: ServiceOptions['env'] = {}): Promise<string> {
  const { code, output } = await runSteppe(['fsck', '--digests'], { dataDir, env });
  assert.equal(code, 0, output);
  assert.match(output, /no damage/);
  return output;
}

/** Waits until none of the processes runs. */
export async function allGone(pids: readonly number[]): Promise<void> {
  await eventually(
    `end of processes ${pids.join(', ')}`,
    async () => (await Promise.all(pids.map(isRunning))).every((running) => !running),
    stopSeconds,
  );
}

/** Process id of the PostgreSQL of this DATA_DIR, if it runs. */
export async function postmasterPid(dataDir: string): Promise<number | undefined> {
  try {
    const text = await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8');
    const pid = Number.parseInt(text, 10);
    return (await isRunning(pid)) ? pid : undefined;
  } catch (error) {
    if (failedWith(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('the process did not start');
  return child.pid;
}
