import { readFile } from 'node:fs/promises';
import { KiB, MiB } from '../src/lib/units.ts';

/** Reads the resident memory of a process from Linux's /proc: now, and at its highest. */
export async function memoryOf(pid: number): Promise<{ residentMiB: number; peakMiB: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kibibytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]);
  return {
    residentMiB: round((kibibytes('VmRSS') * KiB) / MiB),
    peakMiB: round((kibibytes('VmHWM') * KiB) / MiB),
  };
}

/** To one decimal place, as figures are printed. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
