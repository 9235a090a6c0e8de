import type { ColumnType } from 'kysely';

/** A `json` column, read and written as the stored text. */
type JsonText = string | null;

/** Features of vectors, and metadata that people add to datasets. */
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
