import { ignore } from './promises.ts';
import { endsWithin } from './with-timeout.ts';

interface Flight<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  clients: number;
}

/**
 * Creates a function that shares running work between callers of the same key. Work is aborted when all its callers
 * have gone; a caller without a signal stays to the end.
 */
export function createShareCurrent<T>() {
  const underWay = new Map<string, Flight<T>>();

  function begin(name: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const controller = new AbortController();
    const flight: Flight<T> = {
      controller,
      clients: 0,
      result: work(controller.signal).finally(() => {
        if (underWay.get(name) === flight) underWay.delete(name);
      }),
    };
    flight.result.catch(ignore); // reported to the remaining callers
    underWay.set(name, flight);
    return flight;
  }

  /** @throws the error of the work, or the reason of the caller's signal. */
  return async (
    name: string,
    work: (signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> => {
    signal?.throwIfAborted();
    const flight = underWay.get(name) ?? begin(name, work);
    flight.clients += 1;
    const gone = Promise.withResolvers<never>();
    const leave = () => gone.reject(signal?.reason);
    signal?.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([flight.result, gone.promise]);
    } finally {
      signal?.removeEventListener('abort', leave);
      flight.clients -= 1;
      if (flight.clients === 0 && underWay.get(name) === flight) {
        underWay.delete(name);
        flight.controller.abort(new Error('all clients have gone'));
      }
    }
  };
}

interface Turn<T> {
  readonly underWay: Promise<T>;
  /** Starts when `underWay` has ended; shared by all callers until then. */
  next: Promise<T> | undefined;
}

/**
 * Creates a function that shares reads: callers that ask while a key is being read share the next read, so that an answer is never older
 * than its question. A read that hangs delays the next by `patienceMs`. Callers must not change the shared result.
 */
export function createShareNext<T>(patienceMs = 5000) {
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

  async function beginAfter(before: Promise<unknown>, key: string, read: () => Promise<T>): Promise<T> {
    await endsWithin(patienceMs, before).catch(ignore); // reported to its own callers
    return await begin(key, read);
  }

  return async (key: string, read: () => Promise<T>): Promise<T> => {
    const turn = turns.get(key);
    if (turn === undefined) return await begin(key, read);
    turn.next ??= beginAfter(turn.underWay, key, read);
    return await turn.next;
  };
}
