import { conflict, invalid, problem, sentences } from '../base/define.ts';
import { nextSteps } from '../datasets/english.ts';
import type { Message } from '../../lib/message.ts';

type Status = keyof typeof nextSteps;

export const areaProblems = sentences('hectares', {
  notARaster: invalid(() => 'only a raster has areas by unit'),
  notReady: conflict(
    (status: Status) => `the raster is ${status}; its areas are counted once it is ready${nextSteps[status]}`,
  ),
  notClasses: invalid(
    (most: number) =>
      `the raster has no classes: it has more than ${most} different values, or values that are not whole numbers`,
  ),
  notOnEarth: invalid(
    () => 'the raster has no areas: its file contains no location, or none that can be transformed to WGS 84',
  ),
  otherGrid: invalid(() => 'the rasters do not have the same pixels: CRS, origin, pixel size or size differ'),
  tooManyTuples: invalid(
    (most: number) => `the rasters have more than ${most} different combinations of values together`,
  ),
  tooManyFigures: invalid(
    (most: number) => `more than ${most} areas would have to be counted: ask for fewer polygons`,
  ),
  beyondProjection: invalid(
    (unit: string) =>
      `the unit ${unit} cannot be shown in the reference system of the raster, so its area cannot be counted`,
  ),
  brokenPolygon: invalid(
    (unit: string) =>
      `the polygon of ${unit} has no area, or its borders cross in a way that cannot be repaired`,
  ),
  gone: problem('not_found', () => 'the raster was deleted before its areas were counted'),
  notCounted: problem('busy', () => 'the areas have to be counted again; ask again in a second'),
  failed: problem('not_found', () => 'the areas could not be counted; ask again in a minute'),
  openRing: invalid((index: number) => `features.${index}: a ring does not end where it begins`),
  beyondEarth: invalid(
    (index: number) => `features.${index}: a position is not longitude and latitude in degrees`,
  ),
  tooManyPositions: invalid((most: number) => `the polygons have more than ${most} positions`),
  runNotEnded: conflict(() => 'the run has not ended; its areas can be counted once it has a zoning'),
  noZoning: problem('not_found', () => 'the run has no zoning, so there are no areas of zones'),
  notPolygons: () => 'must be FeatureCollection, Feature, Polygon or MultiPolygon',
  tooManyWaiting: problem(
    'too_many',
    () => 'too many polygons wait to be counted; ask again in a few seconds',
  ),
});

/** Answers while a job is making the result. */
export const pendingPhrases = sentences('pending', {
  underWay: 'this is being made; ask again in a second',
});

export const areaWords = sentences('area_word', {
  title: 'Areas by unit',
  aboutSheet: 'About',
  areasSheet: 'Areas',
  raster: 'Raster',
  dataset: 'Dataset id',
  digest: 'SHA-256 of the counted file',
  counted: 'Counted (UTC)',
  units: 'Units',
  district: 'district',
  region: 'region',
  okrug: 'rural district',
  settlement: 'settlement',
  republic: 'country',
  all: 'all levels that have borders',
  version: 'Version of the units',
  method: 'Method',
  methodText:
    'Area of each pixel on the ellipsoid WGS 84. A pixel on a border is counted by the share of it that the unit covers. All pixels at full resolution.',
  sum: 'How it adds up',
  sumText:
    'Area = all classes + no data + outside the raster. Numbers are not rounded; cells show two decimals.',
  reading: 'How to read it',
  readingText:
    'Areas measured on the map. They are not a boundary survey, and differ from areas of plane cadastral maps by about 0.1 %.',
  code: 'KATO code',
  name: 'Name',
  level: 'Level',
  area: 'Area, ha',
  unit: 'ha',
  noData: 'No data, ha',
  outsideRaster: 'Outside the raster, ha',
  total: 'Sum of the units',
  outsideUnits: 'Outside all units',
  overlap: 'In several units',
  wholeRaster: 'Whole raster',
});

/** Reasons not to summarize values by unit, or not to make a table of them. */
export const zonalProblems = sentences('zonal', {
  notARaster: invalid(() => 'only a raster has statistics by unit'),
  notReady: conflict(
    (status: Status) =>
      `the raster is ${status}; its statistics are counted once it is ready${nextSteps[status]}`,
  ),
  noNumbers: invalid(() => 'the pixels of the raster have no numbers that could be summed up'),
  sumOfDensity: invalid(
    () =>
      'only counts have a sum: send values_are=count when each pixel contains a count, such as a number of people; a sum of densities or degrees means nothing',
  ),
  noDates: conflict(
    () => 'the raster has neither start_date nor end_date, so its values have no place in a table',
  ),
  tooManyColumns: invalid(
    (columns: number, most: number) =>
      `the table would have ${columns} columns, more than ${most}: ask for fewer statistics`,
  ),
  notFollowed: problem('not_found', () => 'no table of statistics follows this group'),
});

/** Remarks on the table that follows a group, and on rasters that are not in it. */
export const zonalPhrases = sentences('zonal_phrase', {
  off: 'no table of statistics follows this group',
  upToDate: (rasters: number) => `rasters in the table: ${rasters}`,
  noRasters: 'the group has no ready raster with dates yet',
  counting: (left: number) => `rasters that are not in the table yet: ${left}`,
  changing: 'the table is being updated',
  rastersFailed: (failed: number) =>
    `rasters that could not be counted: ${failed}; the others are in the table`,
  tableFailed: (reason: Message) => `the table could not be made: ${reason.english}`,
  waiting: 'is being counted',
  withoutDates: 'has no dates',
  replaced: 'has the same dates as a newer raster, which is in the table',
});

export const zonalWords = sentences('zonal_word', {
  title: 'Statistics of values by unit',
  sheet: 'Statistics',
  valuesAre: 'The pixels contain',
  density: 'a density: a quantity that does not grow with the size of a pixel',
  count: 'a count: the number of things within each pixel',
  minimum: 'Minimum valid share',
  statistics: 'Statistics',
  statisticsText:
    'Mean, standard deviation and quantiles are weighted by area; minimum and maximum are of all pixels that the unit has a part of; the valid share is that of the area of the unit.',
  valid: 'With values, ha',
  reason: 'Why there are none',
  noValues: 'no pixel has a value',
  belowMinimum: 'the share of the unit with values is below the minimum',
  mean: 'Mean',
  min: 'Minimum',
  max: 'Maximum',
  sd: 'Standard deviation',
  sum: 'Sum',
  validShare: 'Valid share',
  quantile: (percent: number) => `Quantile ${percent} %`,
});

/** The sentences of this folder that have translations, by the area that prefixes their codes. */
export const english = {
  area_word: areaWords,
  hectares: areaProblems,
  pending: pendingPhrases,
  zonal: zonalProblems,
  zonal_phrase: zonalPhrases,
  zonal_word: zonalWords,
};
