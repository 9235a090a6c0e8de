import type { Readable } from 'node:stream';
import { MiB } from '../../lib/units.ts';

const leastPartBytes = 8 * MiB;
/** A store accepts 10,000; an object may be a little larger than announced. */
const mostParts = 9000;
/** Smaller objects need no share: many small objects may be sent at once. */
const freeBytes = 256 * 1024;
/** A part that arrives more slowly returns its share, so that slow senders do not delay the others. */
const shareForMs = 30_000;

/** A part of a body, in memory. */
export interface Part {
  /** One-based. */
  readonly number: number;
  readonly chunks: readonly Buffer[];
  readonly sizeBytes: number;
  readonly isLast: boolean;
  /** Releases its share of the memory; required after sending. */
  release(): void;
}

/** Returns the size of parts for a body of this size, if known. */
export function partBytesFor(sizeBytes: number | undefined): number {
  const needed = Math.ceil((sizeBytes ?? 0) / mostParts / MiB) * MiB;
  return Math.max(leastPartBytes, needed);
}

/**
 * Cuts a body into parts. Each part waits for its share of the memory before more than a little of it is read. An empty
 * body is one empty part. A caller that stops early must release its parts.
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
        // A full part is passed on only when it is known not to be the last one.
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
      isFinished = true; // it belongs to the caller now
      return { number, chunks, sizeBytes, isLast, release };
    },
    /** Ends an incomplete part, because its body failed or it is not wanted. */
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

/** Shares a number of bytes among callers in the order of their requests. */
export function createBudget(totalBytes: number) {
  const waiting: Waiting[] = [];
  let usedBytes = 0;

  function admitNext(): void {
    for (;;) {
      const [next] = waiting;
      // A request for more than the total is granted when no other share is in use.
      if (next === undefined || (usedBytes > 0 && usedBytes + next.bytes > totalBytes)) return;
      waiting.shift();
      usedBytes += next.bytes;
      next.admit();
    }
  }

  return {
    /** Waits for a share; the result returns the share once, however often it is called. */
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
