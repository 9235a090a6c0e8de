import { appendFileSync, readFileSync } from 'node:fs';
import { processorSecondsOf, timesVariable } from './times.ts';

const path = process.env[timesVariable];
let noted = 0;

/** Notes under a name the processor time that this process, and what it has waited for, have taken since the note before. */
export function noteProcessorTime(name: string): void {
  if (path === undefined) return;
  const seconds = processorSecondsOf(readFileSync('/proc/self/stat', 'utf8'));
  appendFileSync(path, `${JSON.stringify([name, seconds - noted])}\n`);
  noted = seconds;
}
