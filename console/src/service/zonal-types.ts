// Written by `npm run console-types` from the schemas of the service.
export type GroupZonal = {
  readonly group_id: string;
  readonly settings: {
    readonly by: 'district' | 'region' | 'all';
    readonly stats: readonly (
      | 'mean'
      | 'min'
      | 'max'
      | 'sd'
      | 'p5'
      | 'p10'
      | 'p25'
      | 'p50'
      | 'p75'
      | 'p90'
      | 'p95'
      | 'sum'
      | 'valid_share'
    )[];
    readonly min_valid_share: number;
    readonly values_are: 'density' | 'count';
    readonly name: string | null;
    readonly category_id: string | null;
  } | null;
  readonly dataset_id: string | null;
  readonly state: 'off' | 'up_to_date' | 'counting' | 'failed';
  readonly message: string;
  readonly districts_version: number | null;
  readonly made_at: string | null;
  readonly rasters: {
    readonly in_table: number;
    readonly waiting: number;
    readonly failed: number;
    readonly without_dates: number;
    readonly replaced: number;
  };
  readonly left_out: readonly {
    readonly dataset_id: string;
    readonly name: string;
    readonly start_date: string | null;
    readonly end_date: string | null;
    readonly state: 'waiting' | 'failed' | 'without_dates' | 'replaced';
    readonly message: string;
  }[];
};
