import type { Generated } from 'kysely';

/** Tables of runs that are spread over workers; see migration 0037. */
export interface SpreadTables {
  landscape_passes: {
    run_id: string;
    stamp: string;
    queue: string;
    blocks: number;
    spec: string;
    away_since: Generated<Date | null>;
  };
  landscape_parts: {
    run_id: string;
    place: number;
    part_key: string | null;
    counts: string;
    files: string;
    gaps: string | null;
  };
}
