/** Runs something when few others like it run. @throws {Error} when it fails, or is aborted before its turn */
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

/** Pictures and numbers of a long page leave connections to the rest. */
export const inTurn = turnsOf(3);

/** As `inTurn`, for what a page asks by itself and the service may answer late: it holds one connection of the few. */
export const inLongTurn = turnsOf(1);
