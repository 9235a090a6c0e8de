/**
 * Loaded into each process of test files: at its end, records the processor time of the process and its children, which is hardly
 * affected by other programs. Resources that a test has left open do not keep the process alive.
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
