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
import { schemaFailures } from '../messages/service.ts';
import { StoreUnavailable } from '../object-store/object-store.ts';
import type { Components } from './components.ts';

const retryMilliseconds = 1000;
/** A database that answers and still refuses this often in a row will not change its mind. */
const maxRefusals = 3;
/** The time that a start waits for an object store that hangs. */
const patienceMilliseconds = 5000;
const closeMilliseconds = 1000;

/**
 * Migrates and seeds the database, waiting for it as long as it takes. Any number of roles may do so at once.
 * @param mayWait whether another process's migration is waited for, where the role may not migrate.
 * @throws {Error} at once, in a readable line, when a newer Steppe has migrated it; what the database said when it answers but cannot be prepared.
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
      // Of a database that it cannot reach either the listening connection tells.
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

/** Works with the tables that are there: a tool changes none. @throws {Error} in a readable line when they are not ours. */
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

/** A role that may not change its own settings works without: the client's deadlines need none of them. */
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

/** The state of seeding: done, under way, or waiting for something after a try that failed. */
export type SeedingState = 'done' | 'under way' | 'database' | 'object_store';

/**
 * Makes what the Landscape Program needs in a database that is migrated. Waits for the first try only, which mostly does
 * it; an object store that is away must not keep the service from what needs none, so further tries are made beside it
 * until `signal` aborts. Close it after that.
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
