import { type Period, readPeriods, type YearReading, yearAs } from '../../../../common/table/periods/read.ts';
import type { Dataset, MappingSuggestion } from '../../service/types.ts';

export type Role = 'kato' | 'value' | 'none';

/** The unit of a column of values, its conversion, and the column with remarks on them. */
export interface Measure {
  readonly unit?: string;
  readonly factor?: number;
  readonly source_unit?: string;
  readonly remarks_column?: string;
}

type Mapped = Period & Measure;

/** A mapping that is being edited. Columns are identified by their names, as in the service. */
export interface Draft {
  readonly kato: string | undefined;
  /** The columns of values; an empty start date is not set yet. */
  readonly values: ReadonlyMap<string, Mapped>;
  /** The meaning of columns whose names are years. */
  readonly reading: YearReading;
}

export type Fault =
  | { readonly code: 'kato' | 'values' }
  | { readonly code: 'start' | 'order'; readonly column: string };

type Suggested = Pick<MappingSuggestion, 'kato_column' | 'year_columns'>;
type YearColumns = readonly {
  readonly column: string;
  readonly start_date: string;
  readonly end_date?: string | null;
  readonly unit?: string | undefined;
  readonly factor?: number | undefined;
  readonly source_unit?: string | undefined;
  readonly remarks_column?: string | undefined;
}[];
type Periods = ReadonlyMap<string, NonNullable<ReturnType<typeof readPeriods>[number]>>;

/** The periods in the names of columns. */
export function periodsOf({ attribute_columns: columns }: Pick<Dataset, 'attribute_columns'>): Periods {
  const names = (columns ?? []).map(({ name }) => name);
  return new Map(
    readPeriods(names).flatMap((read, at) => (read === undefined ? [] : [[names[at] ?? '', read]])),
  );
}

export function draftOfSuggestion(
  { kato_column: kato, year_columns: columns }: Suggested,
  measureOf?: (column: string) => Measure,
): Draft {
  const values = valuesOf(columns);
  if (measureOf === undefined) return { kato: kato ?? undefined, values, reading: 'whole' };
  const measured = [...values].map(([column, mapped]): [string, Mapped] => [
    column,
    { ...mapped, ...measureOf(column) },
  ]);
  return { kato: kato ?? undefined, values: new Map(measured), reading: 'whole' };
}

/** The present mapping; undefined without one. */
export function draftOfMapping(
  { kato_column: kato, year_columns: columns }: Pick<Dataset, 'kato_column' | 'year_columns'>,
  periods: Periods,
): Draft | undefined {
  if (kato === null || columns === null) return undefined;
  const values = valuesOf(columns);
  const years = [...values].filter(([name]) => periods.get(name)?.kind === 'year');
  const isRead = (reading: YearReading) =>
    years.length > 0 &&
    years.every(([name, period]) => {
      const read = periods.get(name);
      return read !== undefined && isSame(yearAs(read, reading), period);
    });
  const reading = (['end', 'start'] as const).find(isRead) ?? 'whole';
  return { kato, values, reading };
}

function valuesOf(columns: YearColumns): ReadonlyMap<string, Mapped> {
  return new Map(
    columns.map(({ column, start_date, end_date = null, unit, factor, source_unit, remarks_column }) => [
      column,
      {
        start_date,
        end_date,
        ...(unit === undefined ? {} : { unit }),
        ...(factor === undefined ? {} : { factor }),
        ...(source_unit === undefined ? {} : { source_unit }),
        ...(remarks_column === undefined ? {} : { remarks_column }),
      },
    ]),
  );
}

export function roleOf({ kato, values }: Draft, column: string): Role {
  if (column === kato) return 'kato';
  return values.has(column) ? 'value' : 'none';
}

/** Sets the role of a column. Only one column holds the codes: the previous one loses this role. */
export function withRole(
  draft: Draft,
  column: string,
  { role, periods, measureOf }: { role: Role; periods: Periods; measureOf?: (column: string) => Measure },
): Draft {
  const values = new Map(draft.values);
  values.delete(column);
  if (role === 'value') {
    const read = periods.get(column);
    const period = read === undefined ? { start_date: '', end_date: null } : yearAs(read, draft.reading);
    const { start_date, end_date } = period;
    values.set(column, { start_date, end_date, ...measureOf?.(column) });
  }
  const kato = role === 'kato' ? column : draft.kato === column ? undefined : draft.kato;
  return { ...draft, kato, values };
}

export function withPeriod(draft: Draft, column: string, { start_date, end_date }: Period): Draft {
  const mapped = { ...draft.values.get(column), start_date, end_date };
  return { ...draft, values: new Map(draft.values).set(column, mapped) };
}

/** Applies another meaning to all columns of years; a period that was typed stays. */
export function withReading(draft: Draft, reading: YearReading, periods: Periods): Draft {
  const values = [...draft.values].map(([column, period]): [string, Mapped] => {
    const read = periods.get(column);
    if (read?.kind !== 'year' || !isSame(yearAs(read, draft.reading), period)) return [column, period];
    const { start_date, end_date } = yearAs(read, reading);
    return [column, { ...period, start_date, end_date }];
  });
  return { ...draft, reading, values: new Map(values) };
}

/** Counts the columns of values that are years. */
export function yearsIn({ values }: Draft, periods: Periods): number {
  return [...values.keys()].filter((column) => periods.get(column)?.kind === 'year').length;
}

/** Returns what is missing before the values can be extracted. */
export function faultOf({ kato, values }: Draft): Fault | undefined {
  if (kato === undefined) return { code: 'kato' };
  if (values.size === 0) return { code: 'values' };
  for (const [column, { start_date: start, end_date: end }] of values) {
    if (start === '') return { code: 'start', column };
    if (end !== null && end < start) return { code: 'order', column };
  }
  return undefined;
}

/** The body of a mapping. */
export function mappingOf({ kato, values }: Draft) {
  return {
    kato_column: kato,
    year_columns: [...values].map(([column, mapped]) => ({ column, ...mapped })),
  };
}

function isSame(one: Period, other: Period): boolean {
  return one.start_date === other.start_date && one.end_date === other.end_date;
}
