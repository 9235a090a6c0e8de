// Written by `npm run console-types` from the schemas of the service.
export type MappingSuggestion = {
  readonly dataset_id: string;
  readonly kato_column: string | null;
  readonly year_columns: readonly YearColumn[];
  readonly row_count: number;
  readonly counted_rows: number;
  readonly column_count: number;
  readonly columns: readonly {
    readonly index: number;
    readonly name: string;
    readonly role: 'kato' | 'value' | 'none';
    readonly reason:
      | 'codes'
      | 'period'
      | 'other_codes'
      | 'same_start'
      | 'other_group'
      | 'no_period'
      | 'texts'
      | 'empty'
      | 'repeated_name';
    readonly period: {
      readonly start_date: string;
      readonly end_date: string | null;
      readonly kind:
        | 'year'
        | 'split_year'
        | 'years'
        | 'half_year'
        | 'quarter'
        | 'month'
        | 'months'
        | 'days'
        | 'day';
      readonly note: string;
    } | null;
    readonly codes: number;
    readonly numbers: number;
    readonly texts: number;
    readonly empty: number;
  }[];
  readonly rows: readonly (readonly (string | null)[])[];
  readonly matches: readonly {
    readonly column: string;
    readonly rows: number;
    readonly with_district: number;
    readonly without_code: number;
    readonly below_district: number;
    readonly uncounted_rows: number;
    readonly units: readonly {
      readonly kato_code: string;
      readonly rows: number;
      readonly first_row: number;
    }[];
    readonly unknown_codes: {
      readonly total: number;
      readonly items: readonly {
        readonly kato_code: string;
        readonly rows: number;
        readonly first_row: number;
        readonly within: string | null;
      }[];
    };
    readonly repeated_codes: {
      readonly total: number;
      readonly items: readonly {
        readonly kato_code: string;
        readonly rows: number;
        readonly first_row: number;
      }[];
    };
  }[];
  readonly left_out: { readonly total: number; readonly items: readonly string[] };
  readonly long_table: { readonly period_column: string } | null;
};

type YearColumn = { readonly column: string; readonly start_date: string; readonly end_date?: string | null };

export type TableMatch = {
  readonly dataset_id: string;
  readonly kato_column: string;
  readonly rows: number;
  readonly with_district: number;
  readonly without_code: number;
  readonly below_district: number;
  readonly uncounted_rows: number;
  readonly units: readonly {
    readonly kato_code: string;
    readonly rows: number;
    readonly first_row: number;
  }[];
  readonly unknown_codes: {
    readonly total: number;
    readonly items: readonly {
      readonly kato_code: string;
      readonly rows: number;
      readonly first_row: number;
      readonly within: string | null;
    }[];
  };
  readonly repeated_codes: {
    readonly total: number;
    readonly items: readonly {
      readonly kato_code: string;
      readonly rows: number;
      readonly first_row: number;
    }[];
  };
  readonly text_cells: {
    readonly total: number;
    readonly items: readonly {
      readonly column: string;
      readonly value: string;
      readonly cells: number;
      readonly first_row: number;
    }[];
  };
};
