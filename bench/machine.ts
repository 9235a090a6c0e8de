import { cpus, totalmem } from 'node:os';
import { GiB } from '../src/lib/units.ts';

/** Returns the date and the machine of a measurement, for the head of tables. */
export function measuredHere(): string {
  const [cpu] = cpus();
  const day = new Date().toISOString().slice(0, 10);
  return `Measured on ${day} with ${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / GiB)} GiB`;
}
