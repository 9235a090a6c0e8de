import { Socket } from 'node:net';
import { Client, type ClientBase, type ClientConfig, DatabaseError, type Pool, type PoolClient } from 'pg';
import { ignore, pause } from '../lib/concurrency/promises.ts';
import { withTimeout } from '../lib/concurrency/with-timeout.ts';
import { DatabaseSilent } from './unavailable.ts';

const lookEveryMs = 500;
const probeEveryMs = 1000;
/** Granted to a connection that the server may be working for, and says nothing about. */
const patience = { direct: 3_600_000, behindPooler: 600_000 } as const;

export interface WatchTiming {
  /** After so long without a byte, either way, the server is probed. */
  readonly doubtAfterMs: number;
  /** Time for the answer. */
  readonly probeWithinMs: number;
}

const usualTiming: WatchTiming = { doubtAfterMs: 2000, probeWithinMs: 4000 };

interface WatchOptions extends Partial<WatchTiming> {
  /** Told when the server falls silent, and when it answers again. */
  readonly onSilence?: ((isSilent: boolean) => void) | undefined;
}

/** A connection of the pool. */
interface Line {
  readonly client: Client;
  readonly socket: Socket;
  /** The bytes that were sent when the server last said that it is ready; more are a statement without its end. */
  settled: number;
  /** The bytes that had passed at the last look, and when some last did; while nothing is asked, the last look. */
  received: number;
  sent: number;
  movedAt: number;
  /** The server does not work for it; it ends unless it moves before the next look. */
  isSuspect: boolean;
}

/** The answer to a new connection; `working` is undefined where nothing is known about other connections. */
interface Heard {
  readonly working: ReadonlySet<number | null> | undefined;
}

/**
 * Watches the connections of a pool. When one that waits for an answer hears nothing for a while, a new connection asks the
 * server; when that hears nothing either, nor any other, the server is frozen or cut off: the sockets are destroyed, so that
 * statements reject, and waits for connections reject at once until a new connection is answered. A server that is merely
 * slow loses no connection; one that knows nothing of a statement loses that one connection.
 */
