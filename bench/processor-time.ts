import { readFile } from 'node:fs/promises';
import { descendantsOf, failedWith } from '../test/support/processes.ts';

/** Linux counts processor time in this many ticks a second, whatever the machine. */
const ticksPerSecond = 100;

/** Seconds of processor time, of user and system, that a process and all below it have taken so far, with those that have ended. */
export async function processorSeconds(pid: number): Promise<number> {
  const pids = [pid, ...(await descendantsOf(pid)).map((facts) => facts.pid)];
  const ticks = await Promise.all(pids.map(ticksOf));
  return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond;
}

/** Does work and gives the processor seconds that a server has taken for it. */
export async function processorSecondsFor(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = await processorSeconds(pid);
  await work();
  return (await processorSeconds(pid)) - before;
}

async function ticksOf(pid: number): Promise<number> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    // Behind the name of the program: state is field 3; user and system time 14 and 15, those of its ended children 16 and 17.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  } catch (error) {
    if (failedWith(error, 'ENOENT', 'ESRCH')) return 0;
    throw error;
  }
}
