import { Readable } from 'node:stream';
import { KiB } from '../units.ts';

/**
 * Gives what `source` gives, but lets go of it when destroyed: the rest of `source` then flows to nowhere, so whoever
 * reads on behind it (a form with more parts) is not held up.
 */
export function detach(source: Readable): Readable {
  const view = new Readable({
    highWaterMark: 256 * KiB,
    read() {
      source.resume();
    },
    destroy(error, done) {
      source.resume();
      done(error);
    },
  });
  // A reader that does not listen yet must not take the process down; it sees the failure when it reads.
  view.on('error', () => undefined);
  source.on('data', (chunk: Buffer) => {
    if (!view.destroyed && !view.push(chunk)) source.pause();
  });
  source.on('end', () => view.push(null));
  source.on('error', (error) => view.destroy(error));
  return view;
}
