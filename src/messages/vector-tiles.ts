import { invalid, sentences } from './define.ts';

/** Reasons not to draw a vector as tiles or as a thumbnail. */
export const vectorTileProblems = sentences('vector_tile', {
  raster: invalid(() => 'a raster has no vector tiles'),
  tooLarge: invalid(
    (mebibytes: number, most: number) =>
      `the GeoJSON has ${mebibytes} MiB; only one of at most ${most} MiB is drawn, but all of it can be downloaded`,
  ),
  tooManyPositions: invalid(
    (most: number) =>
      `the GeoJSON has more than ${most} positions; only one of fewer is drawn, but all of it can be downloaded`,
  ),
  notGeoJson: invalid(() => 'the stored GeoJSON cannot be read'),
});
