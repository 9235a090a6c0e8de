// Written by `npm run console-types` from the schemas of the service.
export type DistrictHistory = {
  readonly kato: string;
  readonly known_from: string;
  readonly units: readonly {
    readonly kato: string;
    readonly level: 'region' | 'district';
    readonly name: string;
    readonly name_kk: string | null;
    readonly name_en: string | null;
    readonly valid_from: string | null;
    readonly valid_to: string | null;
    readonly has_borders: boolean;
  }[];
  readonly before: readonly {
    readonly kind: 'recode' | 'rename' | 'split' | 'merge' | 'border';
    readonly date: string;
    readonly from: string;
    readonly from_name: string | null;
    readonly from_name_kk: string | null;
    readonly from_name_en: string | null;
    readonly to: string | null;
    readonly to_name: string | null;
    readonly share_area: number | null;
    readonly act: {
      readonly kind: 'decree' | 'decision';
      readonly number: string | null;
      readonly signed: string | null;
      readonly date_is: 'force' | 'published' | 'signed' | 'about';
      readonly source: string;
    };
  }[];
  readonly after: readonly {
    readonly kind: 'recode' | 'rename' | 'split' | 'merge' | 'border';
    readonly date: string;
    readonly from: string;
    readonly from_name: string | null;
    readonly from_name_kk: string | null;
    readonly from_name_en: string | null;
    readonly to: string | null;
    readonly to_name: string | null;
    readonly share_area: number | null;
    readonly act: {
      readonly kind: 'decree' | 'decision';
      readonly number: string | null;
      readonly signed: string | null;
      readonly date_is: 'force' | 'published' | 'signed' | 'about';
      readonly source: string;
    };
  }[];
};

export type KatoSeries = {
  readonly dates: readonly { readonly start_date: string; readonly end_date: string | null }[];
  readonly units: readonly {
    readonly kato_code: string;
    readonly values: readonly (number | string | null)[];
    readonly reasons?: readonly ('no_number' | 'no_period' | 'no_denominator' | 'zero' | null)[];
  }[];
  readonly without_district: { readonly codes: number; readonly rows: number };
  readonly rate?: {
    readonly by: 'area' | 'dataset';
    readonly dataset_id: string | null;
    readonly per: number;
    readonly used?: readonly ({ readonly start_date: string; readonly end_date: string | null } | null)[];
  };
  readonly history?: {
    readonly units: readonly {
      readonly kato_code: string;
      readonly values: readonly (number | string | null)[];
      readonly from: readonly { readonly kato_code: string; readonly until: string }[];
    }[];
    readonly breaks: readonly {
      readonly kato_code: string;
      readonly date: string;
      readonly kind: 'recode' | 'rename' | 'split' | 'merge' | 'border';
      readonly act: {
        readonly kind: 'decree' | 'decision';
        readonly number: string | null;
        readonly signed: string | null;
        readonly date_is: 'force' | 'published' | 'signed' | 'about';
        readonly source: string;
      };
    }[];
    readonly absent: readonly { readonly kato_code: string; readonly until: string }[];
    readonly left: readonly {
      readonly kato_code: string;
      readonly name: string;
      readonly until: string;
      readonly reason: 'ended' | 'reused';
      readonly to: readonly string[];
    }[];
  };
};
