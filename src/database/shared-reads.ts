interface Turn<T> {
  readonly underWay: Promise<T>;
  /** Begins when `underWay` has ended; whoever asks before that shares it. */
  next: Promise<T> | undefined;
}

/**
 * Creates a sharer of reads that are alike: whoever asks for a key while it is being read shares the next read of that key,
 * so that an answer is never older than its question. Nothing is kept when nobody asks.
 */
export function createSharedReads<T>() {
  const turns = new Map<string, Turn<T>>();

  function begin(key: string, read: () => Promise<T>): Promise<T> {
    const turn: Turn<T> = { underWay: read(), next: undefined };
    turns.set(key, turn);
    const end = (): void => {
      if (turn.next === undefined) turns.delete(key);
    };
    turn.underWay.then(end, end);
    return turn.underWay;
  }

  /** Returns what `read` gives; the result belongs to all who share it, so nobody may change it. */
  return async (key: string, read: () => Promise<T>): Promise<T> => {
    const turn = turns.get(key);
    if (turn === undefined) return await begin(key, read);
    const start = async (): Promise<T> => await begin(key, read);
    turn.next ??= turn.underWay.then(start, start);
    return await turn.next;
  };
}
