import type {
  ColumnType,
  Generated,
  GeneratedAlways,
  Kysely,
  Transaction as KyselyTransaction,
} from 'kysely';

/** Milliseconds since the epoch are enough: the columns hold no more. */
type Timestamp = ColumnType<Date, Date | undefined, Date>;
type Defaulted<T> = Generated<T>;
/** A `json` column: read as the text that was stored (digits and key order kept), written as text. */
type JsonText = string | null;
/** `YYYY-MM-DD`; never a Date, which would shift by the time zone. */
type CalendarDate = string | null;

interface Touched {
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** The SLD style of a dataset or a group. */
interface Styled {
  sld_storage_key: string | null;
  sld_filename: string | null;
  sld_content_type: string | null;
}

export interface ObjectsTable {
  key: string;
  state: 'writing' | 'live' | 'deleting';
  lease_until: Date | null;
  created_at: Timestamp;
}

export interface CategoriesTable extends Touched {
  id: string;
  parent_id: string | null;
  code: string;
  name: string;
  description: string;
}

export interface DatasetGroupsTable extends Touched, Styled {
  id: string;
  code: string;
  name: string;
  description: string;
}

export type FileType = 'vector_with_kato' | 'vector' | 'raster';
export type DatasetStatus =
  | 'pending'
  | 'processing'
  | 'parsing'
  | 'awaiting_mapping'
  | 'extracting'
  | 'ready'
  | 'failed';

export interface DatasetsTable extends Touched, Styled {
  id: string;
  category_id: string;
  dg_id: string | null;
  start_date: CalendarDate;
  end_date: CalendarDate;
  name: string;
  description: string | null;
  unit: string | null;
  filename: string;
  storage_key: string;
  cog_storage_key: string | null;
  geojson_storage_key: string | null;
  file_type: FileType;
  size_bytes: number;
  content_type: string;
  meta: JsonText;
  automated: Defaulted<boolean>;
  status: Defaulted<DatasetStatus>;
  attribute_columns: JsonText;
  column_formats: JsonText;
  kato_column: string | null;
  year_columns: JsonText;
  mapping_version: Defaulted<number>;
  observation_set_id: number | null;
  /** The version of the districts from which its GeoJSON was made. */
  districts_version: number | null;
  parse_error: string | null;
  bbox: number[] | null;
}

export interface ImportReportsTable {
  dataset_id: string;
  engine: string;
  source: JsonText;
  rows: JsonText;
  raster: JsonText;
  timings: string;
  warnings: string;
  updated_at: Timestamp;
}

export interface ObservationSetsTable {
  id: GeneratedAlways<number>;
  dataset_id: string;
  job_id: string;
  attempt: number;
  created_at: Timestamp;
}

export interface ObservationsTable {
  set_id: number;
  id: string;
  kato_code: string;
  start_date: string;
  end_date: CalendarDate;
  value: number | null;
  value_text: string | null;
  mapping_order: number;
  row_number: number;
}

export interface DistrictsTable {
  kato_code: string;
  level: 'region' | 'district';
  name: string;
  name_kk: string | null;
  name_en: string | null;
  geometry: string;
}

export interface JobsTable {
  id: string;
  kind: string;
  ref_id: string;
  state: Defaulted<'queued' | 'running' | 'done' | 'failed' | 'cancelled'>;
  attempt: Defaulted<number>;
  engine_deaths: Defaulted<number>;
  worker_deaths: Defaulted<number>;
  run_after: Timestamp;
  lease_until: Date | null;
  worker: string | null;
  last_error: string | null;
  created_at: Timestamp;
  finished_at: Date | null;
}

export type RunStatus = 'queued' | 'running' | 'succeeded' | 'failed';
export type RunNodeStatus = 'pending' | 'running' | 'skipped' | 'succeeded' | 'failed';

export interface LandscapeRunsTable {
  id: string;
  status: Defaulted<RunStatus>;
  params: string;
  overrides: string;
  from_stage: number | null;
  error: string | null;
  created_at: Timestamp;
  started_at: Date | null;
  finished_at: Date | null;
}

export interface LandscapeRunNodesTable {
  id: string;
  run_id: string;
  node_code: string;
  stage: number;
  status: Defaulted<RunNodeStatus>;
  fingerprint: Defaulted<string>;
  inputs: JsonText;
  /** The dataset that it reuses, or the one that it makes. */
  output_id: string | null;
  start_date: CalendarDate;
  end_date: CalendarDate;
  error: string | null;
  started_at: Date | null;
  finished_at: Date | null;
}

export interface TokensTable {
  id: string;
  name: string;
  sha256: Buffer;
  scopes: string[];
  created_at: Timestamp;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
}

export interface Tables {
  objects: ObjectsTable;
  categories: CategoriesTable;
  dataset_groups: DatasetGroupsTable;
  datasets: DatasetsTable;
  import_reports: ImportReportsTable;
  observation_sets: ObservationSetsTable;
  observations: ObservationsTable;
  districts: DistrictsTable;
  districts_version: { version: number };
  jobs: JobsTable;
  landscape_runs: LandscapeRunsTable;
  landscape_run_nodes: LandscapeRunNodesTable;
  milestones: { name: string; reached_at: Timestamp };
  tokens: TokensTable;
}

export type Database = Kysely<Tables>;
export type Transaction = KyselyTransaction<Tables>;
