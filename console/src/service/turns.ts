/** Runs a task when fewer than a limit are running. @throws {Error} if it fails, or is aborted before it starts */
type Turns = <T>(signal: AbortSignal, act: () => Promise<T>) => Promise<T>;

function turnsOf(atOnce: number): Turns {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (signal, act) => {
    if (running >= atOnce) await new Promise<void>((resolve) => void waiting.push(resolve));
    running += 1;
    try {
      signal.throwIfAborted();
      return await act();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
}

/** Pictures and numbers of a long page leave connections for other requests. */
export const inTurn = turnsOf(3);

/** Queues background requests with late answers, which occupy one connection. */
export const inLongTurn = turnsOf(1);
