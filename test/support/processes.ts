import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { KiB } from '../../src/lib/units.ts';

/** Facts about a running process; Linux only. */
export interface ProcessFacts {
  readonly pid: number;
  readonly parentPid: number;
  /** Letter from /proc/PID/stat: R is running, S sleeping, T stopped. */
  readonly state: string;
  readonly commandLine: string;
}

/** All processes that this user can see, except zombies. */
export async function listProcesses(): Promise<ProcessFacts[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const facts = await Promise.all(pids.map(readFacts));
  return facts.filter((fact) => fact !== undefined);
}

/** All descendants of `pid`. */
export async function descendantsOf(pid: number): Promise<ProcessFacts[]> {
  return descendantsAmong(await listProcesses(), pid);
}

/** Descendants of `pid` among the processes. */
export function descendantsAmong(all: readonly ProcessFacts[], pid: number): ProcessFacts[] {
  const found: ProcessFacts[] = [];
  let parents = [pid];
  while (parents.length > 0) {
    const children = all.filter((fact) => parents.includes(fact.parentPid));
    found.push(...children);
    parents = children.map((child) => child.pid);
  }
  return found;
}

/** Returns whether the process runs; a zombie does not. */
export async function isRunning(pid: number): Promise<boolean> {
  return (await readFacts(pid)) !== undefined;
}

/** Returns whether the process is stopped, as by SIGSTOP; a process that has ended counts as stopped. */
export async function isFrozen(pid: number): Promise<boolean> {
  const facts = await readFacts(pid);
  return facts === undefined || facts.state === 'T';
}

/**
 * Repeats `claim` until it returns something other than false or undefined.
 * @throws after `seconds`, a limit for what hangs: a machine with ten times its work to do still passes
 */
export async function eventually<T>(
  what: string,
  claim: () => Promise<T | false | undefined>,
  seconds = 240,
): Promise<T> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const answer = await claim();
    if (answer !== false && answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`not within ${seconds} s: ${what}`);
    await sleep(50);
  }
}

/** Returns whether a failure of the operating system has one of these error codes. */
export function failedWith(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => code === error.code);
}

async function readFacts(pid: number): Promise<ProcessFacts | undefined> {
  try {
    const [stat, commandLine] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ]);
    const [state = '', parentPid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return undefined;
    return {
      pid,
      parentPid: Number(parentPid),
      state,
      commandLine: commandLine.replaceAll('\0', ' ').trim(),
    };
  } catch (error) {
    if (failedWith(error, 'ENOENT', 'ESRCH')) return undefined;
    throw error;
  }
}

/** Kills processes; those that have already ended do not count. @returns how many were killed */
export function killAll(pids: readonly number[]): number {
  let killed = 0;
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
      killed += 1;
    } catch (error) {
      if (!failedWith(error, 'ESRCH')) throw error;
    }
  }
  return killed;
}

/** Reads the current and the peak resident memory of a process from /proc, in bytes. */
export async function memoryOf(pid: number): Promise<{ readonly resident: number; readonly peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * KiB;
  return { resident: bytes('VmRSS'), peak: bytes('VmHWM') };
}
