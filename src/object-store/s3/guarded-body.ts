import { Readable } from 'node:stream';
import { noAnswer } from './calls.ts';

/**
 * Passes on a body that the store sends. It breaks when the store stays silent for `idleMs` while the reader wants more; a reader
 * that takes its time breaks nothing. A body that is dropped lets go of its connection at once.
 * @param meaning says what an error of the connection means.
 */
export function guardBody(source: Readable, idleMs: number, meaning: (error: unknown) => unknown): Readable {
  let idle: NodeJS.Timeout | undefined;
  const stopWaiting = (): void => {
    clearTimeout(idle);
    idle = undefined;
  };
  const fail = (error: unknown): void => {
    const meant = meaning(error);
    body.destroy(meant instanceof Error ? meant : new Error(String(meant)));
  };
  const body = new Readable({
    read() {
      idle ??= setTimeout(() => body.destroy(noAnswer(idleMs)), idleMs);
      source.resume();
    },
    destroy(error, done) {
      stopWaiting();
      source.destroy();
      done(error);
    },
  });
  source.on('data', (chunk: Buffer) => {
    stopWaiting();
    if (!body.push(chunk)) source.pause();
  });
  source.on('end', () => {
    stopWaiting();
    body.push(null);
  });
  source.on('error', fail);
  source.on('close', () => {
    if (!source.readableEnded && !body.destroyed) fail(cutShort());
  });
  source.pause(); // until it is asked for
  return body;
}

function cutShort(): Error {
  return Object.assign(new Error('the store closed the connection before the end'), { code: 'ECONNRESET' });
}
