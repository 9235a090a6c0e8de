import type { Readable } from 'node:stream';
import { MiB } from '../../lib/units.ts';

const leastPartBytes = 8 * MiB;
/** A store takes 10,000; an object may turn out to be a little larger than was said. */
const mostParts = 9000;
/** Objects shorter than this need no share: many small objects may be on their way at once. */
const freeBytes = 256 * 1024;
/** A part that takes longer to arrive gives its share back, so that slow senders never keep the others waiting. */
const shareForMs = 30_000;

/** A piece of a body, in memory. */
export interface Part {
  /** From 1 on. */
  readonly number: number;
  readonly chunks: readonly Buffer[];
  readonly sizeBytes: number;
  readonly isLast: boolean;
  /** Releases its share of the memory; needed when it has been sent. */
  release(): void;
}

/** Returns the size of parts for a body of this size, if it is known. */
export function partBytesFor(sizeBytes: number | undefined): number {
  const needed = Math.ceil((sizeBytes ?? 0) / mostParts / MiB) * MiB;
  return Math.max(leastPartBytes, needed);
}

/**
 * Cuts a body into parts, each of which waits for its share of the memory before more than a little of it is taken. A body of no
 * bytes is one empty part. A caller that leaves early has to release the parts it has.
 */
export async function* cutIntoParts(
  body: Readable,
  partBytes: number,
  budget: Budget,
): AsyncGenerator<Part, void, undefined> {
  let part = openPart(1, partBytes, budget);
  try {
    for await (const chunk of body) {
      let rest: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
      while (rest.length > 0) {
        // A full part is given away only now, when it is known not to be the last one.
        if (part.missingBytes() === 0) {
          yield part.finish(false);
          part = openPart(part.number + 1, partBytes, budget);
        }
        const piece = rest.subarray(0, part.missingBytes());
        await part.add(piece);
        rest = rest.subarray(piece.length);
      }
    }
    yield part.finish(true);
  } finally {
    part.abandon();
  }
}

function openPart(number: number, partBytes: number, budget: Budget) {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  let isFinished = false;
  let share: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  const release = (): void => share?.();
  return {
    number,
    missingBytes: () => partBytes - sizeBytes,
    async add(piece: Buffer): Promise<void> {
      if (share === undefined && sizeBytes + piece.length > freeBytes) {
        share = await budget.take(partBytes);
        timer = setTimeout(release, shareForMs).unref();
      }
      chunks.push(piece);
      sizeBytes += piece.length;
    },
    finish(isLast: boolean): Part {
      clearTimeout(timer);
      isFinished = true; // it is the taker's now
      return { number, chunks, sizeBytes, isLast, release };
    },
    /** Ends a part that is not complete, because its body broke or it is not wanted. */
    abandon(): void {
      clearTimeout(timer);
      if (!isFinished) release();
    },
  };
}

interface Waiting {
  readonly bytes: number;
  readonly admit: () => void;
}

/** Shares a number of bytes among all who ask, in the order in which they ask. */
export function createBudget(totalBytes: number) {
  const waiting: Waiting[] = [];
  let usedBytes = 0;

  function admitNext(): void {
    for (;;) {
      const [next] = waiting;
      // One that asks for more than there is gets it when no other call has any.
      if (next === undefined || (usedBytes > 0 && usedBytes + next.bytes > totalBytes)) return;
      waiting.shift();
      usedBytes += next.bytes;
      next.admit();
    }
  }

  return {
    /** Waits for a share; what it returns gives the share back, once, however often it is called. */
    async take(bytes: number): Promise<() => void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ bytes, admit: resolve });
      admitNext();
      await promise;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        usedBytes -= bytes;
        admitNext();
      };
    },
  };
}

export type Budget = ReturnType<typeof createBudget>;
