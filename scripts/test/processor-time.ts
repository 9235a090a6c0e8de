/**
 * Loaded into each process of test files: notes at its end the processor time that it and what it has started have taken, which
 * other programs on the machine hardly change. What a test has left open does not keep the process for ever.
 */
import { after } from 'node:test';
import { isMainThread } from 'node:worker_threads';
import { noteProcessorTime } from './note.ts';

const endsWithinMs = 180_000;

if (isMainThread) {
  process.once('exit', () => noteProcessorTime(process.argv[1] ?? ''));
  after(() => {
    setTimeout(() => {
      console.error(`still open after the last test: ${process.getActiveResourcesInfo().join(', ')}`);
      process.exit(1);
    }, endsWithinMs).unref();
  });
}
