import { conflict, problem, sentences } from '../base/define.ts';

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
