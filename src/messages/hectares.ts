import { conflict, invalid, problem, sentences } from './define.ts';
import { nextSteps } from './datasets.ts';

type Status = keyof typeof nextSteps;

/** Reasons not to count areas by unit. */
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
    () =>
      'the raster has no areas: it does not say where on the earth it lies, or not in a way that leads to WGS 84',
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
      `the unit ${unit} cannot be shown in the reference system of the raster, so that its area cannot be counted`,
  ),
  brokenPolygon: invalid(
    (unit: string) => `the polygon of ${unit} has no area, or its borders cross so that it cannot be mended`,
  ),
  gone: problem('not_found', () => 'the raster was deleted before its areas were counted'),
  notCounted: problem('busy', () => 'the areas have to be counted again; ask again in a second'),
  failed: problem('not_found', () => 'the areas could not be counted; ask again in a minute'),
  tooManyWaiting: problem(
    'too_many',
    () => 'too many polygons wait to be counted; ask again in a few seconds',
  ),
});

/** What an answer says while a job is making its content. */
export const pendingPhrases = sentences('pending', {
  underWay: 'this is being made; ask again in a second',
});
