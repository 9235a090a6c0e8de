import { quoted } from '../../lib/readable.ts';
import { conflict, invalid, sentences } from '../base/define.ts';

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
