import type { ColumnType } from 'kysely';

/** A `json` column, read and written as the text that was stored. */
type JsonText = string | null;

/** The tables of what is found in files, and of what people add to the records of datasets. */
export interface MetadataTables {
  import_reports: {
    dataset_id: string;
    engine: string;
    source: JsonText;
    rows: JsonText;
    raster: JsonText;
    timings: string;
    warnings: string;
    updated_at: ColumnType<Date, Date | undefined, Date>;
  };
  /** See migration 0049. */
  dataset_metadata: {
    dataset_id: string;
    fields: string;
    changed_at: ColumnType<Date, Date | undefined, Date>;
  };
}
