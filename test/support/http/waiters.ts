import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { ClientConfig } from 'pg';
import { openListener } from '../../../src/database/listener.ts';
import type { DatasetStatus } from '../../../src/database/tables/tables.ts';
import { createStatusWaiters } from '../../../src/http/long-poll/status-waiters.ts';
import { openTestDatabase } from '../database.ts';

export type TestWaiters = Awaited<ReturnType<typeof openWaiters>>;

export interface TestWaitersOptions {
  readonly maxWaiters?: number;
  readonly sweepMs?: number;
  /** Changes the address of the server for the listening connection alone. */
  readonly listenBy?: (target: ClientConfig) => ClientConfig;
}

/** Longer than a test that never sweeps. */
export const neverMs = 3_600_000;

/** Long polls without HTTP, over a new database; their changes are notified from the start. */
export async function openWaiters(options: TestWaitersOptions = {}) {
  const { listenBy = (target) => target, ...limits } = options;
  const database = await openTestDatabase();
  const listener = await openListener(listenBy(database.target), { onError: () => undefined });
  const draining = new AbortController();
  const waiters = createStatusWaiters({ db: database.db, listener, draining: draining.signal, ...limits });
  await listener.check(); // answered after the subscription, so the channel is active
  return {
    get size() {
      return waiters.size;
    },
    wait: waiters.wait,
    database,
    async setStatus(id: string, status: DatasetStatus): Promise<void> {
      await database.db.updateTable('datasets').set({ status }).where('id', '=', id).execute();
    },
    close: waiters.close,
    async [Symbol.asyncDispose]() {
      draining.abort();
      await waiters.close();
      await listener.close();
      await database.close();
    },
  };
}

/** An answer to a client that stays connected. */
export const present = createAnswer();

/** An answer that is never sent. */
export function createAnswer(): ServerResponse {
  const answer = new ServerResponse(new IncomingMessage(new Socket()));
  answer.setMaxListeners(0);
  return answer;
}
