// Written by `npm run console-types` from the schemas of the service.
export type Balance = LandscapeBalance;

type LandscapeBalance = {
  readonly run_id: string;
  readonly unit: 'ha';
  readonly method: {
    readonly area: 'geodesic, WGS 84';
    readonly border: 'coverage fraction';
    readonly overviews: false;
  };
  readonly by: 'district' | 'region' | 'all';
  readonly districts_version: number;
  readonly run_params: ZoningParams;
  readonly params: ZoningParams;
  readonly cells: readonly (readonly [number, number, number])[];
  readonly codes: readonly number[];
  readonly units: readonly BalanceRow[];
  readonly raster: BalanceLand;
  readonly outside_units: BalanceLand;
  readonly chosen_by_order: OrderShare;
};

type ZoningParams = {
  readonly v1_min_s_e12: number;
  readonly v1_min_s_e3: number;
  readonly v2_min_s_e3: number;
  readonly v2_min_s_e4: number;
  readonly tie_priority: readonly number[];
};

type BalanceRow = {
  readonly kato: string;
  readonly name: string;
  readonly name_kk: string | null;
  readonly name_en: string | null;
  readonly level: 'region' | 'district';
  readonly area_ha: number;
  readonly outside_raster_ha: number;
  readonly not_allocable_ha: number;
  readonly no_data_ha: number;
  readonly ha: readonly number[];
  readonly zones: readonly [number, number, number];
  readonly functional: readonly number[];
};

type BalanceLand = {
  readonly area_ha: number;
  readonly not_allocable_ha: number;
  readonly no_data_ha: number;
  readonly ha: readonly number[];
  readonly zones: readonly [number, number, number];
  readonly functional: readonly number[];
};

type OrderShare = { readonly share: number | null; readonly sentence: string | null };

export type Conflicts = LandscapeConflicts;

type LandscapeConflicts = {
  readonly run_id: string;
  readonly unit: 'ha';
  readonly method: {
    readonly area: 'geodesic, WGS 84';
    readonly border: 'coverage fraction';
    readonly overviews: false;
  };
  readonly by: 'district' | 'region' | 'all';
  readonly districts_version: number;
  readonly tie_priority: readonly number[];
  readonly least_s: number;
  readonly allocable_ha: number;
  readonly contested_ha: number;
  readonly contested_share: number | null;
  readonly contested_share_of_zones: number | null;
  readonly chosen_by_order: OrderShare;
  readonly rows: readonly {
    readonly sectors: readonly number[];
    readonly s: number;
    readonly ha: number;
    readonly decided_by: 'order';
    readonly winner: number;
  }[];
  readonly sets: readonly {
    readonly sectors: readonly number[] | null;
    readonly title: string;
    readonly color: string;
    readonly ha: number;
  }[];
  readonly units: readonly {
    readonly kato: string;
    readonly name: string;
    readonly name_kk: string | null;
    readonly name_en: string | null;
    readonly level: 'region' | 'district';
    readonly allocable_ha: number;
    readonly contested_ha: number;
    readonly contested_share: number | null;
    readonly ha: readonly number[];
  }[];
};

export type Sensitivity = LandscapeSensitivity;

type LandscapeSensitivity = {
  readonly run_id: string;
  readonly unit: 'ha';
  readonly method: {
    readonly area: 'geodesic, WGS 84';
    readonly border: 'coverage fraction';
    readonly overviews: false;
  };
  readonly by: 'district' | 'region' | 'all';
  readonly districts_version: number;
  readonly params: ZoningParams;
  readonly zoned_ha: number;
  readonly cases: readonly SensitivityCase[];
  readonly units: readonly {
    readonly kato: string;
    readonly name: string;
    readonly name_kk: string | null;
    readonly name_en: string | null;
    readonly level: 'region' | 'district';
    readonly zoned_ha: number;
    readonly changes: readonly (SensitivityChange | null)[];
  }[];
};

type SensitivityCase = {
  readonly kind: 'threshold' | 'order';
  readonly param: string;
  readonly from: number | null;
  readonly to: number | null;
  readonly sectors: readonly [number, number] | null;
  readonly params: ZoningParams | null;
  readonly invalid: string | null;
  readonly inert: boolean;
  readonly changed_share: number | null;
  readonly raster: SensitivityChange | null;
};

type SensitivityChange = {
  readonly changed_ha: number;
  readonly zones: readonly [
    { readonly zone: number; readonly gained_ha: number; readonly lost_ha: number },
    { readonly zone: number; readonly gained_ha: number; readonly lost_ha: number },
    { readonly zone: number; readonly gained_ha: number; readonly lost_ha: number },
  ];
};

export type Stability = LandscapeStability;

type LandscapeStability = {
  readonly run_id: string;
  readonly unit: 'ha';
  readonly method: {
    readonly area: 'geodesic, WGS 84';
    readonly border: 'coverage fraction';
    readonly overviews: false;
  };
  readonly by: 'district' | 'region' | 'all';
  readonly districts_version: number;
  readonly params: ZoningParams;
  readonly cases: { readonly thresholds: number; readonly order: number };
  readonly zoned_ha: number;
  readonly thresholds: KeptLand;
  readonly order: KeptLand;
  readonly both: KeptLand;
  readonly codes: readonly {
    readonly code: number;
    readonly zoned_ha: number;
    readonly thresholds: KeptLand;
    readonly order: KeptLand;
    readonly both: KeptLand;
  }[];
  readonly units: readonly {
    readonly kato: string;
    readonly name: string;
    readonly name_kk: string | null;
    readonly name_en: string | null;
    readonly level: 'region' | 'district';
    readonly zoned_ha: number;
    readonly thresholds: KeptLand;
    readonly order: KeptLand;
    readonly both: KeptLand;
  }[];
  readonly legend: readonly [
    { readonly value: number; readonly title: string; readonly color: string; readonly ha: number },
    { readonly value: number; readonly title: string; readonly color: string; readonly ha: number },
    { readonly value: number; readonly title: string; readonly color: string; readonly ha: number },
    { readonly value: number; readonly title: string; readonly color: string; readonly ha: number },
  ];
};

type KeptLand = { readonly ha: number; readonly share: number | null };
