import type { ColumnType, Generated } from 'kysely';

type Timestamp = ColumnType<Date, Date | undefined, Date>;

/** See migration 0038. */
export interface UploadTables {
  uploads: {
    id: string;
    metadata: string;
    length: number;
    received: Generated<number>;
    writer: Generated<string | null>;
    finishing_until: Generated<Date | null>;
    dataset_id: Generated<string | null>;
    ended_at: Generated<Date | null>;
    created_at: Timestamp;
    changed_at: Timestamp;
    expires_at: Date;
  };
  upload_pieces: { upload_id: string; start: number; size_bytes: number; object_key: string };
}
