import { Socket } from 'node:net';
import { Client, type ClientBase, type ClientConfig, DatabaseError, type Pool, type PoolClient } from 'pg';
import { ignore, pause } from '../lib/concurrency/promises.ts';
import { withTimeout } from '../lib/concurrency/with-timeout.ts';
import { DatabaseSilent } from './unavailable.ts';

const checkEveryMs = 500;
const probeEveryMs = 1000;
/** Maximum silence of a connection for which the server may be working. */
const patience = { direct: 3_600_000, behindPooler: 600_000 } as const;

export interface WatchTiming {
  /** Time without a byte in either direction after which the server is probed. */
  readonly doubtAfterMs: number;
  /** Time limit of the probe. */
  readonly probeWithinMs: number;
}

const usualTiming: WatchTiming = { doubtAfterMs: 2000, probeWithinMs: 4000 };

interface WatchOptions extends Partial<WatchTiming> {
  /** Called when the server falls silent, and when it answers again. */
  readonly onSilence?: ((isSilent: boolean) => void) | undefined;
}

/** A connection of the pool. */
interface Line {
  readonly client: Client;
  readonly socket: Socket;
  /** Bytes sent when the server was last ready; more bytes mean an unfinished statement. */
  answered: number;
  /** Bytes received up to the last check, and the time of the last progress; the last check if the connection is idle. */
  received: number;
  sent: number;
  movedAt: number;
  /** The server does not work for it; it is destroyed unless it progresses before the next check. */
  isSuspect: boolean;
}

/** Answer to the probe; `working` is undefined if nothing is known about other connections. */
interface Heard {
  readonly working: ReadonlySet<number | null> | undefined;
}

/**
 * Watches the connections of a pool. If a busy connection receives nothing for a while, a new connection probes the
 * server. If neither the probe nor any connection receives anything, the server is frozen or unreachable: the sockets
 * are destroyed, so that statements reject, and waits for connections reject at once until a new connection is
 * answered. A slow server loses no connection; a statement that the server does not know loses its connection.
 */
export function watchServer(pool: Pool, target: ClientConfig, options: WatchOptions = {}) {
  const { doubtAfterMs, probeWithinMs } = { ...usualTiming, ...options };
  const lines = new Set<Line>();
  /** Callers that wait for a connection, and since when. */
  const waiting = new Map<PromiseWithResolvers<never>, number>();
  const closing = new AbortController();
  let heardAt = performance.now();
  let isSilent = false;
  let isProbing = false;
  let probedAt = -Infinity;
  let checking: NodeJS.Timeout | undefined;

  pool.on('connect', (client: ClientBase) => {
    if (!(client instanceof Client)) return;
    const { stream } = client.connection;
    if (!(stream instanceof Socket)) return;
    const line: Line = {
      client,
      socket: stream,
      answered: stream.bytesWritten,
      received: stream.bytesRead,
      sent: stream.bytesWritten,
      movedAt: performance.now(),
      isSuspect: false,
    };
    lines.add(line);
    // Before the driver's listener, which sends the next statement.
    client.connection.prependListener('readyForQuery', () => {
      line.answered = stream.bytesWritten;
    });
    client.once('end', () => lines.delete(line));
    startChecks();
  });

  /** Schedules checks while there is something to check; does not keep the process alive. */
  function startChecks(): void {
    checking ??= setInterval(check, checkEveryMs).unref();
  }

  function check(): void {
    const now = performance.now();
    if (lines.size === 0 && waiting.size === 0) {
      clearInterval(checking);
      checking = undefined;
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
    else if (bytesWritten === line.sent && bytesWritten > line.answered) return;
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
    // A process that was stalled itself has received nothing, whatever was sent.
    const wasHeldUp = probedAt - askedAt > probeWithinMs + 2 * checkEveryMs;
    if (heard !== undefined) suspectIdle(heard);
    else if (heardAt < askedAt && !wasHeldUp) await outlastSilence();
  }

  /** Uses the server's own list of working connections; behind a pooler, the process ids differ. */
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
      await pause(Math.max(0, checkEveryMs - (performance.now() - startedAt)), closing.signal);
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
      startChecks();
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
      clearInterval(checking);
    },
  };
}

/** A connection that arrives after its caller has given up goes to the next caller. */
async function giveBack(connecting: Promise<PoolClient>): Promise<void> {
  const client = await connecting.catch(() => undefined);
  client?.release();
}

/** Probes the server over a new connection; undefined if there is no answer in time. */
async function probe(target: ClientConfig, withinMs: number): Promise<Heard | undefined> {
  let client: Client | undefined;
  try {
    // Reads certificate files, which may be missing.
    client = new Client({
      ...target,
      application_name: 'steppe-probe',
      connectionTimeoutMillis: withinMs,
    });
    client.on('error', ignore);
    return await withTimeout(withinMs, ask(client));
  } catch (error) {
    // Full, starting or shutting down: it answers.
    return error instanceof DatabaseError ? { working: undefined } : undefined;
  } finally {
    client?.end().catch(ignore); // destroys the socket if a query is unanswered
  }
}

async function ask(client: Client): Promise<Heard> {
  await client.connect();
  const { rows } = await client.query<{ pid: number; state: string | null; own: number }>(
    'select pid, state, pg_backend_pid() as own from pg_stat_activity where datname = current_database()',
  );
  if (rows[0]?.own !== processIdOf(client)) return { working: undefined };
  // Without the right to see other sessions, their state is null: they may be working.
  const working = rows.filter(({ state }) => state === null || !state.startsWith('idle'));
  return { working: new Set(working.map(({ pid }) => pid)) };
}

function processIdOf(client: Client): number | null {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : null;
}
