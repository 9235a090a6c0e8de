import { readFile } from 'node:fs/promises';
import { KiB, MiB } from '../src/lib/units.ts';

/** Reads the current and the maximum resident memory of a process from /proc (Linux). */
export async function memoryOf(pid: number): Promise<{ residentMiB: number; peakMiB: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kibibytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]);
  return {
    residentMiB: round((kibibytes('VmRSS') * KiB) / MiB),
    peakMiB: round((kibibytes('VmHWM') * KiB) / MiB),
  };
}

/** Rounds to one decimal, as figures are printed. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
