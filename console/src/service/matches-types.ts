// Written by `npm run console-types` from the schemas of the service.
export type DistrictMatches = {
  readonly districts_version: number;
  readonly matches: readonly {
    readonly status: 'exact' | 'likely' | 'doubtful' | 'none';
    readonly kato: string | null;
    readonly candidates: readonly { readonly kato: string; readonly confidence: number }[];
    readonly reason:
      | 'code'
      | 'name'
      | 'sound'
      | 'former_name'
      | 'former_code'
      | 'region'
      | 'rows_around'
      | 'language'
      | 'level'
      | 'other_rows'
      | 'similar'
      | 'several'
      | 'divided'
      | 'other_kind'
      | 'other_region'
      | 'code_and_name'
      | 'code_reused'
      | 'unclear'
      | 'total'
      | 'country'
      | 'below_district'
      | 'not_in_service'
      | 'unknown'
      | 'empty';
    readonly remark: 'total_of_unit' | 'former_name' | 'former_code' | 'former_region' | 'misspelled' | null;
  }[];
  readonly units: readonly {
    readonly kato: string;
    readonly level: 'region' | 'district';
    readonly kind: 'region' | 'city' | 'district';
    readonly name: string;
    readonly name_kk: string | null;
    readonly name_en: string | null;
  }[];
};
