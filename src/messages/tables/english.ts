import { listed, quoted, readable } from '../../lib/readable.ts';
import { conflict, invalid, sentences, problem } from '../base/define.ts';

/** Reasons not to send a table, or rates of it. */
export const tableOutProblems = sentences('table_out', {
  noTable: invalid(() => 'only a vector_with_kato dataset has observations to download'),
  noVector: invalid(
    () => 'only a vector or vector_with_kato dataset comes as GeoParquet; a raster comes as .cog',
  ),
  tooManyColumns: invalid(
    (columns: number, most: number) =>
      `a sheet has at most ${most} columns, and this table has ${columns}: take observations.csv, or shape=long`,
  ),
  tooWide: invalid(
    (columns: number, most: number) =>
      `a Parquet file has at most ${most} columns here, and this table has ${columns}: take observations.csv, or shape=long`,
  ),
  largeFeature: invalid(
    (number: number, maxMiB: number) =>
      `feature ${number} has more than ${maxMiB} MiB, more than one feature of GeoParquet may have here: take the .fgb of the dataset`,
  ),
  tooManyAttributes: invalid(
    (columns: number, most: number) =>
      `as GeoParquet a dataset has at most ${most} columns here, and this one has ${columns}: take its .fgb`,
  ),
  noRates: invalid(() => 'only a vector_with_kato dataset has a denominator'),
  notAnotherTable: conflict(() => 'dataset_id does not name another vector_with_kato dataset'),
  noDenominator: conflict(() => 'the table has no denominator: PUT /datasets/{id}/denominator chooses one'),
  denominatorGone: conflict(
    () =>
      'the table that was the denominator has been deleted: PUT /datasets/{id}/denominator chooses another one',
  ),
  denominatorWaits: conflict(
    (name: string) =>
      `the denominator ${quoted(name)} is not ready: GET /datasets/{id}/status shows its progress`,
  ),
  tooManyDates: conflict(() => 'the table and its denominator have too many dates to be compared'),
});

/** Remarks on the denominator of a table. */
export const denominatorPhrases = sentences('denominator', {
  none: 'the table has no denominator',
  ready: (label: string) => `the values can be shown ${label}`,
  someDates: (label: string, without: number) =>
    `the values can be shown ${label}, but for ${without} of its dates, for which the denominator has no period`,
  gone: 'the table that was the denominator has been deleted: choose another one',
  waits: (name: string) => `the denominator ${quoted(name)} is not ready yet`,
  perKm2: 'per km²',
  perHa: (per: number) => (per === 1 ? 'per ha' : `per ${per.toLocaleString('en')} ha`),
  perUnit: (per: number, unit: string) =>
    per === 1 ? `per ${unit}` : `per ${per.toLocaleString('en')} ${unit}`,
});

export const tableWords = sentences('table_word', {
  aboutSheet: 'About',
  tableSheet: 'Table',
  source: 'File',
  dataset: 'Dataset id',
  uploaded: 'Uploaded (UTC)',
  unit: 'Unit of the values',
  description: 'Description',
  mapping: 'Column of the codes',
  columns: 'Columns and their dates',
  units: 'Units of the columns',
  version: 'Version of the units',
  method: 'Method',
  methodText:
    'Values as they were read from the file: numbers are not rounded, and a text that stands in the place of a number is kept. Names are those of the units today. A text of more than 32,767 characters is cut; the CSV has all of it.',
  wideText:
    'One row for each row of the file that has a code, in the order of the file, with the mapped columns.',
  longText:
    'One row for each value, by code and date. Where land_since has a day, the borders of the unit changed then: earlier values refer to other land.',
  rate: 'Rate',
  rateText: (label: string) =>
    `Value ${label}. A rate is empty where the value is not a number, or where the denominator has no number for its date or is zero.`,
  denominator: 'Denominator',
  areaText: 'Area of the unit in hectares, geodesic on the ellipsoid WGS 84',
  periodsUsed: 'Periods of the denominator',
  name: 'Name',
  nothing: 'none',
});

const named = (column: string): string => `column "${readable(column, 255)}"`;

