import { conflict, invalid, problem, sentences } from '../base/define.ts';

export const polygonProblems = sentences('polygons', {
  tooMany: invalid(
    (zones: number, most: number, fitting: number | null) =>
      `the raster has ${zones} contiguous zones, more than ${most}: ` +
      (fitting === null
        ? 'no minimum area makes them fewer, because too many have no neighbour to join'
        : `min_area_ha=${fitting} makes them few enough`),
  ),
  farTooMany: invalid(
    (most: number) =>
      `the raster has more than ${most} contiguous zones: it is noise rather than a map of zones`,
  ),
  tooRagged: invalid(
    (zones: number) =>
      `the raster has ${zones} contiguous zones with borders that are too ragged to merge the small ones: it is noise rather than a map of zones`,
  ),
  tooManyPositions: invalid(
    (positions: number, most: number) =>
      `the outlines of the zones have ${positions} positions, more than ${most}: a larger min_area_ha makes them fewer`,
  ),
  tooManyPixels: invalid(
    (pixels: number, most: number) =>
      `the raster has ${pixels} pixels, more than ${most}, the limit for polygons`,
  ),
  beyondEarth: invalid(
    () => 'a corner of a zone does not lie on the earth in the reference system of the raster',
  ),
  acrossAntimeridian: invalid(
    () =>
      'a zone crosses the meridian of 180°, where a polygon in longitude and latitude would have to be cut',
  ),
  notEnded: conflict(
    () => 'the run has not ended; polygons can be made of its outputs once it has succeeded',
  ),
  noOutput: problem('not_found', (node: string) => `the run has no output of node ${node}`),
  gone: conflict(() => 'a raster that the polygons are made of was deleted'),
  failed: conflict(() => 'the polygons could not be made; ask again in a minute'),
  tooManyWaiting: problem('too_many', () => 'too many polygons wait to be made; ask again in a few seconds'),
});

export const polygonPhrases = sentences('polygon_name', {
  dataset: (title: string) => `Zones as polygons: ${title}`,
});

/** Code of the sentence whose third fact is the minimum area that fits. */
export const tooManyZones = 'polygons.tooMany';
