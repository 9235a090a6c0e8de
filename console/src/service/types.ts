// Written by `npm run console-types` from the schemas of the service.
export type Capabilities = {
  readonly auth: 'off' | 'token' | 'oidc';
  readonly scopes: readonly ('data:read' | 'data:write' | 'catalog:write' | 'landscape:run')[];
  readonly max_upload_bytes: number;
  readonly base_map: { readonly url: string; readonly attribution: string } | null;
};

export type Category = {
  readonly id: string;
  readonly parent_id: string | null;
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly created_at: string;
  readonly updated_at: string;
};

export type Dataset = {
  readonly id: string;
  readonly category_id: string;
  readonly dg_id: string | null;
  readonly start_date: string | null;
  readonly end_date: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly unit: string | null;
  readonly file_type: 'vector_with_kato' | 'vector' | 'raster';
  readonly size_bytes: number;
  readonly status:
    | 'pending'
    | 'processing'
    | 'parsing'
    | 'awaiting_mapping'
    | 'extracting'
    | 'ready'
    | 'failed';
  readonly created_at: string;
  readonly updated_at: string;
  readonly filename: string;
  readonly storage_key: string;
  readonly cog_storage_key: string | null;
  readonly sld_storage_key: string | null;
  readonly sld_filename: string | null;
  readonly sld_content_type: string | null;
  readonly content_type: string;
  readonly meta: Readonly<Record<string, unknown>> | null;
  readonly automated: boolean;
  readonly attribute_columns: readonly AttributeColumn[] | null;
  readonly kato_column: string | null;
  readonly year_columns: readonly YearColumn[] | null;
  readonly parse_error: string | null;
  readonly bbox?: readonly [number, number, number, number];
  readonly progress?: number;
};

type AttributeColumn = { readonly name: string; readonly samples?: readonly string[] };

type YearColumn = { readonly column: string; readonly start_date: string; readonly end_date?: string | null };

export type DatasetGroup = {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly sld_storage_key: string | null;
  readonly sld_filename: string | null;
  readonly sld_content_type: string | null;
  readonly created_at: string;
  readonly updated_at: string;
};

export type DatasetStatusView = {
  readonly id: string;
  readonly status:
    | 'pending'
    | 'processing'
    | 'parsing'
    | 'awaiting_mapping'
    | 'extracting'
    | 'ready'
    | 'failed';
  readonly parse_error: string | null;
  readonly progress?: number;
};

export type DatasetSummary = {
  readonly id: string;
  readonly category_id: string;
  readonly dg_id: string | null;
  readonly start_date: string | null;
  readonly end_date: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly unit: string | null;
  readonly file_type: 'vector_with_kato' | 'vector' | 'raster';
  readonly size_bytes: number;
  readonly status:
    | 'pending'
    | 'processing'
    | 'parsing'
    | 'awaiting_mapping'
    | 'extracting'
    | 'ready'
    | 'failed';
  readonly created_at: string;
  readonly updated_at: string;
};

export type GroupFreshness = {
  readonly group_id: string;
  readonly code: string;
  readonly name: string;
  readonly every: string;
  readonly grace: string;
  readonly state: 'fresh' | 'due' | 'overdue' | 'undated' | 'empty';
  readonly latest: {
    readonly id: string;
    readonly name: string;
    readonly start_date: string | null;
    readonly end_date: string | null;
  } | null;
  readonly next_due: string | null;
  readonly overdue_after: string | null;
  readonly today: string;
};

export type ImportReport = {
  readonly dataset_id: string;
  readonly engine: string;
  readonly source: {
    readonly driver: string;
    readonly layer: string | null;
    readonly layers: readonly {
      readonly name: string;
      readonly features: number | null;
      readonly geometry_types: readonly string[];
    }[];
    readonly crs: string | null;
    readonly extent: readonly [number, number, number, number] | null;
    readonly encoding: string | null;
    readonly encoding_from: string | null;
  } | null;
  readonly rows: { readonly read: number; readonly skipped: number | null } | null;
  readonly raster: {
    readonly width: number;
    readonly height: number;
    readonly bands: number;
    readonly data_type: string;
    readonly nodata: number | string | null;
    readonly scale?: number | readonly number[] | null;
    readonly offset?: number | readonly number[] | null;
    readonly band_names?: readonly (string | null)[];
    readonly band_units?: readonly (string | null)[];
    readonly crs: string | null;
    readonly proj?: string | null;
    readonly extent: readonly [number, number, number, number] | null;
    readonly resolution: readonly [number, number] | null;
    readonly cog: {
      readonly passed_through: boolean;
      readonly compression: string | null;
      readonly predictor: number | null;
      readonly overview_resampling: string | null;
    } | null;
  } | null;
  readonly timings: Readonly<Record<string, number>>;
  readonly failure?: { readonly code: string; readonly facts: readonly unknown[] } | null;
  readonly warnings: readonly {
    readonly code:
      | 'layers_left_out'
      | 'files_left_out'
      | 'crs_assumed'
      | 'crs_member_ignored'
      | 'no_georeference'
      | 'georeference_fitted'
      | 'colours_converted'
      | 'unusual_bits'
      | 'cog_differs'
      | 'encoding_guessed'
      | 'geometry_repaired'
      | 'geometry_lost'
      | 'rows_without_shape'
      | 'rows_without_code'
      | 'codes_without_district'
      | 'mixed_decimal_comma'
      | 'ambiguous_decimal_comma'
      | 'names_truncated'
      | 'property_repeated'
      | 'empty_layer'
      | 'not_freshest'
      | 'axes_maybe_swapped'
      | 'codes_repaired'
      | 'codes_repeated'
      | 'ambiguous_decimal_point'
      | 'columns_left_out'
      | 'dates_impossible'
      | 'datum_unknown'
      | 'encoding_overruled'
      | 'ids_left_out'
      | 'longitudes_turned'
      | 'nodata_suspected'
      | 'overviews_replaced'
      | 'no_values'
      | 'complex_values'
      | 'scale_zero'
      | 'solids_flattened'
      | 'heights_left_out'
      | 'heights_filled'
      | 'values_as_json'
      | 'features_left_out'
      | 'other_warnings';
    readonly message: string;
    readonly sentence?: { readonly code: string; readonly facts: readonly unknown[] };
  }[];
};

export type Lineage = {
  readonly dataset_id: string;
  readonly steps: readonly LineageStep[];
  readonly is_complete: boolean;
};

type LineageStep = {
  readonly dataset_id: string;
  readonly group: string | null;
  readonly title: string | null;
  readonly node: string | null;
  readonly run_id: string | null;
  readonly is_deleted: boolean;
  readonly name: string | null;
  readonly filename: string | null;
  readonly start_date: string | null;
  readonly end_date: string | null;
  readonly created_at: string | null;
  readonly size_bytes: number | null;
  readonly sha256: string | null;
  readonly inputs: readonly string[];
};

export type RasterStatistics = {
  readonly dataset_id: string;
  readonly pixels: number;
  readonly area_ha: number | null;
  readonly bands: readonly {
    readonly index: number;
    readonly valid: number;
    readonly nodata: number;
    readonly min: number | null;
    readonly max: number | null;
    readonly mean: number | null;
    readonly p2: number | null;
    readonly p98: number | null;
    readonly percentiles?: readonly number[] | null;
    readonly histogram: {
      readonly min: number;
      readonly max: number;
      readonly counts: readonly number[];
    } | null;
    readonly classes:
      | readonly { readonly value: number; readonly pixels: number; readonly hectares: number | null }[]
      | null;
    readonly no_data_ha: number | null;
  }[];
};
