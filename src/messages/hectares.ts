import { conflict, invalid, problem, sentences } from './base/define.ts';
import { nextSteps } from './datasets.ts';

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
  all: 'regions and districts',
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
