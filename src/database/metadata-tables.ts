import type { ColumnType } from 'kysely';

/** The table of what people add to the records of datasets. */
export interface MetadataTables {
  /** See migration 0049. */
  dataset_metadata: {
    dataset_id: string;
    /** A `json` column, read and written as the text that was stored. */
    fields: string;
    changed_at: ColumnType<Date, Date | undefined, Date>;
  };
}
