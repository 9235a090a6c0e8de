/** A unit with its name as a table of its layout has it. */
export type Named = readonly [code: string, label: string];

/** The time of a column: a point without `end_date`. */
export interface Time {
  readonly start_date: string;
  readonly end_date: string | null;
}

export interface TruthRow {
  readonly code: string;
  /** The name of the unit as the sheet has it; where there are codes, the code as the sheet has it. */
  readonly label: string;
  /** One value for each time; null where the sheet says in some way that there is none. */
  readonly values: readonly (number | null)[];
}

export interface Truth {
  readonly times: readonly Time[];
  readonly rows: readonly TruthRow[];
}

/** The one correction that a person makes by hand. */
export interface Correction {
  readonly why: string;
  /** The sheet to read instead of the one that is shown first. */
  readonly sheet?: string;
  /** Headers, or pieces of them, of the columns that are wanted, where several have the same time. */
  readonly indicator?: string | RegExp;
  /** The label of the one row about which a person is asked. */
  readonly unit?: string;
  /** The time of the values, where the sheet does not say it. */
  readonly time?: Time;
}

/** A spreadsheet, and what a person who knows it reads in it. */
export interface Spreadsheet {
  readonly name: string;
  /** Who writes tables in this layout. */
  readonly layout: string;
  readonly file: string;
  readonly bytes: () => Uint8Array;
  /** Whether the units stand as codes or as names alone. */
  readonly units: 'codes' | 'names';
  readonly truth: Truth;
  readonly correction?: Correction;
  /** Codes of remarks that a person must see. */
  readonly remarks?: readonly string[];
}

/** A spreadsheet of which no map can be made, and the sentence that says so. */
export interface Unreadable {
  readonly name: string;
  readonly layout: string;
  readonly file: string;
  readonly bytes: () => Uint8Array;
  /**
   * `noTable` names the sheet; `noKey` is a remark on a table that can be shown, but has no unit; `noUnits` is a table whose names
   * are none of units, which only the service knows.
   */
  readonly says: 'noTable' | 'noKey' | 'noUnits';
  /** The sheet that the sentence names. */
  readonly sheet: string;
}

export const year = (of: number): Time => ({ start_date: `${of}-01-01`, end_date: `${of}-12-31` });
export const point = (day: string): Time => ({ start_date: day, end_date: null });
export const span = (start: string, end: string): Time => ({ start_date: start, end_date: end });

/** A whole number of months from the first of one. */
export function months(of: number, first: number, count = 1): Time {
  const two = (number: number) => String(number).padStart(2, '0');
  const last = new Date(Date.UTC(of, first - 1 + count, 0));
  return span(`${of}-${two(first)}-01`, last.toISOString().slice(0, 10));
}

export const quarter = (of: number, number: number): Time => months(of, 3 * number - 2, 3);
export const half = (of: number, number: number): Time => months(of, 6 * number - 5, 6);

/** Whole years from one to another. */
export function years(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** A figure with one decimal that no other unit or key of a table has, the same in every run. */
export function figure(code: string, key: string | number): number {
  let hash = 2_166_136_261;
  for (const letter of `${code}/${key}`) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0;
  return (hash % 89_999) / 10 + 2100;
}

/** Rows with made figures. */
export function made(units: readonly Named[], keys: readonly (string | number)[]): readonly TruthRow[] {
  return units.map(([code, label]) => ({ code, label, values: keys.map((key) => figure(code, key)) }));
}

/** The cells of rows: the label, then the values. */
export function cellsOf(rows: readonly TruthRow[], missing: string | null = null) {
  return rows.map(({ label, values }) => [label, ...values.map((value) => value ?? missing)]);
}

/** A figure as a person types it, with a decimal comma and a space of some width between thousands. */
export function typed(value: number | null, space = '\u00a0', missing = ''): string {
  if (value === null) return missing;
  const [whole = '', fraction] = String(value).split('.');
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, space);
  return fraction === undefined ? grouped : `${grouped},${fraction}`;
}
