import { conflict, invalid, problem, sentences } from './define.ts';

/** Reasons for which a map cannot be drawn, or not now. */
export const drawingProblems = sentences('drawing', {
  notARaster: invalid(() => 'only a raster has tiles of pixels; vectors have .mvt'),
  notReady: conflict((status: string) => `the dataset is ${status}; its map exists once it is ready`),
  noPlace: invalid(
    () =>
      'the raster cannot be drawn on a map: its file names no coordinate reference system that can be transformed to longitude and latitude, or its pixels are complex numbers',
  ),
  noSuchBand: invalid(
    (band: number, bands: number) =>
      `the style draws band ${band}, and the raster has ${bands}; choose a band that it has in the style`,
  ),
  notDrawable: invalid(
    () => 'the raster cannot be drawn: its pixels are complex numbers, or could not be prepared for maps',
  ),
  viewUnderWay: problem('busy', () => 'the raster is being prepared for maps; ask again in a few seconds'),
  tooMuch: invalid(
    (mebibytes: number) =>
      `more than ${mebibytes} MiB of pixels would have to be read for this tile; zoom in, or upload the raster with overviews`,
  ),
  brokenRaster: problem('broken', () => 'the raster is damaged and cannot be drawn here'),
  busy: problem('busy', () => 'too many maps are being drawn; ask again in a second'),
  overdue: problem('busy', () => 'the map took too long to draw; ask again in a second'),
  threadDied: problem('busy', () => 'the map could not be drawn; ask again in a second'),
  tooManyTiles: problem(
    'too_many',
    () => 'you ask for more tiles than one client may have; ask again in a second',
  ),
});
