import type { ColumnType, Generated } from 'kysely';

type Timestamp = ColumnType<Date, Date | undefined, Date>;
/** A `json` column, read and written as the text that was stored. */
type JsonText = string | null;

interface DatasetKind {
  dg_id: string | null;
  start_date: string | null;
  end_date: string | null;
  file_type: string;
  status: string;
  automated: boolean;
}

/** What the tables of results that jobs make have in common; see migration 0054. */
export interface Result {
  id: string;
  /** Of what it is made of: equal keys have equal results. */
  key: string;
  failure: Generated<string | null>;
  is_final: Generated<boolean>;
  changed_at: Timestamp;
  used_at: Timestamp;
}

/** The tables of what is counted once, and of what is made of it. */
export interface CountedTables {
  /** What one process at a time does; see migration 0040. */
  leases: { name: string; holder: string; lease_until: Date };
  /** How many datasets there are; see migrations 0040 and 0042. Changed by triggers and functions of the database alone. */
  dataset_counts: DatasetKind & {
    grain: 'category' | 'group' | 'period' | 'day';
    category_id: string | null;
    created_on: string | null;
    datasets: number;
  };
  dataset_count_changes: DatasetKind & { category_id: string; created_on: string; change: number };
  /** See migration 0023. */
  raster_statistics: {
    dataset_id: string;
    state: 'pending' | 'counted' | 'failed';
    counts: JsonText;
    is_final: Generated<boolean>;
  };
  /** See migration 0043. */
  vector_features: {
    dataset_id: string;
    state: 'pending' | 'made' | 'none' | 'failed';
    features: number | null;
    box: number[] | null;
    is_final: Generated<boolean>;
  };
  /** See migration 0028. */
  input_moves: Result & {
    run_id: string;
    delta_percent: number;
    state: 'pending' | 'made' | 'failed';
    figures: JsonText;
  };
  /** See migration 0026. */
  area_counts: Result & {
    state: Generated<'pending' | 'counted' | 'failed'>;
    cogs: string[];
    units: string | null;
    districts_version: number | null;
    max_classes: number;
    of: Generated<'classes' | 'values'>;
    figures: Generated<string | null>;
  };
  /** See migration 0030. */
  sheet_atlases: Result & {
    dataset_id: string;
    wanted: string;
    state: 'pending' | 'made' | 'failed';
    object_key: string | null;
  };
  /** See migration 0036. */
  dataset_denominators: {
    dataset_id: string;
    kind: 'area' | 'dataset';
    denominator_id: string | null;
    per: number;
    changed_at: Timestamp;
  };
  /** See migration 0029. */
  zonal_tables: {
    group_id: string;
    id: string;
    dataset_id: string | null;
    category_id: string | null;
    name: string | null;
    by_level: 'district' | 'region' | 'all';
    stats: string[];
    min_valid_share: number;
    values_are: 'density' | 'count';
    wanted: Generated<number>;
    tried: Generated<number>;
    made: Generated<number>;
    districts_version: number | null;
    rasters: Generated<string[]>;
    digest: string | null;
    made_at: Date | null;
    failure: string | null;
  };
}
