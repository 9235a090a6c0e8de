import type { ColumnType } from 'kysely';

/** The columns have millisecond precision. */
export type Timestamp = ColumnType<Date, Date | undefined, Date>;
/** A `json` column, read and written as the stored text: digits and key order are kept. */
export type JsonText = string | null;
/** A `jsonb` column, read as parsed JSON. */
export type Json = ColumnType<unknown, string | null | undefined, string | null>;
/** `YYYY-MM-DD`; never a Date, which the time zone would shift. */
export type CalendarDate = string | null;
