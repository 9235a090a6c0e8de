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
  /** Another way to the same server, for the listening connection alone. */
  readonly listenBy?: (target: ClientConfig) => ClientConfig;
}

/** Long enough that a test which never sweeps ends before. */
export const neverMs = 3_600_000;

/** Long polls without HTTP around them, over a fresh database; they are heard of from the first moment on. */
export async function openWaiters(options: TestWaitersOptions = {}) {
  const { listenBy = (target) => target, ...limits } = options;
  const database = await openTestDatabase();
  const listener = await openListener(listenBy(database.target), { onError: () => undefined });
  const draining = new AbortController();
  const waiters = createStatusWaiters({ db: database.db, listener, draining: draining.signal, ...limits });
  await listener.check(); // asked after the channel was, so it is listened to
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

/** A client that stays. */
export const present = createAnswer();

/** An answer that need not be sent. */
export function createAnswer(): ServerResponse {
  const answer = new ServerResponse(new IncomingMessage(new Socket()));
  answer.setMaxListeners(0);
  return answer;
}
