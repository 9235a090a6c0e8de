import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { JsonText, Result, Timestamp } from './columns.ts';

/** Objects, jobs, access, events and the state of the service. */
export interface ServiceTables {
  objects: {
    key: string;
    state: 'writing' | 'live' | 'deleting';
    lease_until: Date | null;
    created_at: Timestamp;
    /** Null until the object is complete, and for objects older than this column. */
    size_bytes: Generated<number | null>;
    sha256: Generated<Buffer | null>;
    /** See migration 0019. */
    late_until: Generated<Date | null>;
  };
  jobs: {
    id: string;
    kind: string;
    ref_id: string;
    state: Generated<'queued' | 'running' | 'done' | 'failed' | 'cancelled'>;
    attempt: Generated<number>;
    engine_deaths: Generated<number>;
    worker_deaths: Generated<number>;
    unexpected_errors: Generated<number>;
    run_after: Timestamp;
    lease_until: Date | null;
    worker: string | null;
    last_error: string | null;
    created_at: Timestamp;
    finished_at: Date | null;
    /** `traceparent` of the span that enqueued it; null if tracing was off. */
    trace: string | null;
  };
  /** See migration 0055. */
  results: Result & {
    kind: string;
    dataset_id: string | null;
    input: string;
    state: 'pending' | 'made' | 'failed';
    content: Generated<JsonText>;
    object_key: string | null;
    /** The part that a long job has made so far. */
    progress: Generated<string | null>;
  };
  /** Work that one process at a time does; see migration 0040. */
  leases: { name: string; holder: string; lease_until: Date };
  tokens: {
    id: string;
    name: string;
    sha256: Buffer;
    scopes: string[];
    created_at: Timestamp;
    expires_at: Date | null;
    revoked_at: Date | null;
    last_used_at: Date | null;
  };
  /** See migration 0039. */
  idempotency_keys: {
    id: Buffer;
    claim: string;
    lease_until: Date | null;
    fingerprint: Generated<Buffer | null>;
    status: Generated<number | null>;
    location: Generated<string | null>;
    body: Generated<string | null>;
    created_at: Timestamp;
  };
  /** See migration 0047. */
  event_news: {
    id: ColumnType<number, never, never>;
    type: string;
    dataset_id: string | null;
    run_id: string | null;
    group_id: string | null;
    data: string;
    made_at: Generated<Date>;
  };
  events: {
    position: number;
    type: string;
    dataset_id: string | null;
    run_id: string | null;
    group_id: string | null;
    data: ColumnType<unknown, string, string>;
    made_at: Date;
  };
  event_log: {
    id: Generated<boolean>;
    epoch: Generated<string>;
    last: Generated<number>;
    forgotten: Generated<number>;
  };
  /** See migration 0048. */
  webhooks: {
    id: string;
    url: string;
    description: Generated<string>;
    types: string[] | null;
    dataset_id: string | null;
    group_id: string | null;
    run_id: string | null;
    secret: Buffer;
    state: Generated<'on' | 'off' | 'disabled'>;
    reason: 'gone' | 'failing' | null;
    epoch: string;
    position: number;
    attempts: Generated<number>;
    failing_since: Date | null;
    created_at: Timestamp;
    updated_at: Timestamp;
  };
  /** See migration 0051. */
  webhook_secrets: {
    webhook_id: string;
    secret: Buffer;
    until: ColumnType<Date, Date, Date>;
  };
  webhook_deliveries: {
    id: GeneratedAlways<number>;
    webhook_id: string;
    message_id: string;
    type: string;
    state: 'pending' | 'delivered' | 'failed';
    attempts: Generated<number>;
    status: number | null;
    error: string | null;
    created_at: Timestamp;
    attempted_at: Date | null;
  };
  backup_holds: { id: string; held_until: Date };
  milestones: { name: string; reached_at: Timestamp };
}