export function watchServer(pool: Pool, target: ClientConfig, options: WatchOptions = {}) {
  const { doubtAfterMs, probeWithinMs } = { ...usualTiming, ...options };
  const lines = new Set<Line>();
  /** Those who wait for a connection, and since when. */
  const waiting = new Map<PromiseWithResolvers<never>, number>();
  const closing = new AbortController();
  let heardAt = performance.now();
  let isSilent = false;
  let isProbing = false;
  let probedAt = -Infinity;
  let looking: NodeJS.Timeout | undefined;

  pool.on('connect', (client: ClientBase) => {
    if (!(client instanceof Client)) return;
    const { stream } = client.connection;
    if (!(stream instanceof Socket)) return;
    const line: Line = {
      client,
      socket: stream,
      settled: stream.bytesWritten,
      received: stream.bytesRead,
      sent: stream.bytesWritten,
      movedAt: performance.now(),
      isSuspect: false,
    };
    lines.add(line);
    // Before the driver hears it, which sends the next statement then.
    client.connection.prependListener('readyForQuery', () => {
      line.settled = stream.bytesWritten;
    });
    client.once('end', () => lines.delete(line));
    lookAgain();
  });

  /** Looks as long as there is something to look at; it keeps no process alive. */
  function lookAgain(): void {
    looking ??= setInterval(look, lookEveryMs).unref();
  }

  function look(): void {
    const now = performance.now();
    if (lines.size === 0 && waiting.size === 0) {
      clearInterval(looking);
      looking = undefined;
      return;
    }
    let isDoubtful = [...waiting.values()].some((since) => now - since > doubtAfterMs);
    for (const line of lines) {
      update(line, now);
      const silentMs = now - line.movedAt;
      if (silentMs < doubtAfterMs) continue;
      if (line.isSuspect || silentMs > patience.direct) line.socket.destroy(new DatabaseSilent());
      isDoubtful = true;
    }
    if (isDoubtful && !isProbing && !isSilent && now - probedAt > probeEveryMs) void examine();
  }

  function update(line: Line, now: number): void {
    const { bytesRead, bytesWritten } = line.socket;
    if (bytesRead !== line.received) heardAt = now;
    else if (bytesWritten === line.sent && bytesWritten > line.settled) return;
    line.received = bytesRead;
    line.sent = bytesWritten;
    line.movedAt = now;
    line.isSuspect = false;
  }

  async function examine(): Promise<void> {
    isProbing = true;
    const askedAt = performance.now();
    const heard = await probe(target, probeWithinMs);
    isProbing = false;
    probedAt = performance.now();
    if (closing.signal.aborted) return;
    // A process that was held up itself has heard nothing, whatever was said.
    const wasHeldUp = probedAt - askedAt > probeWithinMs + 2 * lookEveryMs;
    if (heard !== undefined) suspectIdle(heard);
    else if (heardAt < askedAt && !wasHeldUp) await outlastSilence();
  }

  /** The server's own word on which connections it works for; a pooler in between has other numbers for them. */
  function suspectIdle({ working }: Heard): void {
    const now = performance.now();
    for (const line of lines) {
      if (now - line.movedAt < doubtAfterMs) continue;
      const isKnown = working !== undefined;
      line.isSuspect = isKnown
        ? !working.has(processIdOf(line.client))
        : now - line.movedAt > patience.behindPooler;
    }
  }

  async function outlastSilence(): Promise<void> {
    isSilent = true;
    options.onSilence?.(true);
    for (const { socket } of lines) socket.destroy(new DatabaseSilent());
    for (const { reject } of waiting.keys()) reject(new DatabaseSilent());
    while (!closing.signal.aborted) {
      const startedAt = performance.now();
      if ((await probe(target, probeWithinMs)) !== undefined) break;
      await pause(Math.max(0, lookEveryMs - (performance.now() - startedAt)), closing.signal);
    }
    isSilent = false;
    heardAt = performance.now();
    if (!closing.signal.aborted) options.onSilence?.(false);
  }

  return {
    /** Takes a connection from the pool. @throws {DatabaseSilent} as soon as the server is known to be silent. */
    async connect(): Promise<PoolClient> {
      if (isSilent) throw new DatabaseSilent();
      const silence = Promise.withResolvers<never>();
      waiting.set(silence, performance.now());
      lookAgain();
      const connecting = pool.connect();
      try {
        return await Promise.race([connecting, silence.promise]);
      } catch (error) {
        void giveBack(connecting);
        throw error;
      } finally {
        waiting.delete(silence);
      }
    },
    close(): void {
      closing.abort();
      clearInterval(looking);
    },
  };
}

/** A connection that comes when no caller waits for it any more goes to the next caller. */
async function giveBack(connecting: Promise<PoolClient>): Promise<void> {
  const client = await connecting.catch(() => undefined);
  client?.release();
}

/** Asks the server over a new connection; undefined when nothing comes back in time, or no server is there. */
async function probe(target: ClientConfig, withinMs: number): Promise<Heard | undefined> {
  let client: Client | undefined;
  try {
    // Reads the files of certificates, which may be gone.
    client = new Client({
      ...target,
      application_name: 'steppe-probe',
      connectionTimeoutMillis: withinMs,
    });
    client.on('error', ignore);
    return await withTimeout(withinMs, ask(client));
  } catch (error) {
    // Full, starting, or shutting down: it says so.
    return error instanceof DatabaseError ? { working: undefined } : undefined;
  } finally {
    client?.end().catch(ignore); // destroys the socket when a question is open
  }
}

async function ask(client: Client): Promise<Heard> {
  await client.connect();
  const { rows } = await client.query<{ pid: number; state: string | null; own: number }>(
    'select pid, state, pg_backend_pid() as own from pg_stat_activity where datname = current_database()',
  );
  if (rows[0]?.own !== processIdOf(client)) return { working: undefined };
  // Without the right to see others their state is null: they may work.
  const working = rows.filter(({ state }) => state === null || !state.startsWith('idle'));
  return { working: new Set(working.map(({ pid }) => pid)) };
}

function processIdOf(client: Client): number | null {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : null;
}
