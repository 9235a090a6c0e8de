import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { failedWith } from '../test/support/processes.ts';

/** Ticks per second of processor time in Linux, the same on every machine. */
const ticksPerSecond = 100;

/** Returns the processor time, in user and system mode, of a process and its descendants, including ended ones, in seconds. */
export async function processorSeconds(pid: number): Promise<number> {
  const pids = await treeOf(pid);
  const ticks = await Promise.all(pids.map(async (each) => await ticksOf(each, withChildren)));
  return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond;
}

/** Runs work and returns the processor time that a server and its descendants used for it, in seconds. */
export async function processorSecondsFor(pid: number, work: () => Promise<unknown>): Promise<number> {
  return await secondsWhile(work, async () => await treeOf(pid));
}

/** Runs work and returns the processor time of the processes that it starts, in seconds, without this one. */
export async function processorSecondsOfChildren(work: () => Promise<unknown>): Promise<number> {
  return await secondsWhile(work, async () => (await treeOf(process.pid)).slice(1));
}

/** Milliseconds between two looks at processes that end soon. */
const lookMs = 25;

/**
 * Sums the own time of each process during the work. The processes are looked at again and again: the time of a child that is killed in
 * its sandbox is not added to that of its parent, so that a difference of sums over the tree can be negative.
 */
async function secondsWhile(
  work: () => Promise<unknown>,
  pidsNow: () => Promise<readonly number[]>,
): Promise<number> {
  const latest = new Map<number, number>();
  const look = async () => {
    for (const pid of await pidsNow())
      latest.set(pid, Math.max(latest.get(pid) ?? 0, await ticksOf(pid, ownTime)));
  };
  await look();
  const before = new Map(latest);
  const ended = new AbortController();
  const looking = (async () => {
    while (!ended.signal.aborted) {
      await sleep(lookMs);
      await look();
    }
  })();
  await work().finally(() => ended.abort());
  await looking;
  let ticks = 0;
  for (const [pid, after] of latest) ticks += after - (before.get(pid) ?? 0);
  return ticks / ticksPerSecond;
}

/** Lists a process and its descendants, by few files of each: looking must not take the processors from what is measured. */
async function treeOf(pid: number): Promise<number[]> {
  const found = [pid];
  for (const each of found) {
    const threads = await unlessEnded(readdir(`/proc/${each}/task`));
    const children = await Promise.all(
      (threads ?? []).map(async (thread) =>
        unlessEnded(readFile(`/proc/${each}/task/${thread}/children`, 'utf8')),
      ),
    );
    found.push(...children.flatMap((text) => text?.match(/\d+/g) ?? []).map(Number));
  }
  return found;
}

async function unlessEnded<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (failedWith(error, 'ENOENT', 'ESRCH')) return undefined;
    throw error;
  }
}

/** Fields of a process after its name and state: user and system time are 14 and 15, those of ended children 16 and 17. */
const [ownTime, withChildren] = [
  [11, 13],
  [11, 15],
] as const;

async function ticksOf(pid: number, [from, to]: readonly [number, number]): Promise<number> {
  const text = await unlessEnded(readFile(`/proc/${pid}/stat`, 'utf8'));
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? [];
  return fields.slice(from, to).reduce((sum, field) => sum + Number(field), 0);
}
