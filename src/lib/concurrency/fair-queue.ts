interface FairQueueOptions {
  readonly places: number;
  /** Maximum number of places of one client. */
  readonly placesOfClient: number;
  /** Maximum number of waiting requests of one client; unlimited by default. */
  readonly maxWaitingOfClient?: number;
  /** Creates the error for a request beyond that. */
  readonly tooMany?: () => Error;
}

interface Client {
  held: number;
  /** Starts of the waiting requests, oldest first. */
  readonly waiting: Set<() => void>;
  /** True if the newest request is next. */
  isNewestNext: boolean;
}

/**
 * Creates a queue whose places clients take in turn: a client with many waiting requests does not delay another. Of one client, the newest
 * and the oldest request alternate, so that a person does not wait for all requests of a program at the same address.
 */
export function createFairQueue({
  places,
  placesOfClient,
  maxWaitingOfClient = Infinity,
  tooMany = () => new Error('too many wait'),
}: FairQueueOptions) {
  /** Clients that hold a place or wait for one, in the order in which they were last served. */
  const clients = new Map<string, Client>();
  let free = places;

  /** Returns the waiting client with the fewest places; among equals, the one served longest ago. */
  function next(): [name: string, client: Client] | undefined {
    let best: [string, Client] | undefined;
    for (const each of clients) {
      const [, { held, waiting }] = each;
      if (waiting.size === 0 || held >= placesOfClient) continue;
      if (best === undefined || held < best[1].held) best = each;
    }
    return best;
  }

  function advance(): void {
    while (free > 0) {
      const [name, client] = next() ?? [];
      if (name === undefined || client === undefined) return;
      const begin = takeOne(client);
      client.held += 1;
      free -= 1;
      clients.delete(name);
      clients.set(name, client); // to the end of the map
      begin();
    }
  }

  function forget(name: string, client: Client): void {
    if (client.held === 0 && client.waiting.size === 0) clients.delete(name);
  }

  function placeOf(name: string, client: Client): Disposable {
    let isHeld = true;
    return {
      [Symbol.dispose]() {
        if (!isHeld) return;
        isHeld = false;
        client.held -= 1;
        free += 1;
        forget(name, client);
        advance();
      },
    };
  }

  return {
    waiting: (): number => [...clients.values()].reduce((sum, { waiting }) => sum + waiting.size, 0),
    /**
     * Resolves with a place when it is the client's turn; disposing frees the place. @throws the error of `tooMany`.
     * @throws the reason of `signal`, which cancels the request.
     */
    async enter(name: string, signal: AbortSignal): Promise<Disposable> {
      signal.throwIfAborted();
      const client = clients.get(name) ?? { held: 0, waiting: new Set(), isNewestNext: true };
      if (client.waiting.size >= maxWaitingOfClient) throw tooMany();
      clients.set(name, client);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const leave = (): void => {
        if (!client.waiting.delete(resolve)) return;
        forget(name, client);
        reject(signal.reason);
      };
      client.waiting.add(resolve);
      signal.addEventListener('abort', leave, { once: true });
      advance();
      await promise.finally(() => signal.removeEventListener('abort', leave));
      return placeOf(name, client);
    },
  };
}

function takeOne(client: Client): () => void {
  const all = [...client.waiting];
  const begin = (client.isNewestNext ? all.at(-1) : all[0]) ?? (() => undefined);
  if (all.length > 1) client.isNewestNext = !client.isNewestNext;
  client.waiting.delete(begin);
  return begin;
}
