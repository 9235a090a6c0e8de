import { LRUCache } from 'lru-cache';
import { networkOf } from '../../lib/addresses.ts';
import { drawingProblems } from '../../messages/drawing/english.ts';

/** Calls of a client that may queue for a thread, so that threads stay busy while the client has more. */
const aheadOfThreads = 8;
/** A newly opened map requests several dozen tiles at once. */
const burstSeconds = 2;
const maxPeers = 10_000;

interface Peer {
  underWay: number;
  /** Callbacks that start a queued call. */
  readonly waiting: Set<() => void>;
  tokens: number;
  /** Time of the last refill of the tokens, in milliseconds. */
  countedAt: number;
}

export interface TileBudgetOptions {
  readonly tilesPerSecond: number;
  /** Number of calls that the drawing threads can run at once; one client may use all of them. */
  readonly calls: number;
  readonly now?: () => number;
}

export type TileBudget = ReturnType<typeof createTileBudget>;

/**
 * Limits the tiles drawn for one client with a token bucket: a rate per second and a burst of twice as many. As many
 * calls run as the threads can process; the others queue, because over HTTP/2 a map requests all visible tiles at once
 * and does not repeat refused requests. Answers that need no drawing do not count.
 */
export function createTileBudget({
  tilesPerSecond,
  calls,
  now = () => performance.now(),
}: TileBudgetOptions) {
  const peers = new LRUCache<string, Peer>({ max: maxPeers });
  const full = tilesPerSecond * burstSeconds;
  const maxUnderWay = calls + aheadOfThreads;

  function peerOf(address: string): Peer {
    const name = networkOf(address);
    const at = now();
    const known = peers.get(name);
    const peer = known ?? { underWay: 0, waiting: new Set(), tokens: full, countedAt: at };
    peer.tokens = Math.min(full, peer.tokens + ((at - peer.countedAt) / 1000) * tilesPerSecond);
    peer.countedAt = at;
    peers.set(name, peer);
    return peer;
  }

  function charge(address: string): Peer {
    const peer = peerOf(address);
    if (peer.tokens < 1 || peer.waiting.size >= full) throw drawingProblems.tooManyTiles();
    peer.tokens -= 1;
    return peer;
  }

  return {
    /**
     * Counts a tile for work outside the drawing threads, such as the wait for a view or a file.
     * @throws {Problem} `too_many` when its budget is spent.
     */
    charge(address: string): void {
      charge(address);
    },
    /**
     * Runs work that counts against the budget of a client.
     * @throws {Problem} `too_many` when its budget is spent.
     * @throws the reason of `signal` if it aborts the wait in the queue; the tile then does not count.
     */
    async spend<T>(address: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
      signal.throwIfAborted();
      const peer = charge(address);
      if (peer.underWay < maxUnderWay) peer.underWay += 1;
      else await turnOf(peer, signal);
      try {
        return await work();
      } finally {
        const [next] = peer.waiting;
        if (next === undefined) peer.underWay -= 1;
        else next();
      }
    },
  };
}

async function turnOf(peer: Peer, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const begin = (): void => {
    peer.waiting.delete(begin);
    resolve();
  };
  const leave = (): void => {
    if (!peer.waiting.delete(begin)) return;
    peer.tokens += 1;
    reject(signal.reason);
  };
  peer.waiting.add(begin);
  signal.addEventListener('abort', leave, { once: true });
  await promise.finally(() => signal.removeEventListener('abort', leave));
}
