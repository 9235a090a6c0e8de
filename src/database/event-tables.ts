import type { ColumnType, Generated } from 'kysely';

/** See migration 0047. */
export interface EventTables {
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
