/**
 * Loaded into each process of test files: notes at its end the processor time that it and what it has started have taken, which
 * other programs on the machine hardly change.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { processorSecondsOf, timesVariable } from './times.ts';

const path = process.env[timesVariable];
if (isMainThread && path !== undefined)
  process.once('exit', () => {
    const seconds = processorSecondsOf(readFileSync('/proc/self/stat', 'utf8'));
    appendFileSync(path, `${JSON.stringify([process.argv[1], seconds])}\n`);
  });
