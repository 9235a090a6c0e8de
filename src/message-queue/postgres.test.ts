import { sql } from 'kysely';
import { describeMessageQueue } from '../../test/contract/message-queue.ts';
import { openTestDatabase } from '../../test/support/database.ts';
import { openListener } from '../database/listener.ts';
import { createPostgresMessageQueue } from './postgres.ts';

describeMessageQueue('PostgreSQL', async () => {
  const database = await openTestDatabase();
  const { db } = database;
  const onError = (): void => undefined;
  const listeners = [
    await openListener(database.target, { onError }),
    await openListener(database.target, { onError }),
  ] as const;
  const queue = createPostgresMessageQueue(db, listeners[0], onError);
  const other = createPostgresMessageQueue(db, listeners[1], onError);
  return {
    queue,
    other,
    async interrupt() {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
    },
    async close() {
      await queue.close();
      await other.close();
      for (const listener of listeners) await listener.close();
      await database.close();
    },
  };
});
