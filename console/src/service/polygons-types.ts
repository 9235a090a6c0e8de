// Written by `npm run console-types` from the schemas of the service.
export type RunPolygons = {
  readonly id: string;
  readonly run_id: string;
  readonly node: '21' | '22' | '23' | '24' | '25' | '26' | '31' | '32' | '33' | '34' | '05';
  readonly raster_id: string;
  readonly min_area_ha: number | null;
  readonly by: 'district' | 'region' | 'all' | null;
  readonly districts_version: number | null;
  readonly state: 'pending' | 'made' | 'failed';
  readonly error: string | null;
  readonly fitting_min_area_ha: number | null;
  readonly dataset_id: string | null;
  readonly dataset_status:
    | 'pending'
    | 'processing'
    | 'parsing'
    | 'awaiting_mapping'
    | 'extracting'
    | 'ready'
    | 'failed'
    | null;
  readonly zones: number | null;
  readonly zones_below_minimum: number | null;
  readonly positions: number | null;
  readonly pixels_ha: number | null;
  readonly polygons_ha: number | null;
  readonly classes: readonly RunPolygonsClass[] | null;
  readonly created_at: string;
};

type RunPolygonsClass = {
  readonly value: number;
  readonly title: string | null;
  readonly color: string | null;
  readonly zones_before: number;
  readonly zones: number;
  readonly pixels_ha: number;
  readonly polygons_ha: number;
  readonly difference_ha: number;
};
