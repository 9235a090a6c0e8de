import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

type Timestamp = ColumnType<Date, Date | undefined, Date>;

/** See migration 0048. */
interface WebhookTables {
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
}

/** See migration 0047. */
export interface EventTables extends WebhookTables {
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
}
