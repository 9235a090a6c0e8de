import type { Generated } from 'kysely';
import type { CalendarDate, JsonText, Timestamp } from './columns.ts';

interface Touched {
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** File name and media type of the uploaded SLD of a dataset or a group. */
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

/**
 * Kind of an object of a dataset: `rows` of a table until its first mapping, `facts` about its columns, `match` with
 * the codes of its extraction; tiles are drawn from the views.
 */
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

/** Result of the last look at a file of another server. */
/** Origin of the values of a dataset. */
export type Origin = 'measured' | 'derived' | 'invented';
export type ReferenceState = 'unchanged' | 'changed' | 'unreachable';

/** See migration 0016. */
export type ViewState = 'pending' | 'made' | 'none' | 'failed';

interface DatasetKind {
  dg_id: string | null;
  start_date: string | null;
  end_date: string | null;
  file_type: string;
  status: string;
  automated: boolean;
}

/** Datasets with their categories and groups, files, facts and uploads. */
export interface DatasetTables {
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
  /** See migration 0059. */
  form_templates: {
    id: string;
    group_id: string;
    filename: string;
    format: 'xlsx' | 'ods';
    object_key: string;
    size_bytes: number;
    created_at: Timestamp;
  };
  dataset_group_cadences: { group_id: string; every: string; grace: string; changed_at: Timestamp };
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
      /** Code and facts of `parse_error`. */
      failure: JsonText;
      bbox: number[] | null;
      /** See migration 0045. */
      extent: Generated<number[] | null>;
      extent_known: Generated<boolean>;
      /** See migration 0039. */
      progress: Generated<number | null>;
    };
  /** Written by `src/datasets/files.ts` only. */
  dataset_files: {
    dataset_id: string;
    kind: DatasetFileKind;
    encoding: FileEncoding;
    object_key: string;
    /** Version of the districts in the file; null for a file without districts. */
    made_from: number | null;
  };
  /** See migration 0062. */
  dataset_references: {
    dataset_id: string;
    address: string;
    etag: string | null;
    last_modified: string | null;
    state: Generated<ReferenceState>;
    reason: JsonText;
    changed_block: Generated<number | null>;
    checked_at: Generated<Date>;
    is_copying: Generated<boolean>;
  };
  /** See migration 0049. */
  dataset_metadata: {
    dataset_id: string;
    fields: string;
    changed_at: Timestamp;
  };
  /** See migration 0063; rows outlive their datasets. Written by `src/datasets/origins.ts` only. */
  dataset_origins: {
    dataset_id: string;
    origin: Origin;
    changed_at: Timestamp;
  };
  import_reports: {
    dataset_id: string;
    engine: string;
    source: JsonText;
    rows: JsonText;
    raster: JsonText;
    timings: string;
    warnings: string;
    updated_at: Timestamp;
  };
  /** Number of datasets; see migrations 0040 and 0042. Only triggers and functions of the database change it. */
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
  /** Written and deleted together with the object of the style. */
  compiled_styles: { sld_storage_key: string; compiled: string };
  /** See migration 0038. */
  uploads: {
    id: string;
    metadata: string;
    length: number;
    received: Generated<number>;
    writer: Generated<string | null>;
    finishing_until: Generated<Date | null>;
    dataset_id: Generated<string | null>;
    source_file_id: Generated<string | null>;
    ended_at: Generated<Date | null>;
    created_at: Timestamp;
    changed_at: Timestamp;
    expires_at: Date;
  };
  /** See migration 0061. */
  source_files: {
    id: string;
    filename: string;
    format: string;
    object_key: string;
    size_bytes: number;
    sha256: string;
    created_at: Timestamp;
    used_at: Timestamp;
  };
  upload_pieces: { upload_id: string; start: number; size_bytes: number; object_key: string };
}
