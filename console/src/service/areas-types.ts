// Written by `npm run console-types` from the schemas of the service.
export type DatasetAreas = {
  readonly dataset_id: string;
  readonly by: 'district' | 'region' | 'all';
  readonly digest: string | null;
  readonly unit: 'ha';
  readonly method: {
    readonly area: 'geodesic, WGS 84';
    readonly border: 'coverage fraction';
    readonly overviews: false;
  };
  readonly classes: readonly {
    readonly value: number;
    readonly title: string | null;
    readonly color: string | null;
  }[];
  readonly districts_version: number;
  readonly rows: readonly {
    readonly kato: string;
    readonly name: string;
    readonly name_kk: string | null;
    readonly name_en: string | null;
    readonly level: 'region' | 'district';
    readonly area_ha: number;
    readonly classes: Readonly<Record<string, number>>;
    readonly no_data_ha: number;
    readonly outside_raster_ha: number;
  }[];
  readonly total: {
    readonly area_ha: number;
    readonly classes: Readonly<Record<string, number>>;
    readonly no_data_ha: number;
    readonly outside_raster_ha: number;
  };
  readonly raster: {
    readonly area_ha: number;
    readonly classes: Readonly<Record<string, number>>;
    readonly no_data_ha: number;
  };
  readonly outside_units: {
    readonly area_ha: number;
    readonly classes: Readonly<Record<string, number>>;
    readonly no_data_ha: number;
  };
  readonly overlap: {
    readonly area_ha: number;
    readonly classes: Readonly<Record<string, number>>;
    readonly no_data_ha: number;
  };
};

export type OwnAreas = {
  readonly run_id: string;
  readonly dataset_id: string;
  readonly digest: string | null;
  readonly unit: 'ha';
  readonly method: {
    readonly area: 'geodesic, WGS 84';
    readonly border: 'coverage fraction';
    readonly overviews: false;
  };
  readonly classes: readonly {
    readonly value: number;
    readonly title: string | null;
    readonly color: string | null;
  }[];
  readonly rows: readonly {
    readonly index: number;
    readonly id: string | number | null;
    readonly area_ha: number;
    readonly classes: Readonly<Record<string, number>>;
    readonly no_data_ha: number;
    readonly outside_raster_ha: number;
  }[];
  readonly union: {
    readonly area_ha: number;
    readonly classes: Readonly<Record<string, number>>;
    readonly no_data_ha: number;
    readonly outside_raster_ha: number;
  };
};
