import { quoted, readable } from '../../lib/readable.ts';
import { conflict, invalid, problem, sentences } from '../base/define.ts';

const shown = (names: readonly string[]) =>
  names
    .slice(0, 10)
    .map((name) => quoted(readable(name, 60)))
    .join(', ');

/** Refusals to make an input raster from other datasets. */
const inputProblems = sentences('made_input', {
  noAttribute: invalid(
    (name: string, names: readonly string[]) =>
      `the vector has no attribute ${quoted(readable(name, 60))}; it has ${names.length === 0 ? 'none' : shown(names)}`,
  ),
  unmappedValues: invalid(
    (attribute: string, values: readonly string[], count: number) =>
      `the table has no row for ${count} values of ${quoted(readable(attribute, 60))}: ${shown(values)}; ` +
      'add them, or set `unmapped` to `no_data`',
  ),
  noPolygons: invalid(() => 'the vector has no polygons, so its attribute covers no pixels'),
  noFeatures: invalid(() => 'the vector has no feature from which a distance can be measured'),
  tooManyPositions: invalid(
    (most: number) => `the features have more than ${most} positions; simplify them, or divide the vector`,
  ),
  gridInDegrees: invalid(
    () => 'the grid is in degrees, so distances in it are not metres; use the measure `geodesic`',
  ),
  noGrid: invalid((isRotated: boolean) =>
    isRotated
      ? 'the raster that gives the grid is not north-up, so it cannot give the grid'
      : 'the raster that gives the grid has no coordinate reference system with known lengths, so it cannot give the grid',
  ),
  notOnEarth: invalid(
    (place: number) =>
      `raster ${place} of the recipe has no location that can be transformed to the grid of the result`,
  ),
  unreadableGrid: invalid(() => 'the raster that gives the grid cannot be read'),
  unreadable: invalid((place: number) => `raster ${place} of the recipe cannot be read`),
  tooManyPixels: invalid(
    (pixels: number, most: number) => `the result would have ${pixels} pixels; at most ${most} are possible`,
  ),
  empty: invalid((hasFeatures: boolean) =>
    hasFeatures
      ? 'no pixel of the grid would have a value: the features do not reach the grid, or have no value'
      : 'no pixel of the grid would have a value: the rasters have no common pixels with it, or none with values',
  ),
  noReference: conflict(
    () => 'there is no ready elevation raster yet, which gives the grid; upload it, or choose another grid',
  ),
  noClasses: invalid(() => 'the slot has numbers, not classes'),
  classesOnly: invalid(
    (rule: string) => `the slot has classes, of which ${quoted(rule)} would make values that are no classes`,
  ),
  noDays: invalid((name: string) => `${quoted(name)} has no period, so its days are not known`),
  tooManyWaiting: problem('too_many', () => 'too many rasters wait to be made; ask again in a few seconds'),
  failed: conflict(() => 'the raster could not be made; ask again in a minute'),
  gone: problem('not_found', () => 'a source of the recipe was deleted before the raster was made'),
});

/** Faults of the fields of a recipe. */
const inputFaults = sentences('made_input_field', {
  noSuchDataset: (type: string) => `must be the id of a ${type} dataset that is ready`,
  notAClass: (numbers: readonly number[]) => `must be a class of the slot: ${numbers.join(', ')}`,
  twice: (value: string) => `must not have ${quoted(value)} twice`,
  needsTable: 'is required for a slot with classes',
  notForClasses: 'is not possible for a slot with classes',
  daysOfExtreme: 'must be `equal` for a minimum or maximum',
});

/** Names of made rasters. */
const inputPhrases = sentences('made_input_phrase', {
  rasterize: (slot: string, source: string) => `${slot}, from ${quoted(source)}`,
  distance: (slot: string, source: string) => `${slot}, from ${quoted(source)}`,
  mosaic: (slot: string, rasters: number) => `${slot}, mosaic of ${rasters} rasters`,
  arithmetic: (slot: string, rasters: number) => `${slot}, computed from ${rasters} rasters`,
});

export { inputFaults, inputPhrases, inputProblems };

export const english = {
  made_input: inputProblems,
  made_input_field: inputFaults,
  made_input_phrase: inputPhrases,
};
