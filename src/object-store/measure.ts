import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline, type Readable, Transform } from 'node:stream';
import { pipeline as ended } from 'node:stream/promises';
import { ignore } from '../lib/concurrency/promises.ts';
import { MiB } from '../lib/units.ts';

/** The size and digest of an object, as the ledger keeps them. */
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

/** Passes a body on, and measures what has passed; one of the two that breaks takes the other along at once. */
export function measureBody(body: Readable): { readonly measured: Readable; facts(): ObjectFacts } {
  const { push, facts } = createMeter();
  const measured = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      push(chunk);
      done(null, chunk);
    },
  });
  pipeline(body, measured, () => undefined); // its reader hears of its failure
  return { measured, facts };
}

/** Measures a local file. @throws what keeps it from being read, and the reason of `signal`. */
export async function measureFile(path: string, signal?: AbortSignal): Promise<ObjectFacts> {
  return await measureStream(createReadStream(path, { highWaterMark: MiB }), signal);
}

/**
 * Measures all of a stream. @throws what it breaks with, and the reason of `signal`.
 * @param onBytes sees all bytes in their order; what it throws breaks the stream.
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
