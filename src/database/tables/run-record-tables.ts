import type { ColumnType } from 'kysely';

type Timestamp = ColumnType<Date, Date | undefined, Date>;

export type RecordState = 'draft' | 'proposed' | 'adopted' | 'withdrawn';

/** Records and signatures of runs. */
export interface RunRecordTables {
  /** Append-only; the greatest revision of a run is current. */
  landscape_run_records: {
    run_id: string;
    revision: number;
    name: string | null;
    note: string | null;
    state: RecordState;
    basis: string | null;
    changed_by: string | null;
    /** Name of the credentials in the access log. */
    credentials: string | null;
    changed_at: Timestamp;
  };
  /** Append-only; see migration 0031. */
  landscape_run_signatures: {
    run_id: string;
    revision: number;
    cms: Buffer;
    /** The signed bytes, UTF-8: a manifest or an inventory. */
    manifest: string;
    added_by: string | null;
    credentials: string | null;
    added_at: Timestamp;
  };
  /** Append-only; see migration 0050. */
  landscape_signed_documents: {
    run_id: string;
    sha256: Buffer;
    content: Buffer;
  };
  /** Datasets that each adopted run has read, made or reused. */
  adopted_datasets: {
    dataset_id: string;
    run_id: string;
    /** Digest of the style that was in force when the run was adopted. */
    style_sha256: Buffer | null;
  };
}
