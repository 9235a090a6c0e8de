import { Kysely, PostgresDialect } from 'kysely';
import { type ClientConfig, Pool, TypeOverrides } from 'pg';
import { withTimeout } from '../common/with-timeout.ts';
import type { Tables } from './tables.ts';

const checkMs = 2000;
const oids = { int8: 20, json: 114, date: 1082 } as const;

/** Dates stay `YYYY-MM-DD`, json stays the stored text, and counts and sizes (all below 2^53) become numbers. */
const types = new TypeOverrides();
types.setTypeParser(oids.date, (text) => text);
types.setTypeParser(oids.json, (text) => text);
types.setTypeParser(oids.int8, Number);

interface DatabaseOptions {
  readonly maxConnections: number;
  readonly applicationName: string;
  /** Told of connections that break while idle; the pool replaces them by itself. */
  onError(error: Error): void;
}

export type DatabaseConnection = ReturnType<typeof createDatabaseConnection>;

/** Makes a pool for `target` (a `postgres://` URL, or the fields of a Unix-socket connection) without connecting yet. */
export function createDatabaseConnection(target: string | ClientConfig, options: DatabaseOptions) {
  const pool = new Pool({
    ...(typeof target === 'string' ? { connectionString: target } : target),
    max: options.maxConnections,
    application_name: options.applicationName,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    types,
  });
  pool.on('error', options.onError);
  // A connection in use that breaks between two statements has nobody to tell; the next statement on it rejects.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }),
    /** Serves COPY, cursors and LISTEN, which need a client of their own. */
    pool,
    /** Resolves when the database answers within two seconds; rejects otherwise. */
    async check(): Promise<void> {
      await withTimeout(checkMs, pool.query('select 1'));
    },
    close: async (): Promise<void> => await pool.end(),
  };
}
