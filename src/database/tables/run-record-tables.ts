import type { ColumnType } from 'kysely';

type Timestamp = ColumnType<Date, Date | undefined, Date>;

export type RecordState = 'draft' | 'proposed' | 'adopted' | 'withdrawn';

/** What people say of runs, and what they sign. */
export interface RunRecordTables {
  /** Each row for good; the greatest revision of a run is what people say of it. */
  landscape_run_records: {
    run_id: string;
    revision: number;
    name: string | null;
    note: string | null;
    state: RecordState;
    basis: string | null;
    changed_by: string | null;
    /** As the access log names them. */
    credentials: string | null;
    changed_at: Timestamp;
  };
  /** Each row for good; see migration 0031. */
  landscape_run_signatures: {
    run_id: string;
    revision: number;
    cms: Buffer;
    /** The bytes that it is over, UTF-8: a manifest or an inventory. */
    manifest: string;
    added_by: string | null;
    credentials: string | null;
    added_at: Timestamp;
  };
  /** Each row for good; see migration 0050. */
  landscape_signed_documents: {
    run_id: string;
    sha256: Buffer;
    content: Buffer;
  };
  /** What each run that is adopted now has read, made and reused. */
  adopted_datasets: {
    dataset_id: string;
    run_id: string;
    /** Of the style in force when the run was adopted. */
    style_sha256: Buffer | null;
  };
}
