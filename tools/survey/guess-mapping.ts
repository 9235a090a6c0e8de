import type { Dataset, YearMapping } from '../service-client.ts';

const maxYearColumns = 200;

type Columns = NonNullable<Dataset['attribute_columns']>;

export interface GuessedMapping {
  readonly katoColumn: string;
  readonly years: readonly YearMapping[];
}

/**
 * The mapping that the names and samples of columns suggest: one of codes, and those called by a year or a day. A year
 * stands for its last day. Nothing when either is missing.
 */
export function guessMapping(columns: Columns): GuessedMapping | undefined {
  const codes =
    columns.find(({ samples = [] }) => samples.length > 0 && samples.every(looksLikeCode)) ??
    columns.find(({ name }) => /^kato/i.test(name));
  if (codes === undefined) return undefined;
  const years = columns
    .filter((column) => column !== codes)
    .flatMap(({ name }) => {
      const date = dateIn(name);
      return date === undefined ? [] : [{ column: name, start_date: date }];
    })
    .slice(0, maxYearColumns);
  return years.length === 0 ? undefined : { katoColumn: codes.name, years };
}

/** Nine digits, also with what spreadsheets put inside and round them. */
function looksLikeCode(sample: string): boolean {
  return /^\d{9}(?:[.,]0*)?$/.test(sample.replace(/[\p{White_Space}\p{Cf}'’]/gu, ''));
}

/** `2005`, `y2005`, `rate_2005`, `2005.0` and `2005-06-30`. */
function dateIn(name: string): string | undefined {
  const year = /^(?:[^\d\s]*)(?<year>(?:19|20)\d{2})(?:\.0)?$/.exec(name.trim())?.groups?.['year'];
  if (year !== undefined) return `${year}-12-31`;
  const day = name.trim();
  return isDay(day) ? day : undefined;
}

function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
