import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { endsWithin } from '../../../src/lib/concurrency/with-timeout.ts';
import { descendantsOf, eventually, failedWith, isFrozen } from '../processes.ts';

const startSeconds = 30;
const stopMilliseconds = 5000;
const keptOutput = 4000;

interface ServerCommand {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** Prefix that runs the command in another network. */
  readonly within?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Resolves once the server answers; a rejection counts as not ready. */
  isReady(): Promise<unknown>;
}

export type ServerProcess = Awaited<ReturnType<typeof startServer>>;

/**
 * Starts a server, which ends with this process, and waits until it answers.
 * @throws {Error} with its last output when it ends before, or does not answer for half a minute
 */
export async function startServer({ name, command, within = [], env = {}, isReady }: ServerCommand) {
  // Covers the prefix as well, so that a killed test leaves no process behind.
  const placed = [...within, ...command];
  const [file = '', ...args] = process.platform === 'linux' ? dieWithParent(placed) : placed;
  const child = spawn(file, args, {
    env: { PATH: process.env['PATH'], LC_ALL: 'C', ...env },
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-keptOutput)));
  }
  const exited = once(child, 'exit');
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    if (hasEnded()) return;
    child.kill('SIGCONT'); // a frozen process receives nothing else
    child.kill(signal);
    if (!(await endsWithin(stopMilliseconds, exited))) child.kill('SIGKILL');
    await exited;
  };
  const deadline = performance.now() + startSeconds * 1000;
  while (!(await isReady().then(isNotFalse, isNever))) {
    if (hasEnded() || performance.now() > deadline) {
      await stop('SIGKILL');
      throw new Error(`${name} does not start:\n${output}`);
    }
    await delay(50);
  }
  return {
    name,
    pid: child.pid,
    /** Stops all its processes, which has the effect of a network that drops everything, and waits until they have stopped. */
    freeze: async () => await freezeProcess(child.pid),
    /** Continues all its processes. */
    thaw: async () => await thawProcess(child.pid),
    stop,
    [Symbol.asyncDispose]: async () => await stop(),
  };
}

/** Stops a process and all its descendants, and waits until they have stopped. */
export async function freezeProcess(pid: number | undefined): Promise<void> {
  const pids = await signalAll(pid, 'SIGSTOP');
  const areFrozen = async () => (await Promise.all(pids.map(isFrozen))).every(Boolean);
  await eventually(`process ${pid} is frozen`, areFrozen);
}

/** Continues a process and all its descendants. */
export async function thawProcess(pid: number | undefined): Promise<void> {
  await signalAll(pid, 'SIGCONT');
}

/** Signals a process and then its descendants; PostgreSQL has one for each connection. */
async function signalAll(pid: number | undefined, signal: NodeJS.Signals): Promise<readonly number[]> {
  if (pid === undefined) return [];
  const pids = [pid];
  process.kill(pid, signal);
  for (const descendant of await descendantsOf(pid)) {
    try {
      process.kill(descendant.pid, signal);
      pids.push(descendant.pid);
    } catch (error) {
      if (!failedWith(error, 'ESRCH')) throw error; // it has already ended
    }
  }
  return pids;
}

function dieWithParent(command: readonly string[]): readonly string[] {
  return ['setpriv', '--pdeathsig', 'INT', '--', ...command];
}

function isNotFalse(answer: unknown): boolean {
  return answer !== false;
}

function isNever(): boolean {
  return false;
}
