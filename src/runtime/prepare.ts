import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { seedDistricts } from '../units/import.ts';
import { reasonOf } from '../lib/error-facts.ts';
import { pause } from '../lib/concurrency/promises.ts';
import { endsWithin } from '../lib/concurrency/with-timeout.ts';
import { setRoleLimits } from '../database/transaction.ts';
import {
  MayNotMigrate,
  migrate,
  OtherSchema,
  requireSchema,
  underMigrationLock,
} from '../database/migrate.ts';
import type { Database } from '../database/tables/tables.ts';
import { seedLandscape } from '../landscape/groups/seed.ts';
import { schemaFailures } from '../messages/service/english.ts';
import { StoreUnavailable } from '../object-store/object-store.ts';
import type { Components } from './components.ts';

const retryMilliseconds = 1000;
/** The number of consecutive refusals of a database after which it is considered permanent. */
const maxRefusals = 3;
/** The time for which a start waits for an unresponsive object store. */
const patienceMilliseconds = 5000;
const closeMilliseconds = 1000;

/**
 * Migrates and seeds the database, waiting for it without a time limit. Any number of roles may do so at once.
 * @param mayWait true if a role that may not migrate waits for the migration by another process.
 * @throws {Error} at once, in a readable line, when a newer Steppe has migrated the database; the error of the database when it answers
 * but cannot be prepared.
 */
export async function prepareDatabase(
  components: Components,
  log: Logger,
  signal: AbortSignal,
  mayWait = true,
) {
  let refusals = 0;
  let lastReason: string | undefined;
  for (;;) {
    try {
      const applied = await migrate(components.db);
      await limitRole(components.db, log);
      await seedDistricts(components.db);
      if (applied.length > 0) log.info({ applied }, 'the database is migrated');
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof OtherSchema) throw describeSchema(error);
      const isOthers = error instanceof MayNotMigrate;
      if (isOthers && !mayWait) throw error;
      refusals = !isOthers && (await answers(components)) ? refusals + 1 : 0;
      if (refusals >= maxRefusals) throw error;
      const reason = reasonOf(error);
      // The listening connection also reports a database that cannot be reached.
      const isNews = reason !== lastReason && (await answers(components.listener));
      if (refusals > 0) {
        log.warn({ error }, 'the database cannot be prepared yet');
      } else if (isNews) {
        log.warn({ reason }, 'the database cannot be prepared yet');
        lastReason = reason;
      }
    }
    await sleep(retryMilliseconds, undefined, { signal });
  }
}

/**
 * Checks the existing tables: a tool does not change them.
 * @throws {Error} in a readable line when they are not those of this version.
 */
export async function requireOwnTables({ db }: Pick<Components, 'db'>): Promise<void> {
  await requireSchema(db).catch((error: unknown) => {
    throw error instanceof OtherSchema ? describeSchema(error) : error;
  });
}

function describeSchema(schema: OtherSchema): Error {
  const { unknown, missing } = schema;
  const sentence = unknown.length > 0 ? schemaFailures.newer(unknown) : schemaFailures.older(missing);
  return new Error(sentence, { cause: schema });
}

/** Sets limits of the role. A role that may not change its own settings works without them, because client deadlines do not need them. */
async function limitRole(db: Database, log: Pick<Logger, 'warn'>): Promise<void> {
  await underMigrationLock(db, setRoleLimits).catch((error: unknown) => {
    log.warn({ error }, 'the limits of the database role cannot be set');
  });
}

async function answers(connection: { check(): Promise<void> }): Promise<boolean> {
  return await connection.check().then(
    () => true,
    () => false,
  );
}

/** The state of seeding: done, in progress, or waiting for a component after a failed attempt. */
export type SeedingState = 'done' | 'under way' | 'database' | 'object_store';

/**
 * Creates the data of the Landscape Program in a migrated database. Waits only for the first attempt, which usually succeeds; an
 * unavailable object store must not block functions that do not need it, so further attempts run in the background until `signal` aborts.
 * Close it afterwards.
 */
export async function startSeeding(
  components: Pick<Components, 'db' | 'objectStore'>,
  log: Pick<Logger, 'warn'>,
  signal: AbortSignal,
) {
  let state: SeedingState = 'under way';
  async function tryOnce(): Promise<void> {
    try {
      await seedLandscape(components);
      state = 'done';
    } catch (error) {
      state = error instanceof StoreUnavailable ? 'object_store' : 'database';
      if (!signal.aborted) log.warn({ err: error }, 'the landscape groups cannot be seeded yet');
    }
  }
  const firstTry = tryOnce();
  const ended = firstTry.then(async () => {
    while (state !== 'done' && !signal.aborted) {
      await pause(retryMilliseconds, signal); // aborting ends the loop
      if (!signal.aborted) await tryOnce();
    }
  });
  await endsWithin(patienceMilliseconds, firstTry);
  return {
    state: () => state,
    async close(): Promise<void> {
      await endsWithin(closeMilliseconds, ended);
    },
  };
}
