// Written by `npm run console-types` from the schemas of the service.
export type LandscapeExplanation = {
  readonly lon: number;
  readonly lat: number;
  readonly language: 'en' | 'ru' | 'kk';
  readonly is_on_grid: boolean;
  readonly pixel: { readonly column: number; readonly row: number } | null;
  readonly sentence: string;
  readonly code: { readonly value: number; readonly title: string } | null;
  readonly zone: { readonly value: number; readonly title: string } | null;
  readonly S: {
    readonly value: number;
    readonly title: string;
    readonly sectors: readonly number[];
    readonly leading: number;
    readonly decided_by: 'suitability' | 'order';
    readonly order: readonly number[];
    readonly text: string;
  } | null;
  readonly E: {
    readonly value: number;
    readonly title: string;
    readonly because: readonly string[];
    readonly text: string;
  } | null;
  readonly rule: {
    readonly code: 'thresholds' | 'not_allocable' | 'pinned' | 'missing';
    readonly tests: readonly {
      readonly param: string;
      readonly title: string;
      readonly threshold: number;
      readonly suitability: number;
      readonly is_met: boolean;
      readonly text: string;
    }[];
    readonly text: string;
  } | null;
  readonly sectors: readonly {
    readonly sector: number;
    readonly title: string;
    readonly node: string;
    readonly value: number | null;
    readonly class_title: string | null;
    readonly is_greatest: boolean;
    readonly is_pinned: boolean;
    readonly limits: readonly string[];
    readonly factors: readonly {
      readonly name: string;
      readonly title: string;
      readonly group: string | null;
      readonly value: number | null;
      readonly class_title: string | null;
      readonly unit: string | null;
      readonly rating: number | null;
      readonly from: number | null;
      readonly below: number | null;
      readonly interval: string | null;
      readonly is_limiting: boolean;
    }[];
    readonly text: string;
  }[];
  readonly nodes: readonly {
    readonly node: string;
    readonly title: string;
    readonly group: string;
    readonly dataset_id: string;
    readonly is_pinned: boolean;
    readonly value: number | null;
    readonly class_title: string | null;
    readonly unit: string | null;
    readonly rule:
      | 'pinned'
      | 'neighbourhood'
      | 'formula'
      | 'classes'
      | 'least_rating'
      | 'greatest_rating'
      | 'floor'
      | 'thresholds'
      | 'order'
      | 'combination'
      | 'not_allocable'
      | 'missing';
    readonly text: string;
    readonly factors: readonly {
      readonly name: string;
      readonly title: string;
      readonly group: string | null;
      readonly value: number | null;
      readonly class_title: string | null;
      readonly unit: string | null;
      readonly rating: number | null;
      readonly from: number | null;
      readonly below: number | null;
      readonly interval: string | null;
      readonly is_limiting: boolean;
    }[];
    readonly is_confirmed: boolean | null;
  }[];
  readonly inputs: readonly {
    readonly group: string;
    readonly title: string;
    readonly dataset_id: string;
    readonly name: string;
    readonly file: string | null;
    readonly value: number | null;
    readonly class_title: string | null;
    readonly unit: string | null;
    readonly resampling: 'none' | 'nearest' | 'bilinear';
    readonly is_exact: boolean;
  }[];
  readonly missing: readonly {
    readonly group: string;
    readonly title: string;
    readonly because: 'outside' | 'no_data' | 'not_valid';
    readonly text: string;
  }[];
  readonly nearest_changes: readonly {
    readonly kind: 'number' | 'class' | 'threshold' | 'order';
    readonly name: string;
    readonly title: string;
    readonly group: string | null;
    readonly unit: string | null;
    readonly from: number | null;
    readonly to: number | null;
    readonly comparison: 'at_least' | 'below' | 'equal' | null;
    readonly classes: readonly { readonly value: number; readonly title: string }[] | null;
    readonly order: readonly number[] | null;
    readonly S: { readonly from: number | null; readonly to: number | null };
    readonly E: { readonly from: number | null; readonly to: number | null };
    readonly zone: { readonly from: number | null; readonly to: number | null };
    readonly code: { readonly from: number | null; readonly to: number | null };
    readonly text: string;
  }[];
  readonly notes: readonly {
    readonly code: 'neighbourhood' | 'approximate' | 'pinned' | 'not_confirmed';
    readonly text: string;
  }[];
};
