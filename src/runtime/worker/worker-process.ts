import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Logger } from 'pino';
import { endsWithin } from '../../lib/concurrency/with-timeout.ts';
import { aborted, pause } from '../../lib/concurrency/promises.ts';

const run = promisify(execFile);
const mainPath = fileURLToPath(new URL('../../main.ts', import.meta.url));
const restartDelaysMilliseconds = [100, 500, 1000, 2000, 5000] as const;
/** The time after which a death no longer counts as a repeated one. */
const stableMilliseconds = 60_000;
const stopMilliseconds = 4500;
const answerMilliseconds = 1000;

/** A running worker process. */
export interface WorkerProcess {
  /** Sends a question to the worker and returns its answer; undefined without an answer within a second. */
  ask(question: string): Promise<unknown>;
  /** Lets the worker hand back its jobs and exit, within `stopMilliseconds`. */
  close(): Promise<void>;
}

interface WorkerProcessOptions {
  /** Configuration that is sent to it privately, in addition to the environment. */
  readonly message: object;
  readonly log: Logger;
  /** Called after its death and before its restart; a failure is logged and has no other effect. */
  afterDeath(): Promise<void>;
}

/** The current worker. */
interface Current {
  child: ChildProcess | undefined;
}

/** Runs the worker as a child process. It is restarted whenever it dies, and ends with this process, even if this process is killed. */
export async function startWorkerProcess(options: WorkerProcessOptions): Promise<WorkerProcess> {
  const closing = new AbortController();
  const prefix = await killWithParent();
  const current: Current = { child: undefined };
  const supervision = supervise(prefix, options, closing.signal, current);
  return {
    async ask(question: string): Promise<unknown> {
      const { child } = current;
      if (child?.connected !== true) return undefined;
      const answered = once(child, 'message', { signal: AbortSignal.timeout(answerMilliseconds) });
      child.send(question, () => undefined);
      return await answered.then(
        ([answer]: unknown[]) => answer,
        () => undefined,
      );
    },
    async close(): Promise<void> {
      closing.abort();
      await supervision;
    },
  };
}

async function supervise(
  prefix: readonly string[],
  { message, log, afterDeath }: WorkerProcessOptions,
  closing: AbortSignal,
  current: Current,
): Promise<void> {
  const closed = aborted(closing);
  let deaths = 0;
  while (!closing.aborted) {
    const startedAt = performance.now();
    const how = await runOnce(prefix, message, closed, current);
    if (closing.aborted) return;
    if (performance.now() - startedAt > stableMilliseconds) deaths = 0;
    const delay = restartDelaysMilliseconds[Math.min(deaths, restartDelaysMilliseconds.length - 1)];
    deaths += 1;
    log.error({ how, delayMilliseconds: delay }, 'the worker ended; it is started again');
    await afterDeath().catch((err: unknown) => {
      log.warn({ err }, 'the leases of the worker run out by themselves');
    });
    await pause(delay ?? 0, closing); // closing ends the loop itself
  }
}

async function runOnce(prefix: readonly string[], message: object, closed: Promise<void>, current: Current) {
  const [file, ...args] = [...prefix, process.execPath, mainPath, 'worker-of-service'] as const;
  const child: ChildProcess = spawn(file, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const exited = new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  current.child = child;
  child.send(message, () => undefined); // a child process that cannot be messaged ends, which `exited` reports
  const isClosing = await Promise.race([exited.then(() => false), closed.then(() => true)]);
  if (isClosing) {
    child.kill('SIGTERM');
    if (!(await endsWithin(stopMilliseconds, exited))) child.kill('SIGKILL');
  }
  return await exited;
}

/** Makes the kernel kill the worker with this process, if possible; elsewhere the worker detects the closed channel. */
async function killWithParent(): Promise<readonly string[]> {
  const prefix = ['setpriv', '--pdeathsig', 'KILL', '--'] as const;
  try {
    const [file, ...args] = [...prefix, 'true'] as const;
    await run(file, args);
    return prefix;
  } catch {
    return []; // not Linux
  }
}
