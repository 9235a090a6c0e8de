import { LRUCache } from 'lru-cache';
import { networkOf } from '../../lib/addresses.ts';
import { drawingProblems } from '../../messages/drawing.ts';

/** Calls of a client that may wait for a thread, so that none is idle while the client has more. */
const aheadOfThreads = 8;
/** A map that opens asks for some dozens at once. */
const burstSeconds = 2;
const maxPeers = 10_000;

interface Peer {
  underWay: number;
  /** Each begins one that waits for its turn. */
  readonly waiting: Set<() => void>;
  tokens: number;
  /** When the tokens were counted, in milliseconds. */
  countedAt: number;
}

export interface TileBudgetOptions {
  readonly tilesPerSecond: number;
  /** The calls that the drawing threads work on, all of which may be those of one client. */
  readonly calls: number;
  readonly now?: () => number;
}

export type TileBudget = ReturnType<typeof createTileBudget>;

/**
 * Limits what one client may have drawn: so many tiles a second, and twice as many at once, of which as many are under way as the threads
 * can work on, and the others wait for their turn: over HTTP/2 a map asks for all that it shows, and does not ask again for what is refused.
 * Answers that need no drawing do not count.
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
    /** Counts a tile for a client that only waits. @throws {Problem} `too_many` when it has no more. */
    charge(address: string): void {
      charge(address);
    },
    /**
     * Does work that counts for a client. @throws {Problem} `too_many` when it has no more.
     * @throws the reason of `signal`, when that ends the wait for its turn; the tile then does not count.
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
