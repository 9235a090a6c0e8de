import { readFile } from 'node:fs/promises';
import { descendantsOf, failedWith } from '../test/support/processes.ts';

/** Ticks per second of processor time in Linux, the same on every machine. */
const ticksPerSecond = 100;

/** Returns the processor time, in user and system mode, of a process and its descendants, including ended ones, in seconds. */
export async function processorSeconds(pid: number): Promise<number> {
  const pids = [pid, ...(await descendantsOf(pid)).map((facts) => facts.pid)];
  const ticks = await Promise.all(pids.map(ticksOf));
  return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond;
}

/** Runs work and returns the processor time that a server used for it, in seconds. */
export async function processorSecondsFor(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = await processorSeconds(pid);
  await work();
  return (await processorSeconds(pid)) - before;
}

async function ticksOf(pid: number): Promise<number> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    // After the name of the program: state is field 3; user and system time are 14 and 15, those of ended children 16 and 17.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  } catch (error) {
    if (failedWith(error, 'ENOENT', 'ESRCH')) return 0;
    throw error;
  }
}
