import { endsWithin } from '../lib/with-timeout.ts';
import { DatabaseSilent } from './unavailable.ts';

/** The longest time for which those who come later wait for a read that may hang. */
const answerMs = 5000;

interface Turn<T> {
  readonly underWay: Promise<T>;
  /** Begins when `underWay` has ended; whoever asks before that shares it. */
  next: Promise<T> | undefined;
}

/**
 * Creates a sharer of reads that are alike: whoever asks for a key while it is being read shares the next read of that key,
 * so that an answer is never older than its question. A read that hangs holds nobody back for longer than five seconds
 * but those who share it. Nothing is kept when nobody asks.
 */
export function createSharedReads<T>() {
  const turns = new Map<string, Turn<T>>();

  function begin(key: string, read: () => Promise<T>): Promise<T> {
    const turn: Turn<T> = { underWay: read(), next: undefined };
    turns.set(key, turn);
    const end = (): void => {
      if (turn.next === undefined && turns.get(key) === turn) turns.delete(key);
    };
    turn.underWay.then(end, end);
    return turn.underWay;
  }

  /** Returns what `read` gives; the result belongs to all who share it, so nobody may change it. */
  return async (key: string, read: () => Promise<T>): Promise<T> => {
    const turn = turns.get(key);
    if (turn === undefined) return await begin(key, read);
    turn.next ??= afterwards(turn.underWay, async () => await begin(key, read));
    return await turn.next;
  };
}

async function afterwards<T>(before: Promise<unknown>, start: () => Promise<T>): Promise<T> {
  await endsWithin(answerMs, before).catch(() => undefined); // its failure is told to those who asked for it
  return await start();
}

/** Gives what a short read gives. @throws {DatabaseSilent} when it takes longer than five seconds. */
export async function withinAnswerTime<T>(work: Promise<T>): Promise<T> {
  const late = new DatabaseSilent();
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late), answerMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
