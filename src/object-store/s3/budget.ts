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
