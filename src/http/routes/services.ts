import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Database } from '../../database/tables.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import type { AccessPolicy } from '../access/access-policy.ts';
import type { StatusWaiters } from '../long-poll/status-waiters.ts';

/** Resolves when a component answers; rejects otherwise. */
type Check = () => Promise<void>;

/** Everything that the HTTP edge works with. */
export interface Services {
  readonly db: Database;
  /** For cursors, which need a client of their own. */
  readonly pool: pg.Pool;
  readonly objectStore: ObjectStore;
  readonly messageQueue: MessageQueue;
  readonly statusWaiters: StatusWaiters;
  /** Whether the database has its tables; until then whatever needs them is 503. */
  isPrepared(): boolean;
  /** What `/readyz` asks, by the names that it answers with. */
  readonly checks: Readonly<Record<'database' | 'object_store' | 'message_queue', Check>>;
  /** Of a request's whole body. */
  readonly maxUploadBytes: number;
  /** Aborts when the service begins to shut down: not ready any more, connections close after their answer. */
  readonly draining: AbortSignal;
  readonly access: AccessPolicy;
  readonly log: FastifyBaseLogger;
}
