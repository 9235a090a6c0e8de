import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { Readable } from 'node:stream';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { KiB, MiB } from '../../../lib/units.ts';
import { maxAnswerBytes } from '../../protocol.ts';
import { answerDescriptor } from '../../child-program.ts';
import { EngineDied } from '../../engine.ts';

const maxStderrBytes = 8 * KiB;
/** One per second of a fortnight. */
const maxProgressWords = 1.2e6;
/** Maximum duration of a timer: nearly 25 days. */
const maxTimerMs = 2 ** 31 - 1;
/** Time for the pipes of an ended child to deliver their remaining data. */
const pipesCloseWithinMs = 1000;

/** End of a child. `died` is any end without an answer: killed from outside, out of memory, crashed, refused to start. */
export type Ending =
  | { readonly how: 'answered'; readonly answer: unknown }
  | { readonly how: 'died'; readonly reason: string }
  | { readonly how: 'overdue'; readonly by: 'deadline' | 'processor time' }
  | { readonly how: 'aborted' };

/**
 * Runs one child for one request until its answer, its death, the timeout or the abort signal, and then kills its process group; a process
 * that left the group and keeps the pipes open is not awaited. Request and answer are lines of JSON, on the child's standard input, which
 * stays open as long as the parent lives, and on `answerDescriptor`. Progress is the child's claim, and does not extend the timeout.
 */
export async function superviseChild(options: {
  readonly command: readonly [command: string, ...args: string[]];
  /** The complete environment: a child inherits nothing. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly request: object;
  /** Further fields of the request, for which the child waits; their failure ends it as if it were aborted. */
  readonly rest?: Promise<object> | undefined;
  /** Counted from the moment at which the request is sent. */
  readonly deadlineSeconds: number;
  /** Niceness of the child's session, in addition to that of its command; 0 by default. */
  readonly niceness?: number | undefined;
  readonly signal: AbortSignal;
  /** Called with the share of the work that the child reports as done. */
  readonly onProgress?: ((share: number) => void) | undefined;
}): Promise<Ending> {
  const { env, cwd, request, rest, signal, deadlineSeconds, niceness = 0 } = options;
  if (signal.aborted) return { how: 'aborted' };
  const [command, ...args] = options.command;
  const child = spawn(command, args, { env, cwd, detached: true, stdio: ['pipe', 'ignore', 'pipe', 'pipe'] });
  if (niceness > 0 && child.pid !== undefined) void setSessionNiceness(child.pid, niceness);
  const { promise, resolve } = Promise.withResolvers<Ending>();
  let ending: Ending | undefined;
  const end = (how: Ending) => {
    ending ??= how;
    killGroup(child);
    closePipes(child);
  };
  const abort = () => end({ how: 'aborted' });
  signal.addEventListener('abort', abort, { once: true });
  const expire = () => end({ how: 'overdue', by: 'deadline' });
  let timer: NodeJS.Timeout | undefined;

  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(0, maxStderrBytes);
  });
  hearAnswer(child, { end, onProgress: options.onProgress });
  child.on('error', (error) => {
    end({ how: 'died', reason: error.message });
    if (child.pid === undefined) resolve({ how: 'died', reason: error.message });
  });
  let pipesTimer: NodeJS.Timeout | undefined;
  child.on('exit', () => {
    pipesTimer = setTimeout(() => closePipes(child), pipesCloseWithinMs);
  });
  child.on('close', (code, killedBy) => {
    // Includes processes that the child has started.
    killGroup(child);
    const cause = signalOf(code, killedBy) ?? `exit ${code}`;
    const died: Ending = { how: 'died', reason: `${cause}: ${stderr.trim()}` };
    resolve(ending ?? (cause === 'SIGXCPU' ? { how: 'overdue', by: 'processor time' } : died));
  });
  // A child that dies before it reads the request is noticed by its end, not here.
  child.stdin?.on('error', () => undefined);
  const send = (whole: object): void => {
    if (ending !== undefined) return;
    timer = setTimeout(expire, Math.min(deadlineSeconds * 1000, maxTimerMs));
    child.stdin?.write(`${JSON.stringify(whole)}\n`);
  };
  if (rest === undefined) send(request);
  else rest.then((fields) => send({ ...request, ...fields }), abort);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    clearTimeout(pipesTimer);
    signal.removeEventListener('abort', abort);
  }
}

interface Listening {
  readonly end: (ending: Ending) => void;
  readonly onProgress: ((share: number) => void) | undefined;
}

