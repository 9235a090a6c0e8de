import { appendFileSync, readFileSync } from 'node:fs';
import { processorSecondsOf, timesVariable } from './times.ts';

const path = process.env[timesVariable];
let noted = 0;

/** Records under a name the processor time of this process, and of its ended children, since the previous record. */
export function noteProcessorTime(name: string): void {
  if (path === undefined) return;
  const seconds = processorSecondsOf(readFileSync('/proc/self/stat', 'utf8'));
  appendFileSync(path, `${JSON.stringify([name, seconds - noted])}\n`);
  noted = seconds;
}
