// Written by `npm run console-types` from the schemas of the service.
export type Denominator = {
  readonly state: 'none' | 'ready' | 'waiting' | 'gone';
  readonly message: string;
  readonly by: 'area' | 'dataset' | null;
  readonly dataset_id: string | null;
  readonly name: string | null;
  readonly unit: string | null;
  readonly per: number | null;
  readonly label: string | null;
  readonly counts: 'unit' | 'total' | null;
  readonly periods: readonly {
    readonly start_date: string;
    readonly end_date: string | null;
    readonly used: { readonly start_date: string; readonly end_date: string | null } | null;
  }[];
};
