import type { Generated } from 'kysely';
import type { ColumnType } from 'kysely';

/** The columns have millisecond precision. */
export type Timestamp = ColumnType<Date, Date | undefined, Date>;
/** A `json` column, read and written as the stored text: digits and key order are kept. */
export type JsonText = string | null;
/** A `jsonb` column, read as parsed JSON. */
export type Json = ColumnType<unknown, string | null | undefined, string | null>;
/** `YYYY-MM-DD`; never a Date, which the time zone would shift. */
export type CalendarDate = string | null;

/** The columns that the tables of results that jobs make have in common; see migration 0054. */
export interface Result {
  id: string;
  /** Equal keys have equal results. */
  key: string;
  failure: Generated<string | null>;
  is_final: Generated<boolean>;
  changed_at: Timestamp;
  used_at: Timestamp;
}
