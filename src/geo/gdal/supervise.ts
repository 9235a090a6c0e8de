import { spawn, type ChildProcess } from 'node:child_process';
import { KiB } from '../../units.ts';
import { Answer } from './messages.ts';

const maxStderrBytes = 8 * KiB;
/** What a timer can count; nearly 25 days. */
const maxTimerMs = 2 ** 31 - 1;

/** How a child ended. `died` is any end without an answer: killed from outside, out of memory, crashed, refused to start. */
export type Ending =
  | { readonly how: 'answered'; readonly answer: Answer }
  | { readonly how: 'died'; readonly reason: string }
  | { readonly how: 'overdue' }
  | { readonly how: 'aborted' };

/**
 * Runs one child for one request, in a process group of its own, and returns when the child is gone: after its answer,
 * its death, the deadline or the abort signal. The whole group is killed in every case.
 */
export async function superviseChild(options: {
  readonly command: readonly [command: string, ...args: string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly request: object;
  readonly deadlineSeconds: number;
  readonly signal: AbortSignal;
}): Promise<Ending> {
  if (options.signal.aborted) return { how: 'aborted' };
  const [command, ...args] = options.command;
  const child = spawn(command, args, {
    env: options.env,
    cwd: options.cwd,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const { promise, resolve } = Promise.withResolvers<Ending>();
  let ending: Ending | undefined;
  const end = (how: Ending) => {
    ending ??= how;
    killGroup(child);
  };
  const abort = () => end({ how: 'aborted' });
  options.signal.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(
    () => end({ how: 'overdue' }),
    Math.min(options.deadlineSeconds * 1000, maxTimerMs),
  );

  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(0, maxStderrBytes);
  });
  child.on('message', (message) => {
    const answer = Answer.safeParse(message);
    end(
      answer.success
        ? { how: 'answered', answer: answer.data }
        : { how: 'died', reason: 'the child answered nonsense' },
    );
  });
  child.on('error', (error) => {
    end({ how: 'died', reason: error.message });
    if (child.pid === undefined) resolve({ how: 'died', reason: error.message });
  });
  child.on('close', (code, killedBy) => {
    // Whatever the child may have started goes with it.
    killGroup(child);
    resolve(ending ?? { how: 'died', reason: `exit ${code ?? killedBy}: ${stderr.trim()}` });
  });
  // A child that is gone before it reads the request is seen by its end, not here.
  child.send(options.request, () => undefined);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', abort);
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // ESRCH: the group is gone already.
  }
}
