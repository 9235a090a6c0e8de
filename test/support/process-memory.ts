import { readFile } from 'node:fs/promises';
import { KiB } from '../../src/lib/units.ts';

/** Reads the resident memory of a process from Linux's /proc, in bytes: now, and at its highest. */
export async function memoryOf(pid: number): Promise<{ readonly resident: number; readonly peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * KiB;
  return { resident: bytes('VmRSS'), peak: bytes('VmHWM') };
}
