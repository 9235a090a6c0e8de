import type { ColumnType, Generated, GeneratedAlways, Kysely, Transaction as Transacting } from 'kysely';
import type { RunRecordTables } from './run-record-tables.ts';
import type { MetadataTables } from './metadata-tables.ts';
import type { CountedTables, Result } from './counted-tables.ts';
import type { SpreadTables } from './spread-tables.ts';
import type { RequestTables } from './request-tables.ts';
import type { UploadTables } from './upload-tables.ts';
import type { WatchTables } from './watch-tables.ts';

export type { RecordState } from './run-record-tables.ts';

/** Milliseconds are enough: the columns hold no more. */
type Timestamp = ColumnType<Date, Date | undefined, Date>;
/** A `json` column, read and written as the text that was stored: digits and key order kept. */
type JsonText = string | null;
/** A `jsonb` column: read as what the text means. */
type Json = ColumnType<unknown, string | null | undefined, string | null>;
/** `YYYY-MM-DD`; never a Date, which would shift by the time zone. */
type CalendarDate = string | null;

interface Touched {
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** The file name and media type under which the SLD of a dataset or a group was uploaded. */
interface Styled {
  sld_filename: string | null;
  sld_content_type: string | null;
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

/** The kind of an object of a dataset; `rows` are those of a table until its first mapping, `facts` what its columns are like, `match` with which codes it was extracted; tiles are drawn from the views. */
export type DatasetFileKind =
  | 'original'
  | 'cog'
  | 'geojson'
  | 'fgb'
  | 'series'
  | 'rows'
  | 'facts'
  | 'match'
  | 'view_mesh'
  | 'view_cog'
  | 'sld';
export type FileEncoding = 'identity' | 'gzip' | 'br';

/** See migration 0016. */
export type ViewState = 'pending' | 'made' | 'none' | 'failed';

export type RunStatus = 'queued' | 'running' | 'succeeded' | 'failed';
export type RunNodeStatus = 'pending' | 'running' | 'skipped' | 'succeeded' | 'failed';

export interface Tables
  extends
    CountedTables,
    MetadataTables,
    RequestTables,
    RunRecordTables,
    SpreadTables,
    UploadTables,
    WatchTables {
  objects: {
    key: string;
    state: 'writing' | 'live' | 'deleting';
    lease_until: Date | null;
    created_at: Timestamp;
    /** Null until all of it is stored, and where it was stored before sizes were kept. */
    size_bytes: Generated<number | null>;
    sha256: Generated<Buffer | null>;
    /** See migration 0019. */
    late_until: Generated<Date | null>;
  };
  categories: Touched & {
    id: string;
    parent_id: string | null;
    code: string;
    name: string;
    description: string;
  };
  dataset_groups: Touched &
    Styled & {
      id: string;
      code: string;
      name: string;
      description: string;
      sld_storage_key: string | null;
    };
  datasets: Touched &
    Styled & {
      id: string;
      category_id: string;
      dg_id: string | null;
      start_date: CalendarDate;
      end_date: CalendarDate;
      name: string;
      description: string | null;
      unit: string | null;
      filename: string;
      /** Null until a process has checked whether it can be drawn. */
      view_state: ViewState | null;
      file_type: FileType;
      size_bytes: number;
      content_type: string;
      meta: JsonText;
      automated: Generated<boolean>;
      status: Generated<DatasetStatus>;
      attribute_columns: JsonText;
      column_formats: JsonText;
      kato_column: string | null;
      year_columns: JsonText;
      mapping_version: Generated<number>;
      observation_set_id: number | null;
      parse_error: string | null;
      /** Code and facts of its parse_error. */
      failure: JsonText;
      bbox: number[] | null;
      /** See migration 0045. */
      extent: Generated<number[] | null>;
      extent_known: Generated<boolean>;
      /** See migration 0039. */
      progress: Generated<number | null>;
    };
  /** Changed by `src/datasets/files.ts` alone. */
  dataset_files: {
    dataset_id: string;
    kind: DatasetFileKind;
    encoding: FileEncoding;
    object_key: string;
    /** The version of the districts that it was made from; null where districts are not in it. */
    made_from: number | null;
  };
  observation_sets: {
    id: GeneratedAlways<number>;
    dataset_id: string;
    job_id: string;
    attempt: number;
    created_at: Timestamp;
  };
  observations: {
    set_id: number;
    id: string;
    kato_code: string;
    start_date: string;
    end_date: CalendarDate;
    value: number | null;
    value_text: string | null;
    mapping_order: number;
    row_number: number;
  };
  districts: {
    kato_code: string;
    level: 'region' | 'district';
    name: string;
    name_kk: string | null;
    name_en: string | null;
    geometry: string;
    valid_from: Generated<CalendarDate>;
    valid_to: Generated<CalendarDate>;
  };
  /** See migration 0034. */
  former_districts: {
    kato_code: string;
    valid_to: string;
    valid_from: CalendarDate;
    level: 'region' | 'district';
    name: string;
    name_kk: string | null;
    name_en: string | null;
    geometry: string | null;
  };
  district_changes: {
    position: number;
    from_code: string;
    to_code: string | null;
    to_name: string | null;
    kind: 'recode' | 'rename' | 'split' | 'merge' | 'border';
    date: string;
    share_area: number | null;
    act: string;
  };
  districts_version: { version: number; history: Generated<number> };
  jobs: {
    id: string;
    kind: string;
    ref_id: string;
    state: Generated<'queued' | 'running' | 'done' | 'failed' | 'cancelled'>;
    attempt: Generated<number>;
    engine_deaths: Generated<number>;
    worker_deaths: Generated<number>;
    unexpected_errors: Generated<number>;
    run_after: Timestamp;
    lease_until: Date | null;
    worker: string | null;
    last_error: string | null;
    created_at: Timestamp;
    finished_at: Date | null;
    /** The span that enqueued it, as a `traceparent`; null when traces were off then. */
    trace: string | null;
  };
  landscape_runs: {
    id: string;
    status: Generated<RunStatus>;
    params: string;
    overrides: string;
    from_stage: number | null;
    /** Null until it is planned, and in runs of before it was kept: then 1. */
    graph_version: Generated<number | null>;
    planned_inputs: Json;
    error: string | null;
    /** Code and facts of its error. */
    failure: Generated<JsonText>;
    created_at: Timestamp;
    started_at: Date | null;
    finished_at: Date | null;
  };
  landscape_run_nodes: {
    id: string;
    run_id: string;
    node_code: string;
    stage: number;
    status: Generated<RunNodeStatus>;
    fingerprint: Generated<string>;
    inputs: JsonText;
    /** The dataset that it reuses, or the one that it makes. */
    output_id: string | null;
    start_date: CalendarDate;
    end_date: CalendarDate;
    /** See migration 0021. */
    plan: Json;
    /** See migration 0031. */
    made_with: Json;
    error: string | null;
    /** Code and facts of its error. */
    failure: Generated<JsonText>;
    /** From 0 to 1; of no meaning but while the node is running. */
    progress: Generated<number>;
    started_at: Date | null;
    finished_at: Date | null;
  };
  /** Kept for ever: later runs over the same inputs use them. */
  landscape_gaps: { key: string; figures: string; created_at: Timestamp };
  /** See migration 0027. */
  landscape_layers: Result & {
    layer: string;
    run_id: string;
    state: 'pending' | 'made' | 'failed';
    cog_key: string | null;
    mesh_key: string | null;
    created_at: Timestamp;
  };
  /** See migration 0032. */
  landscape_polygons: Result & {
    raster_id: string;
    run_id: string;
    node: string;
    min_area_ha: number | null;
    cut_by: 'district' | 'region' | 'all' | null;
    districts_version: number | null;
    state: 'pending' | 'made' | 'failed';
    dataset_id: string | null;
    figures: Generated<string | null>;
    created_at: Timestamp;
  };
  landscape_layer_inputs: { layer_id: string; dataset_id: string };
  /** Written and deleted with the object that is the style. */
  compiled_styles: { sld_storage_key: string; compiled: string };
  backup_holds: { id: string; held_until: Date };
  milestones: { name: string; reached_at: Timestamp };
  tokens: {
    id: string;
    name: string;
    sha256: Buffer;
    scopes: string[];
    created_at: Timestamp;
    expires_at: Date | null;
    revoked_at: Date | null;
    last_used_at: Date | null;
  };
}

export type Database = Kysely<Tables>;
export type Transaction = Transacting<Tables>;
