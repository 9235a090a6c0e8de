// Written by `npm run console-types` from the schemas of the service.
export type RunComparison = {
  readonly unit: 'ha';
  readonly node: string;
  readonly title: string;
  readonly by: 'district' | 'region' | 'all';
  readonly districts_version: number;
  readonly counted_from: 'pixels' | 'balance';
  readonly same_grid: true;
  readonly a: {
    readonly run_id: string;
    readonly name: string | null;
    readonly state: 'draft' | 'proposed' | 'adopted' | 'withdrawn';
    readonly created_at: string;
    readonly dataset_id: string;
  };
  readonly b: {
    readonly run_id: string;
    readonly name: string | null;
    readonly state: 'draft' | 'proposed' | 'adopted' | 'withdrawn';
    readonly created_at: string;
    readonly dataset_id: string;
  };
  readonly graph_version: { readonly a: number; readonly b: number } | null;
  readonly params: readonly {
    readonly name: string;
    readonly title: string;
    readonly a: number | readonly number[];
    readonly b: number | readonly number[];
    readonly matters: boolean;
  }[];
  readonly inputs: readonly {
    readonly group: string;
    readonly title: string;
    readonly a: { readonly dataset_id: string; readonly name: string | null } | null;
    readonly b: { readonly dataset_id: string; readonly name: string | null } | null;
    readonly matters: boolean;
  }[];
  readonly classes: readonly { readonly value: number; readonly title: string; readonly color: string }[];
  readonly matrix: {
    readonly from: readonly (number | null)[];
    readonly to: readonly (number | null)[];
    readonly ha: readonly (readonly number[])[];
  };
  readonly changed_ha: number;
  readonly changed_share: number | null;
  readonly unchanged_ha: number;
  readonly only_a_ha: number;
  readonly only_b_ha: number;
  readonly no_data_ha: number;
  readonly units: readonly {
    readonly kato: string;
    readonly name: string;
    readonly area_ha: number;
    readonly changed_ha: number;
    readonly unchanged_ha: number;
    readonly only_a_ha: number;
    readonly only_b_ha: number;
    readonly no_data_ha: number;
    readonly outside_raster_ha: number;
  }[];
  readonly rest: {
    readonly changed_ha: number;
    readonly unchanged_ha: number;
    readonly only_a_ha: number;
    readonly only_b_ha: number;
    readonly no_data_ha: number;
  };
};
