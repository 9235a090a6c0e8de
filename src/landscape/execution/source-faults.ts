import type { InspectionResult } from '../compute/landscape-engine.ts';
import { addCounts, type SourceCounts } from '../grid/sample.ts';
import { elevation } from '../model/leaves.ts';
import type { ReferenceGrid } from '../grid/reference-grid.ts';
import { runFaults } from '../../messages/runs/english.ts';
import type { PassSource } from './pass.ts';
import type { RunFault } from '../runs/run-failed.ts';

type Sources = ReadonlyMap<string, PassSource>;

/** Returns the faults in the headers of the sources. The elevation comes first, because it defines the grid. */
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

/** Returns the faults in the pixels of the sources, after all pixels were read. */
export function pixelFaults(sources: Sources, counts: ReadonlyMap<string, SourceCounts>): RunFault[] {
  const found: RunFault[] = [];
  for (const [key, { band, firstReader, isOutput }] of sources) {
    const seen = counts.get(key);
    // An output may have no valid pixel, and so may any output that depends on it.
    const mayBeEmpty = isOutput || (band.type === 'uint8' && band.zeroWhereMissing === true);
    if (seen === undefined || seen.valid > 0 || mayBeEmpty) continue;
    const sentence = seen.covered === 0 ? runFaults.noOverlap : runFaults.noValidPixel;
    found.push({ nodeCode: firstReader, error: sentence(band.group) });
  }
  return found;
}

/** Sums the counts of batches for each source, by key. */
export function sumCounts(
  batches: readonly Readonly<Record<string, SourceCounts>>[],
): ReadonlyMap<string, SourceCounts> {
  const sums = new Map<string, SourceCounts>();
  for (const [key, counts] of batches.flatMap((batch) => Object.entries(batch))) {
    sums.set(key, addCounts(sums.get(key), counts));
  }
  return sums;
}
