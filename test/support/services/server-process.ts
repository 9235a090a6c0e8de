import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { endsWithin } from '../../../src/common/with-timeout.ts';

const startSeconds = 30;
const stopMilliseconds = 5000;
const keptOutput = 4000;

interface ServerCommand {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly env?: NodeJS.ProcessEnv;
  /** Says whether the server answers; a rejection counts as no. */
  isReady(): Promise<unknown>;
}

export type ServerProcess = Awaited<ReturnType<typeof startServer>>;

/**
 * Starts a server, which ends with this process, and waits until it answers.
 * @throws {Error} with the end of its output when it ends before, or stays silent for half a minute.
 */
export async function startServer({ name, command, env = {}, isReady }: ServerCommand) {
  // As its own words: a server that is killed with its parent leaves nothing behind.
  const [file = '', ...args] = process.platform === 'linux' ? dieWithParent(command) : command;
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
    child.kill('SIGCONT'); // one that was frozen hears nothing else
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
    /** SIGSTOP freezes it, as a network that swallows everything would. */
    signal: (signal: NodeJS.Signals) => void child.kill(signal),
    stop,
    [Symbol.asyncDispose]: async () => await stop(),
  };
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
