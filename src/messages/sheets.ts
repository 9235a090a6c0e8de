import { problem, invalid, sentences } from './base/define.ts';

export const sheetProblems = sentences('sheet', {
  noUnits: problem(
    'not_found',
    (kato: string) => `the atlas would have no sheet: ${kato} has no unit of this level on the raster`,
  ),
  tooManySheets: invalid(
    (count: number, most: number) =>
      `the atlas would have ${count} sheets, and at most ${most} are allowed: choose a region with \`kato\``,
  ),
  beyondEarth: invalid(
    () => 'the frame extends beyond the Earth; choose a smaller scale denominator, or another place',
  ),
  notOfRun: problem('not_found', () => 'the run has neither made nor used this dataset'),
  atlasFailed: problem('not_found', () => 'the atlas could not be made; ask again in a minute'),
});

/** Words of maps on paper. */
export const sheetWords = sentences('sheet_word', {
  ofUnit: (name: string) => `Hectares of the unit: ${name}`,
  ofFrame: 'Hectares of the frame of this map',
  ofRaster: 'Hectares of the whole raster',
  hectares: 'ha',
  noData: 'No data',
  outside: 'Outside the raster',
  others: 'Other values',
  total: 'Total',
  noHectares: 'The raster has no classes, so no hectares are stated.',
  mapped: 'Hectares are measured on the map; they are not a boundary survey.',
  inUnit: (sentence: string) => `In the unit: ${sentence}`,
  inRun: (sentence: string) => `In the whole zoning: ${sentence}`,
  contestedUnknown:
    'The share of land where the order of sectors decides, not the land, is not known for this run.',
  cut: 'At this scale the unit is larger than the map; the hectares are those of the whole unit.',
  sources: 'Sources',
  licence: (name: string, licence: string) => `${name}. ${licence}`,
  deletedSource: 'a dataset that was deleted since',
  run: (id: string) => `Run ${id}`,
  dataset: (id: string) => `Dataset ${id}`,
  state: (state: string) => `State: ${state}`,
  basis: (text: string) => `Basis: ${text}`,
  asOf: (date: string) => `As of ${date}`,
  draft: 'draft',
  proposed: 'proposed',
  adopted: 'adopted',
  withdrawn: 'withdrawn',
  draftMark: 'DRAFT',
  withdrawnMark: 'WITHDRAWN',
  scale: (denominator: string) => `Scale 1:${denominator}`,
  projection:
    'Albers equal-area conic, WGS 84: standard parallels 43° and 53° N, origin 48° N, 67° E; lengths are right to 0.5 %. North follows the meridians of the grid.',
  north: 'N',
  kilometre: 'km',
  metre: 'm',
  sheet: (page: number, pages: number) => `Sheet ${page} of ${pages}`,
  index: 'Index of sheets',
  unit: 'Unit',
  kato: 'KATO code',
  page: 'Sheet',
  scaleColumn: 'Scale',
  area: 'Area, ha',
});
