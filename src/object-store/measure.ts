import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline, type Readable, Transform } from 'node:stream';
import { pipeline as ended } from 'node:stream/promises';
import { ignore } from '../lib/concurrency/promises.ts';
import { MiB } from '../lib/units.ts';

/** Size and digest of an object, as in the ledger. */
export interface ObjectFacts {
  readonly sizeBytes: number;
  readonly sha256: Buffer;
}

/** Measures bytes as they come. */
export function createMeter() {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  return {
    push(bytes: Uint8Array): void {
      hash.update(bytes);
      sizeBytes += bytes.length;
    },
    facts: (): ObjectFacts => ({ sizeBytes, sha256: hash.digest() }),
  };
}

/** Passes a body on and measures it; an error on either side destroys both streams. */
export function measureBody(body: Readable): { readonly measured: Readable; facts(): ObjectFacts } {
  const { push, facts } = createMeter();
  const measured = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      push(chunk);
      done(null, chunk);
    },
  });
  pipeline(body, measured, () => undefined); // its reader receives the error
  return { measured, facts };
}

/** Measures a local file. @throws any read error, and the reason of `signal`. */
export async function measureFile(path: string, signal?: AbortSignal): Promise<ObjectFacts> {
  return await measureStream(createReadStream(path, { highWaterMark: MiB }), signal);
}

/**
 * Measures a whole stream. @throws its error, and the reason of `signal`.
 * @param onBytes sees all bytes in order; an error that it throws destroys the stream.
 */
export async function measureStream(
  body: Readable,
  signal?: AbortSignal,
  onBytes: (bytes: Buffer) => void = ignore,
): Promise<ObjectFacts> {
  const { push, facts } = createMeter();
  await ended(
    body,
    async (chunks) => {
      for await (const chunk of chunks) {
        push(chunk);
        onBytes(chunk);
      }
    },
    signal === undefined ? {} : { signal },
  );
  return facts();
}
