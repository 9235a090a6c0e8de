import { conflict, problem, sentences, invalid } from '../base/define.ts';
import { quoted } from '../../lib/readable.ts';

/** Formats a share as whole percent; a share that is not exactly 0 or 1 is never written as 0% or 100%. */
export function percentOf(
  share: number,
  { less, more }: { readonly less: (percent: string) => string; readonly more: (percent: string) => string },
): string {
  if (share > 0 && share < 0.01) return less('1 %');
  if (share < 1 && share > 0.99) return more('99 %');
  return `${Math.round(100 * share)} %`;
}

const percent = (share: number) =>
  percentOf(share, { less: (text) => `less than ${text}`, more: (text) => `more than ${text}` });

/** Judgement of a zoning: reasons for its absence, and words of its answers. */
export const zoningWords = sentences('zoning', {
  notYet: conflict(() => 'the run has not ended; its zoning can be judged once it has succeeded'),
  ofFailedRun: problem('not_found', () => 'the run has failed; only a run that has succeeded has a zoning'),
  pinned: conflict(
    (groups: readonly string[]) =>
      `the run has pinned ${groups.join(', ')}, so its zones do not follow from suitability, sensitivity, thresholds and the order of sectors; ` +
      'only a run that computes them itself has a balance',
  ),
  inputGone: problem(
    'not_found',
    (group: string) =>
      `the raster that this run has for ${group} was deleted since, so its land cannot be counted`,
  ),
  layerFailed: conflict(
    () =>
      'the land of this run could not be read; one of its rasters is damaged, or ends before its last pixel',
  ),
  layerNotMade: conflict(() => 'the land of this run could not be prepared; ask again in a minute'),
  layerPending: problem('busy', () => 'the land of this run is being prepared; ask again in a second'),
  noSuchLayer: problem(
    'not_found',
    (names: readonly string[]) => `the layers of a run are ${names.join(', ')}`,
  ),
  noSuchUnit: problem('not_found', (kato: string) => `there is no unit ${kato} at this level`),
  noPlace: conflict(
    () =>
      'the grid of this run cannot be drawn on a map: its coordinate reference system cannot be transformed to longitude and latitude',
  ),
  chosenByOrder: (share: number) =>
    `On ${percent(share)} of the allocable land, several sectors are equally suitable (S of 3 or more): there the order of sectors decides, not the land.`,
  beyondClasses: (value: number) => `${value} is not a class: S goes from 1 to 5`,
  otherSets: 'Other sets of sectors',
  whatIf: 'What if: functional zoning',
  contested: 'Contested land',
  stability: 'Sensitivity of the zoning to its parameters',
  keptByAll: 'Keeps its code',
  movedByThresholds: 'Changes with a threshold',
  movedByOrder: 'Changes with the order of sectors',
  movedByBoth: 'Changes with either',
});

/** Reasons for the absence of limits, or of the effect of moved inputs, of a run. */
export const limitProblems = sentences('limits', {
  otherGraph: conflict(
    () =>
      'an earlier release of the program has computed this run with formulas that no longer exist; a new run has an answer',
  ),
  pinnedSector: conflict(
    (group: string) =>
      `the run has pinned ${group}, so the limiting factor of the sector is not known; only a run that rates it has limits`,
  ),
  rasterUnreadable: conflict((group: string) => `the raster that this run has for ${group} cannot be read`),
  tooManyConditions: problem(
    'too_many',
    () => 'too many conditions wait to be evaluated; ask again in a few seconds',
  ),
  inputGone: conflict(() => 'a raster that this run has read was deleted since'),
  notMoved: conflict(() => 'the sensitivity could not be computed; ask again in a minute'),
});

/** Names of limitations, by the letters of subclasses. */
export const limitationTitles = sentences('limitation', {
  topography: 'Topography',
  moisture: 'Moisture',
  snow: 'Snow cover',
  warmth: 'Warmth',
  texture: 'Soil texture',
  carbon: 'Soil organic carbon',
  salinity: 'Soil salinity',
  water: 'Distance to water',
  cover: 'Land cover',
  growth: 'Density of vegetation',
  road: 'Distance to road',
  attraction: 'Attraction',
});

/** Faults of conditions on rasters; positions count characters from 1. */
export const conditionFaults = sentences('condition', {
  noName: (position: number) => `must have the name of a slot or node at character ${position}`,
  unknownName: (position: number, name: string) =>
    `names ${quoted(name)} at character ${position}, which is neither a slot nor a node: GET /landscape/graph lists both`,
  noComparison: (position: number) => `must have one of <, <=, =, !=, >=, > at character ${position}`,
  noNumber: (position: number) =>
    `must have a number at character ${position}, such as 5 or -0.25, followed by ; or the end`,
  tooMany: (position: number, most: number) =>
    `has more than ${most} conditions; the next one begins at character ${position}`,
});

/** Words of the maps of limits and of conditions. */
export const limitPhrases = sentences('limit_map', {
  title: (sector: string) => `Limiting factors. ${sector}`,
  several: 'Several factors equally',
  none: 'Nothing: the best class',
  notAllocable: 'Not allocable',
});

type RunStatus = 'queued' | 'running' | 'succeeded' | 'failed';

/** A difference between two grids with both values, in units of the CRS or in pixels; names of CRS may be empty. */
export type GridDifference =
  | { readonly of: 'crs'; readonly a: string; readonly b: string }
  | {
      readonly of: 'origin' | 'pixel_size' | 'size';
      readonly a: readonly [number, number];
      readonly b: readonly [number, number];
    };

const names = { crs: 'CRS', origin: 'origin', pixel_size: 'pixel size', size: 'size in pixels' } as const;

function differenceOf(difference: GridDifference): string {
  const { of } = difference;
  if (of === 'crs') return `${names.crs} ${crsName(difference.a)} and ${crsName(difference.b)}`;
  const mark = of === 'origin' ? ', ' : ' × ';
  return `${names[of]} ${difference.a.join(mark)} and ${difference.b.join(mark)}`;
}

const crsName = (crs: string) => (crs === '' ? 'without a name' : quoted(crs));

export const comparisonProblems = sentences('comparison', {
  notSucceeded: conflict((status: RunStatus) =>
    status === 'failed'
      ? 'one of the runs has failed; only runs that have succeeded can be compared'
      : 'one of the runs has not ended; it can be compared once it has succeeded',
  ),
  notClasses: invalid(
    (node: string) => `node ${node} contains measurements, not classes; only classes can be compared`,
  ),
  otherGrid: invalid(
    (differences: readonly GridDifference[]) =>
      `the rasters of the two runs lie on different grids, so their pixels cannot be compared: ${differences.map(differenceOf).join('; ')}`,
  ),
  noGrid: invalid(() => 'a raster of the two runs is not north-up, or its file defines no grid'),
});

/** Legend of the map of changes. */
export const comparisonPhrases = sentences('comparison_phrase', {
  title: (title: string) => `${title}: what has changed`,
  unchanged: 'unchanged',
  lost: 'no class any more',
  others: 'other places',
  chosen: (from: string, to: string) => `${from} → ${to}`,
  none: 'no class',
});

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

/** The sentences of this folder that have translations, by the area that prefixes their codes. */
export const english = {
  condition: conditionFaults,
  comparison: comparisonProblems,
  comparison_phrase: comparisonPhrases,
  limit_map: limitPhrases,
  limitation: limitationTitles,
  limits: limitProblems,
  polygon_name: polygonPhrases,
  polygons: polygonProblems,
  zoning: zoningWords,
};
