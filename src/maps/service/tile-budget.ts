import { LRUCache } from 'lru-cache';
import { drawingProblems } from '../../messages/drawing.ts';

const maxUnderWay = 16;
/** A map that opens asks for some dozens at once. */
const burstSeconds = 2;
const maxPeers = 10_000;

interface Peer {
  underWay: number;
  /** Each begins one that waits for its turn. */
  readonly waiting: (() => void)[];
  tokens: number;
  /** When the tokens were counted, in milliseconds. */
  countedAt: number;
}

export type TileBudget = ReturnType<typeof createTileBudget>;

/**
 * Limits what one client may have drawn: so many tiles a second, and twice as many at once, of which 16 are under way and the others wait
 * for their turn: over HTTP/2 a map asks for all that it shows, and does not ask again for what is refused. Answers that need no drawing do
 * not count.
 */
export function createTileBudget(tilesPerSecond: number, now = () => performance.now()) {
  const peers = new LRUCache<string, Peer>({ max: maxPeers });
  const full = tilesPerSecond * burstSeconds;

  function peerOf(address: string): Peer {
    const at = now();
    const known = peers.get(address);
    const peer = known ?? { underWay: 0, waiting: [], tokens: full, countedAt: at };
    peer.tokens = Math.min(full, peer.tokens + ((at - peer.countedAt) / 1000) * tilesPerSecond);
    peer.countedAt = at;
    peers.set(address, peer);
    return peer;
  }

  return {
    /** Does work that counts for a client. @throws {Problem} `too_many` when it has no more. */
    async spend<T>(address: string, work: () => Promise<T>): Promise<T> {
      const peer = peerOf(address);
      if (peer.tokens < 1 || peer.waiting.length >= full) throw drawingProblems.tooManyTiles();
      peer.tokens -= 1;
      if (peer.underWay < maxUnderWay) peer.underWay += 1;
      else await new Promise<void>((begin) => peer.waiting.push(begin));
      try {
        return await work();
      } finally {
        const next = peer.waiting.shift();
        if (next === undefined) peer.underWay -= 1;
        else next();
      }
    },
  };
}
