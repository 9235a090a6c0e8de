/** Code of a unit, and its name in a table of the layout. */
export type Named = readonly [code: string, label: string];

/** Time of a column; a point has no `end_date`. */
export interface Time {
  readonly start_date: string;
  readonly end_date: string | null;
}

export interface TruthRow {
  readonly code: string;
  /** Name of the unit in the sheet; in sheets with codes, the code. */
  readonly label: string;
  /** One value for each time; null where the sheet states that there is none. */
  readonly values: readonly (number | null)[];
}

export interface Truth {
  readonly times: readonly Time[];
  readonly rows: readonly TruthRow[];
}

/** A correction that a user makes by hand. */
export interface Correction {
  readonly why: string;
  /** Sheet to read instead of the one shown first. */
  readonly sheet?: string;
  /** Headers, or parts of them, of the wanted columns, where several have the same time. */
  readonly indicator?: string | RegExp;
  /** Label of the row about which the user is asked. */
  readonly unit?: string;
  /** Time of the values, where the sheet does not state it. */
  readonly time?: Time;
}

/** A spreadsheet, and what an expert reads in it. */
export interface Spreadsheet {
  readonly name: string;
  /** Publisher of tables in this layout. */
  readonly layout: string;
  readonly file: string;
  readonly bytes: () => Uint8Array;
  /** Form of the units: codes, or names alone. */
  readonly units: 'codes' | 'names';
  readonly truth: Truth;
  readonly correction?: Correction;
  /** Codes of remarks that a user must see. */
  readonly remarks?: readonly string[];
}

/** A spreadsheet that cannot become a map, and the message about it. */
export interface Unreadable {
  readonly name: string;
  readonly layout: string;
  readonly file: string;
  readonly bytes: () => Uint8Array;
  /**
   * `noTable` names the sheet; `noKey` is a remark on a table that can be shown but has no unit; `noUnits` is
   * a table whose names are not units, which only the service knows.
   */
  readonly says: 'noTable' | 'noKey' | 'noUnits';
  /** Sheet that the message names. */
  readonly sheet: string;
}

export const year = (of: number): Time => ({ start_date: `${of}-01-01`, end_date: `${of}-12-31` });
export const point = (day: string): Time => ({ start_date: day, end_date: null });
export const span = (start: string, end: string): Time => ({ start_date: start, end_date: end });

/** A number of whole months, from the first day of a month. */
export function months(of: number, first: number, count = 1): Time {
  const two = (number: number) => String(number).padStart(2, '0');
  const last = new Date(Date.UTC(of, first - 1 + count, 0));
  return span(`${of}-${two(first)}-01`, last.toISOString().slice(0, 10));
}

export const quarter = (of: number, number: number): Time => months(of, 3 * number - 2, 3);
export const half = (of: number, number: number): Time => months(of, 6 * number - 5, 6);

/** Whole years of a range. */
export function years(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** A figure with one decimal, unique for unit and key in a table, and equal in every run. */
export function figure(code: string, key: string | number): number {
  let hash = 2_166_136_261;
  for (const letter of `${code}/${key}`) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0;
  return (hash % 89_999) / 10 + 2100;
}

/** Rows with generated figures. */
export function made(units: readonly Named[], keys: readonly (string | number)[]): readonly TruthRow[] {
  return units.map(([code, label]) => ({ code, label, values: keys.map((key) => figure(code, key)) }));
}

/** Cells of rows: the label, then the values. */
export function cellsOf(rows: readonly TruthRow[], missing: string | null = null) {
  return rows.map(({ label, values }) => [label, ...values.map((value) => value ?? missing)]);
}

/** A figure as users type it, with a decimal comma and a kind of space between thousands. */
export function typed(value: number | null, space = '\u00a0', missing = ''): string {
  if (value === null) return missing;
  const [whole = '', fraction] = String(value).split('.');
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, space);
  return fraction === undefined ? grouped : `${grouped},${fraction}`;
}
