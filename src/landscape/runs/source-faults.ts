import type { InspectionResult } from '../compute/batch.ts';
import type { SourceCounts } from '../grid/counts.ts';
import { elevation } from '../model/leaves.ts';
import type { ReferenceGrid } from '../grid/reference-grid.ts';
import type { PassSource } from './pass.ts';
import type { RunFault } from './run-failed.ts';

type Sources = ReadonlyMap<string, PassSource>;

const referenceErrors = { no_crs: 'no CRS', not_north_up: 'not north-up' } as const;
const headerErrors = {
  unreadable: 'raster cannot be read',
  no_crs: 'CRS missing or not supported',
  no_transformation: 'CRS missing or not supported',
} as const;

/** What the headers of the sources say against the run. The elevation comes first: every node stands on its grid. */
export function headerFaults(sources: Sources, { faults, grid, reference }: InspectionResult): RunFault[] {
  const found: RunFault[] = [];
  for (const [key, { band, firstReader }] of sources) {
    const fault = faults[key];
    if (key === elevation.key && fault !== 'unreadable' && grid === undefined) {
      const why = referenceErrors[reference ?? 'no_crs'];
      found.push({ nodeCode: firstReader, error: `reference raster: ${why}` });
    } else if (fault !== undefined) {
      found.push({ nodeCode: firstReader, error: `input group ${band.group}: ${headerErrors[fault]}` });
    }
  }
  return found;
}

/** Whether the grid is one that may be computed at all. */
export function sizeFaults(sources: Sources, grid: ReferenceGrid, maxPixels: number): RunFault[] {
  if (grid.width * grid.height <= maxPixels) return [];
  const nodeCode = sources.get(elevation.key)?.firstReader ?? '';
  return [{ nodeCode, error: 'reference raster: too many pixels' }];
}

/** What the pixels of the sources, all of them, say against the run. */
export function pixelFaults(sources: Sources, counts: ReadonlyMap<string, SourceCounts>): RunFault[] {
  const found: RunFault[] = [];
  for (const [key, { band, firstReader, isOutput }] of sources) {
    const seen = counts.get(key);
    // An output may well be without a value everywhere, and so is what follows from it.
    const mayBeEmpty = isOutput || (band.type === 'uint8' && band.zeroWhereMissing === true);
    if (seen === undefined || seen.valid > 0 || mayBeEmpty) continue;
    const error =
      seen.covered === 0
        ? `input group ${band.group} does not overlap the reference grid`
        : `input group ${band.group} has no valid pixel on the reference grid; check unit, scale and nodata`;
    found.push({ nodeCode: firstReader, error });
  }
  return found;
}

/** Sums what batches have seen of each source. */
export function sumCounts(
  batches: readonly Readonly<Record<string, SourceCounts>>[],
): ReadonlyMap<string, SourceCounts> {
  const sums = new Map<string, SourceCounts>();
  for (const [key, counts] of batches.flatMap((batch) => Object.entries(batch))) {
    const { covered = 0, valid = 0, invalid = 0 } = sums.get(key) ?? {};
    sums.set(key, {
      covered: covered + counts.covered,
      valid: valid + counts.valid,
      invalid: invalid + counts.invalid,
    });
  }
  return sums;
}
