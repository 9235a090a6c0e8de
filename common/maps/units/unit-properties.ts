/** Roles of the columns of a table by KATO, by name. */
export interface UnitColumns {
  /** Column of the codes; undefined before the first mapping. */
  readonly kato: string | undefined;
  /** Columns of values, each with the date of its values. */
  readonly values: readonly (readonly [column: string, date: string])[];
}

/** Columns of an unknown table. */
export const noColumns: UnitColumns = { kato: undefined, values: [] };

/** A unit with its values by date, as in the GeoJSON of a table. */
export interface UnitFacts {
  readonly kato: unknown;
  readonly name: unknown;
  readonly data: Readonly<Record<string, unknown>>;
}

interface MappedColumn {
  readonly column: string;
  readonly start_date: string;
}

/** Returns the columns that a style can name. Several columns for one date give one value, which belongs to none of them. */
export function unitColumnsOf(kato: string | null, mapped: readonly MappedColumn[]): UnitColumns {
  const counts = new Map<string, number>();
  for (const { start_date: date } of mapped) counts.set(date, (counts.get(date) ?? 0) + 1);
  const alone = mapped.filter(({ start_date: date }) => counts.get(date) === 1);
  return {
    kato: kato ?? undefined,
    values: alone.map(({ column, start_date: date }) => [column, date] as const),
  };
}

/**
 * Returns the properties of a unit for rules and tiles, later names overriding earlier ones: the columns of the table,
 * the dates, and `kato`, `name` and `value` (the value of the shown date).
 */
export function unitProperties(
  { kato, name, data }: UnitFacts,
  { columns, shown }: { readonly columns: UnitColumns; readonly shown: string },
): Readonly<Record<string, unknown>> {
  const valueOf = (date: string) => (Object.hasOwn(data, date) ? data[date] : undefined);
  const entries: (readonly [string, unknown])[] = [
    ...(columns.kato === undefined ? [] : [[columns.kato, kato] as const]),
    ...columns.values.map(([column, date]) => [column, valueOf(date)] as const),
    ...Object.entries(data),
    ['kato', kato],
    ['name', name],
    ['value', valueOf(shown)],
  ];
  // Unlike an assignment, this treats `__proto__` as an ordinary name.
  return Object.fromEntries(entries);
}

/** Returns the latest date; "" for none. */
export function latestOf(dates: Iterable<string>): string {
  let latest = '';
  for (const date of dates) if (date > latest) latest = date;
  return latest;
}
