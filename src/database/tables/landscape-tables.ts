import type { Generated } from 'kysely';
import type { UnitLevel } from '../../../common/maps/units/levels.ts';
import type { CalendarDate, Json, JsonText, Result, Timestamp } from './columns.ts';

export type RunStatus = 'queued' | 'running' | 'succeeded' | 'failed';
export type RunNodeStatus = 'pending' | 'running' | 'skipped' | 'succeeded' | 'failed';

export type RecordState = 'draft' | 'proposed' | 'adopted' | 'withdrawn';

/** Runs of the Landscape Program, and results made of them. */
export interface LandscapeTables {
  landscape_runs: {
    id: string;
    status: Generated<RunStatus>;
    params: string;
    overrides: string;
    from_stage: number | null;
    /** Null until it is planned, and for runs older than this column: version 1. */
    graph_version: Generated<number | null>;
    planned_inputs: Json;
    error: string | null;
    /** Code and facts of `error`. */
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
    /** The dataset that it reuses or makes. */
    output_id: string | null;
    start_date: CalendarDate;
    end_date: CalendarDate;
    /** See migration 0021. */
    plan: Json;
    /** See migration 0031. */
    made_with: Json;
    error: string | null;
    /** Code and facts of `error`. */
    failure: Generated<JsonText>;
    /** From 0 to 1; meaningful only while the node is running. */
    progress: Generated<number>;
    started_at: Date | null;
    finished_at: Date | null;
  };
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
  /** Run spread over workers; see migration 0037. */
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
  /** Never deleted: later runs over the same inputs use them. */
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
  landscape_layer_inputs: { layer_id: string; dataset_id: string };
  /** See migration 0032. */
  landscape_polygons: Result & {
    raster_id: string;
    run_id: string;
    node: string;
    min_area_ha: number | null;
    cut_by: UnitLevel | 'all' | null;
    districts_version: number | null;
    state: 'pending' | 'made' | 'failed';
    dataset_id: string | null;
    figures: Generated<string | null>;
    created_at: Timestamp;
  };
  /** See migration 0060. */
  made_inputs: Result & {
    slot: string;
    recipe: string;
    recipe_version: number;
    sources: string;
    state: 'pending' | 'made' | 'failed';
    dataset_id: string | null;
    figures: Generated<string | null>;
    created_at: Timestamp;
  };
  /** See migration 0028. */
  input_moves: Result & {
    run_id: string;
    delta_percent: number;
    state: 'pending' | 'made' | 'failed';
    figures: JsonText;
  };
  /** See migration 0033. */
  landscape_watch: {
    id: Generated<boolean>;
    is_on: boolean;
    hold: string;
    hold_seconds: number;
    language: 'en' | 'ru' | 'kk';
    seen_key: string | null;
    seen_at: Date | null;
    changed: string | null;
    settled_key: string | null;
    outcome: 'draft' | 'made_before' | 'same' | 'cannot_begin' | null;
    outcome_run_id: string | null;
    outcome_failure: string | null;
    settled_at: Date | null;
  };
  landscape_watch_drafts: {
    key: string;
    run_id: string;
    changed: string;
    made_at: Timestamp;
    compared_with: string | null;
  };
}
