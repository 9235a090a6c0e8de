import { quoted } from '../../lib/readable.ts';
import { conflict, problem, sentences } from '../base/define.ts';

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
