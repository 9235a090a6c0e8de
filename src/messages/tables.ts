import { quoted } from '../lib/readable.ts';
import { conflict, invalid, problem, sentences } from './define.ts';

/** Reasons not to give a table, or rates of it. */
export const tableOutProblems = sentences('table_out', {
  noTable: invalid(() => 'only a vector_with_kato dataset has observations to download'),
  noVector: invalid(() => 'only a vector or vector_with_kato dataset comes as GeoParquet'),
  tooManyColumns: invalid(
    (columns: number, most: number) =>
      `a sheet has at most ${most} columns, and this table has ${columns}: take observations.csv, or shape=long`,
  ),
  tooWide: invalid(
    (columns: number, most: number) =>
      `a Parquet file has at most ${most} columns here, and this table has ${columns}: take observations.csv, or shape=long`,
  ),
  tooManyAttributes: invalid(
    (columns: number, most: number) =>
      `as GeoParquet a dataset has at most ${most} columns here, and this one has ${columns}: take its .fgb`,
  ),
  tooManyAtOnce: problem('too_many', () => 'too many tables are being written; ask again in a few seconds'),
  noRates: invalid(() => 'only a vector_with_kato dataset has a denominator'),
  notAnotherTable: conflict(() => 'dataset_id does not name another vector_with_kato dataset'),
  noDenominator: conflict(() => 'the table has no denominator: PUT /datasets/{id}/denominator chooses one'),
  denominatorGone: conflict(
    () =>
      'the table that was the denominator has been deleted: PUT /datasets/{id}/denominator chooses another one',
  ),
  denominatorWaits: conflict(
    (name: string) =>
      `the denominator ${quoted(name)} is not ready: GET /datasets/{id}/status tells how far it is`,
  ),
  tooManyDates: conflict(() => 'the table and its denominator have too many dates to be compared'),
});

/** What is said of the denominator of a table. */
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

/** The words of a workbook of observations. */
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
  version: 'Version of the units',
  method: 'Method',
  methodText:
    'Values as they were read from the file: numbers are not rounded, and a text that stands in the place of a number is kept. Names are those of the units today. A text of more than 32,767 characters is cut; the CSV has all of it.',
  wideText: 'One row of each row of the file that has a code, in its order, with the mapped columns.',
  longText:
    'One row of each value, by code and date. Where land_since has a day, the land of the unit changed then: values before it are of other land.',
  rate: 'Rate',
  rateText: (label: string) =>
    `Value ${label}. A rate is empty where the value is not a number, or where the denominator has no number for its date or is zero.`,
  denominator: 'Denominator',
  areaText: 'Area of the unit in hectares, geodesic on the ellipsoid WGS 84',
  periodsUsed: 'Periods of the denominator',
  name: 'Name',
  nothing: 'none',
});
