// Written by `npm run console-types` from the schemas of the service.
export type LandscapeInputSensitivity = {
  readonly run_id: string;
  readonly delta_percent: number;
  readonly node: '34';
  readonly sample: {
    readonly blocks: number;
    readonly of_blocks: number;
    readonly block_side: number;
    readonly is_whole: boolean;
  };
  readonly inputs: readonly {
    readonly group: string;
    readonly title: string;
    readonly dataset_id: string;
    readonly is_moved: boolean;
    readonly decreased: { readonly changed_share: number; readonly standard_error: number } | null;
    readonly increased: { readonly changed_share: number; readonly standard_error: number } | null;
  }[];
};

export type LandscapeLimits = {
  readonly run_id: string;
  readonly unit: 'ha';
  readonly method: {
    readonly area: 'geodesic, WGS 84';
    readonly border: 'coverage fraction';
    readonly overviews: false;
  };
  readonly by: 'district' | 'region' | 'all';
  readonly districts_version: number;
  readonly sector: '21' | '22' | '23' | '24' | '25';
  readonly title: string;
  readonly relieved:
    | 'topography'
    | 'moisture'
    | 'snow'
    | 'warmth'
    | 'texture'
    | 'carbon'
    | 'salinity'
    | 'water'
    | 'cover'
    | 'growth'
    | 'road'
    | 'attraction'
    | null;
  readonly factors: readonly {
    readonly factor:
      | 'topography'
      | 'moisture'
      | 'snow'
      | 'warmth'
      | 'texture'
      | 'carbon'
      | 'salinity'
      | 'water'
      | 'cover'
      | 'growth'
      | 'road'
      | 'attraction';
    readonly letter: string;
    readonly title: string;
    readonly inputs: readonly { readonly group: string; readonly title: string }[];
  }[];
  readonly units: readonly {
    readonly kato: string;
    readonly name: string;
    readonly name_kk: string | null;
    readonly name_en: string | null;
    readonly level: 'region' | 'district';
    readonly area_ha: number;
    readonly outside_raster_ha: number;
    readonly classes: readonly LimitedClass[];
    readonly not_allocable_ha: number;
    readonly no_data_ha: number;
  }[];
  readonly raster: {
    readonly area_ha: number;
    readonly classes: readonly LimitedClass[];
    readonly not_allocable_ha: number;
    readonly no_data_ha: number;
  };
  readonly outside_units: {
    readonly area_ha: number;
    readonly classes: readonly LimitedClass[];
    readonly not_allocable_ha: number;
    readonly no_data_ha: number;
  };
};

type LimitedClass = {
  readonly class: number;
  readonly ha: number;
  readonly relieved_ha: number | null;
  readonly limits: readonly {
    readonly factor:
      | 'topography'
      | 'moisture'
      | 'snow'
      | 'warmth'
      | 'texture'
      | 'carbon'
      | 'salinity'
      | 'water'
      | 'cover'
      | 'growth'
      | 'road'
      | 'attraction';
    readonly alone_ha: number;
    readonly with_others_ha: number;
  }[];
  readonly subclasses: readonly { readonly subclass: string; readonly ha: number }[];
};

export type LandscapeWhere = {
  readonly run_id: string;
  readonly unit: 'ha';
  readonly method: {
    readonly area: 'geodesic, WGS 84';
    readonly border: 'coverage fraction';
    readonly overviews: false;
  };
  readonly by: 'district' | 'region' | 'all';
  readonly districts_version: number;
  readonly conditions: string;
  readonly parts: readonly {
    readonly group: string;
    readonly title: string;
    readonly unit: string | null;
    readonly comparison: '<' | '<=' | '=' | '!=' | '>=' | '>';
    readonly value: number;
  }[];
  readonly units: readonly {
    readonly kato: string;
    readonly name: string;
    readonly name_kk: string | null;
    readonly name_en: string | null;
    readonly level: 'region' | 'district';
    readonly area_ha: number;
    readonly outside_raster_ha: number;
    readonly meets_ha: number;
    readonly fails_ha: number;
    readonly no_data_ha: number;
  }[];
  readonly raster: {
    readonly area_ha: number;
    readonly meets_ha: number;
    readonly fails_ha: number;
    readonly no_data_ha: number;
  };
  readonly outside_units: {
    readonly area_ha: number;
    readonly meets_ha: number;
    readonly fails_ha: number;
    readonly no_data_ha: number;
  };
};