/** Warnings about the rows of a table. */
export const tableWarnings = sentences('table_warning', {
  mixedCommas: (column: string) =>
    `C${named(column).slice(1)} has decimal commas and commas between thousands; each of its cells was read by itself.`,
  ambiguousCommas: (column: string) =>
    `C${named(column).slice(1)} has exactly three digits after each comma, which may separate thousands; they were read as decimal commas.`,
  mixedPoints: (column: string) =>
    `C${named(column).slice(1)} has decimal points and points between thousands; each of its cells was read by itself.`,
  ambiguousPoints: (column: string) =>
    `C${named(column).slice(1)} contains texts with exactly three digits after each point, which may separate thousands; they were read as decimal points.`,
  codesRepeated: (
    column: string,
    { units, rows, codes }: { units: number; rows: number; codes: readonly string[] },
  ) =>
    `${rows} rows share ${units === 1 ? 'one code' : `${units} codes`} in ${named(column)}; a map shows the last row of each code. The first of these codes: ${listed(codes.map(quoted))}.`,
  converted: (column: string, { factor, from, to }: { factor: number; from: string; to: string }) =>
    `The numbers of ${named(column)} were multiplied by ${factor}: from ${quoted(from)} to ${quoted(to)}, as the mapping says.`,
  rowsWithoutCode: (column: string, { read, skipped }: { readonly read: number; readonly skipped: number }) =>
    `${skipped} of ${read} rows have no code in ${named(column)} and were skipped.`,
  codesRepaired: (column: string, { text, code, rows }: { text: string; code: string; rows: number }) =>
    `${rows === 1 ? 'One row has' : `${rows} rows have`} a code in ${named(column)} that another program had changed; ${rows === 1 ? 'it was' : 'they were'} read as the nine digits of a KATO code, such as ${quoted(text)} as ${code}.`,
  codesShortened: (column: string, { text, rows }: { text: string; rows: number }) =>
    `${rows === 1 ? 'One code' : `${rows} codes`} in ${named(column)} ${rows === 1 ? 'is a text' : 'are texts'} with an exponent, such as ${quoted(text)}, which may have lost digits. Compare ${rows === 1 ? 'it' : 'them'} with the source; format the column as text before you export it again.`,
  codesWithoutDistrict(
    column: string,
    { rows, withoutDistrict, codes }: { rows: number; withoutDistrict: number; codes: readonly string[] },
  ): string {
    const where = `column ${quoted(column)}`;
    const first = listed(codes.map(quoted));
    if (withoutDistrict < rows)
      return `${withoutDistrict} of ${rows} rows that have a code in ${where} have one that no district had at the extraction, so they are not on the map. The first of these codes: ${first}.`;
    return `None of the ${rows} rows that have a code in ${where} has one that a district had at the extraction, so the map is empty. The first codes: ${first}. This is probably not the column of KATO codes; send a mapping with the one that is.`;
  },
  unitsWithoutBorder(
    column: string,
    { rows, units, codes }: { rows: number; units: number; codes: readonly string[] },
  ): string {
    const them = `${units} ${units === 1 ? 'unit' : 'units'} of the classifier of which the service has no border`;
    return `${rows} ${rows === 1 ? 'row has' : 'rows have'} in column ${quoted(column)} the codes of ${them}: their values are kept, and are not on the map. The first of these codes: ${listed(codes.map(quoted))}. \`./steppe districts import\` takes their borders.`;
  },
});

/** Reasons not to write a file on request, permanently or now. */
export const exportProblems = sentences('export', {
  tooManyWaiting: problem(
    'too_many',
    (most: number) =>
      `${most} files that you asked for are waiting to be written; ask again when some of them have arrived`,
  ),
  holdsTooMuch: problem(
    'too_many',
    (mebibytes: number) =>
      `the files that you are reading take ${mebibytes} MiB, the limit of one client; ask again when some of them have been read`,
  ),
  tooLarge: invalid(
    (mebibytes: number) =>
      `the file would have more than ${mebibytes} MiB; ask for a part of it by kato_code, or for CSV in gzip`,
  ),
  noRoom: problem(
    'busy',
    () => 'the files that others are reading leave no room for this one; ask again in a few seconds',
  ),
  diskFull: problem('unavailable', () => 'the disk of the service has no room for the file; ask again later'),
  tookTooLong: problem(
    'unavailable',
    () => 'the file took more than half an hour to write; ask for a part of it by kato_code',
  ),
  changes: problem('busy', () => 'the dataset has changed while its file was written; ask again'),
});

/** The sentences of this folder that have translations, by the area that prefixes their codes. */
export const english = {
  denominator: denominatorPhrases,
  export: exportProblems,
  table_out: tableOutProblems,
  table_warning: tableWarnings,
  table_word: tableWords,
};
