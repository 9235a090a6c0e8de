import type { InspectionResult } from '../compute/landscape-engine.ts';
import { addCounts, type SourceCounts } from '../grid/sample.ts';
import { elevation } from '../model/leaves.ts';
import type { ReferenceGrid } from '../grid/reference-grid.ts';
import { runFaults } from '../../messages/landscape/runs.ts';
import type { PassSource } from './pass.ts';
import type { RunFault } from '../runs/run-failed.ts';

type Sources = ReadonlyMap<string, PassSource>;

/** Finds what the headers of the sources say against the run. The elevation comes first: it fixes the grid. */
export function headerFaults(sources: Sources, { faults, grid, reference }: InspectionResult): RunFault[] {
  const found: RunFault[] = [];
  for (const [key, { band, firstReader }] of sources) {
    const fault = faults[key];
    if (key === elevation.key && fault !== 'unreadable' && grid === undefined) {
      const isTilted = reference === 'not_north_up';
      const error = isTilted ? runFaults.referenceNotNorthUp : runFaults.referenceWithoutCrs;
      found.push({ nodeCode: firstReader, error });
    } else if (fault !== undefined) {
      const sentence = fault === 'unreadable' ? runFaults.unreadable : runFaults.noCrs;
      found.push({ nodeCode: firstReader, error: sentence(band.group) });
    }
  }
  return found;
}

/** Refuses a grid of more than `maxPixels` cells. */
export function sizeFaults(sources: Sources, grid: ReferenceGrid, maxPixels: number): RunFault[] {
  if (grid.width * grid.height <= maxPixels) return [];
  const nodeCode = sources.get(elevation.key)?.firstReader ?? '';
  return [{ nodeCode, error: runFaults.referenceTooLarge }];
}

/** Finds what the pixels of the sources, all of them, say against the run. */
export function pixelFaults(sources: Sources, counts: ReadonlyMap<string, SourceCounts>): RunFault[] {
  const found: RunFault[] = [];
  for (const [key, { band, firstReader, isOutput }] of sources) {
    const seen = counts.get(key);
    // An output may be without a value everywhere, and so may what follows from it.
    const mayBeEmpty = isOutput || (band.type === 'uint8' && band.zeroWhereMissing === true);
    if (seen === undefined || seen.valid > 0 || mayBeEmpty) continue;
    const sentence = seen.covered === 0 ? runFaults.noOverlap : runFaults.noValidPixel;
    found.push({ nodeCode: firstReader, error: sentence(band.group) });
  }
  return found;
}

/** Sums what batches have seen of each source, by its key. */
export function sumCounts(
  batches: readonly Readonly<Record<string, SourceCounts>>[],
): ReadonlyMap<string, SourceCounts> {
  const sums = new Map<string, SourceCounts>();
  for (const [key, counts] of batches.flatMap((batch) => Object.entries(batch))) {
    sums.set(key, addCounts(sums.get(key), counts));
  }
  return sums;
}