/**
 * Passes progress on, and takes the first other line as the answer, ignoring everything after it; stops reading if a child sends too much.
 */
function hearAnswer(child: ChildProcess, { end, onProgress }: Listening): void {
  const pipe = child.stdio[answerDescriptor];
  if (!(pipe instanceof Readable)) return;
  let chunks: Buffer[] = [];
  let bytes = 0;
  let words = 0;
  const refuse = (reason: string): void => {
    pipe.destroy();
    end({ how: 'died', reason });
  };
  pipe.on('error', () => undefined);
  pipe.on('data', (chunk: Buffer) => {
    for (let from = 0; from < chunk.length;) {
      const lineEnd = chunk.indexOf('\n', from);
      const part = chunk.subarray(from, lineEnd < 0 ? chunk.length : lineEnd);
      bytes += part.length;
      if (bytes > maxAnswerBytes) return refuse(`its answer is longer than ${maxAnswerBytes / MiB} MiB`);
      chunks.push(part);
      if (lineEnd < 0) return;
      const share = shareIn(chunks);
      if (share === undefined) {
        pipe.destroy();
        return end(readAnswer(Buffer.concat(chunks).toString()));
      }
      words += 1;
      if (words > maxProgressWords) return refuse('it tells its progress without an end');
      onProgress?.(share);
      chunks = [];
      from = lineEnd + 1;
    }
  });
}

const maxShareBytes = 5;

/** Parses a progress line; undefined for any other line. */
function shareIn(chunks: readonly Buffer[]): number | undefined {
  if (chunks.reduce((sum, { length }) => sum + length, 0) > maxShareBytes) return undefined;
  const line = Buffer.concat(chunks).toString();
  return /^(?:0|1|[01]\.\d{1,3})$/.test(line) ? Math.min(1, Number(line)) : undefined;
}

function readAnswer(line: string): Ending {
  try {
    return { how: 'answered', answer: JSON.parse(line) };
  } catch {
    return { how: 'died', reason: 'its answer is no JSON' };
  }
}

/** Returns the signal that ended a child; isolation tools exit with 128 plus its number. */
function signalOf(code: number | null, killedBy: NodeJS.Signals | null): string | undefined {
  if (killedBy !== null) return killedBy;
  return Object.entries(constants.signals).find(([, number]) => number + 128 === code)?.[0];
}

function closePipes(child: ChildProcess): void {
  for (const pipe of child.stdio) pipe?.destroy();
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // ESRCH: the group has ended already.
  }
}

/**
 * Returns the real path of a result that a child names: a regular file inside its own folder. A hijacked child could
 * name any file of the machine, or leave a link to one, and have it served.
 * @param folder the child's writable folder, after the child has ended.
 * @throws {EngineDied} for any other path.
 */
export async function ownResult(folder: string, path: string): Promise<string> {
  const real = await realpath(resolve(folder, path)).catch(() => undefined);
  const inside = real === undefined ? '..' : relative(await realpath(folder), real);
  const isInside = inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`);
  if (real === undefined || !isInside || !(await lstat(real)).isFile()) {
    throw new EngineDied('the geo engine names a result that is no file of its own folder');
  }
  return real;
}

/** Returns whether a file in these folders has reached the size limit, at which the kernel stops writing. */
export async function exceedsFileLimit(folders: readonly string[], fileBytes: number): Promise<boolean> {
  for (const folder of folders) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && (await stat(path)).size >= fileBytes) return true;
    }
  }
  return false;
}

/** For accounts other than root, the kernel accepts ten such writes per second in total. */
const tries = 20;
const pauseMs = 110;

/**
 * Lets all processes of a session yield to those of others if processors are short. Linux schedules sessions first
 * (autogroups), and each child leads one, so that its own niceness has no effect outside. A kernel without autogroups,
 * or with control groups instead, uses the niceness of processes, or the weights of groups.
 * @param leaderPid leader of the session, which may have ended.
 */
export async function setSessionNiceness(leaderPid: number, niceness: number): Promise<void> {
  for (let left = tries; left > 0; left -= 1) {
    try {
      // Immediately, before the leader becomes a program whose files only root may write to.
      writeFileSync(`/proc/${leaderPid}/autogroup`, String(niceness), { flag: 'r+' });
      return;
    } catch (error) {
      const isTooSoon = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
      if (!isTooSoon) return; // unsupported, or ended
    }
    await delay(pauseMs, undefined, { ref: false });
  }
}
