import { Kysely, type LogEvent, PostgresDialect } from 'kysely';
import { type ClientConfig, Pool, TypeOverrides } from 'pg';
import { ignore } from '../lib/concurrency/promises.ts';
import { withTimeout } from '../lib/concurrency/with-timeout.ts';
import { addSpan, isTracing } from '../tracing/tracing.ts';
import type { Tables } from './tables/tables.ts';
import { watchServer, type WatchTiming } from './watch-server.ts';

const checkMs = 2000;
/** Maximum wait for a connection, from the pool or a new one. */
const acquireMs = 8000;
const keepAliveAfterMs = 10_000;
/** Renews connections, so that changed settings of the role take effect. */
const maxLifetimeSeconds = 3600;
const oids = { int8: 20, json: 114, date: 1082 } as const;

/** Dates remain `YYYY-MM-DD`, json remains the stored text, and counts and sizes (all below 2^53) become numbers. */
const types = new TypeOverrides();
types.setTypeParser(oids.date, (text) => text);
types.setTypeParser(oids.json, (text) => text);
types.setTypeParser(oids.int8, Number);

interface DatabaseOptions {
  readonly maxConnections: number;
  readonly applicationName: string;
  /** Called for connections that break while idle; the pool replaces them. */
  onError(error: Error): void;
  /** Called when the server stops answering, and when it answers again. */
  onSilence?(isSilent: boolean): void;
  /** Overrides the usual time limits of the watch. */
  readonly watch?: Partial<WatchTiming>;
}

export type DatabaseConnection = ReturnType<typeof createDatabaseConnection>;

/**
 * Creates a pool for `target` (a `postgres://` URL, or the fields of a Unix-socket connection) without connecting.
 * Queries reject with `DatabaseSilent` within seconds if the server is frozen or unreachable.
 */
export function createDatabaseConnection(target: string | ClientConfig, options: DatabaseOptions) {
  const server = typeof target === 'string' ? { connectionString: target } : target;
  const pool = new Pool({
    ...server,
    max: options.maxConnections,
    application_name: options.applicationName,
    connectionTimeoutMillis: acquireMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    maxLifetimeSeconds,
    types,
  });
  pool.on('error', options.onError);
  // A connection that breaks between two statements cannot report it; its next statement rejects.
  pool.on('connect', (client) => client.on('error', ignore));
  const watch = watchServer(pool, server, { ...options.watch, onSilence: options.onSilence });
  return {
    db: new Kysely<Tables>({
      dialect: new PostgresDialect({
        pool: { connect: watch.connect, end: async () => await pool.end() },
      }),
      ...(isTracing() ? { log: traceStatement } : {}),
    }),
    /** For COPY, cursors and LISTEN, which need a dedicated client. */
    pool,
    /** Resolves if the database answers within two seconds; rejects otherwise. */
    async check(): Promise<void> {
      await withTimeout(checkMs, pool.query('select 1'));
    },
    async close(): Promise<void> {
      watch.close();
      await pool.end();
    },
  };
}

/** Adds a span for a completed statement with its operation and table, without its text, which may contain values. */
function traceStatement({ query: { sql }, queryDurationMillis, ...event }: LogEvent): void {
  const { operation, table } = summarize(sql);
  addSpan(
    {
      name: table === undefined ? operation : `${operation} ${table}`,
      kind: 'client',
      attributes: {
        'db.system.name': 'postgresql',
        'db.operation.name': operation,
        ...(table === undefined ? {} : { 'db.collection.name': table }),
      },
    },
    queryDurationMillis,
    event.level === 'error' ? event.error : undefined,
  );
}

/** Returns the first word of a statement, and the first table that it names. */
export function summarize(sql: string): { readonly operation: string; readonly table: string | undefined } {
  const operation = /^\s*(?<word>[a-z]+)/i.exec(sql)?.groups?.['word']?.toLowerCase() ?? 'statement';
  const table = /\b(?:from|into|update|table)\s+"?(?<name>[a-z_]+)\b/i.exec(sql)?.groups?.['name'];
  return { operation, table };
}
