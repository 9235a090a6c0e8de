import type { ColumnType, Generated } from 'kysely';

/** See migration 0039. */
export interface RequestTables {
  idempotency_keys: {
    id: Buffer;
    claim: string;
    lease_until: Date | null;
    fingerprint: Generated<Buffer | null>;
    status: Generated<number | null>;
    location: Generated<string | null>;
    body: Generated<string | null>;
    created_at: ColumnType<Date, Date | undefined, Date>;
  };
}
