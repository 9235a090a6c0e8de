import type { ColumnType, Generated } from 'kysely';
import type { EventTables } from './event-tables.ts';

type Timestamp = ColumnType<Date, Date | undefined, Date>;

/** The watch of inputs; see migration 0033. */
export interface WatchTables extends EventTables {
  dataset_group_cadences: { group_id: string; every: string; grace: string; changed_at: Timestamp };
  landscape_watch: {
    id: Generated<boolean>;
    is_on: boolean;
    hold: string;
    hold_seconds: number;
    language: 'en' | 'ru' | 'kk';
    seen_key: string | null;
    seen_at: Date | null;
    changed: string | null;
    settled_key: string | null;
    outcome: 'draft' | 'made_before' | 'same' | 'cannot_begin' | null;
    outcome_run_id: string | null;
    outcome_failure: string | null;
    settled_at: Date | null;
  };
  landscape_watch_drafts: {
    key: string;
    run_id: string;
    changed: string;
    made_at: Timestamp;
    compared_with: string | null;
  };
}
