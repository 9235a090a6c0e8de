import { type RasterFacts, type RasterReader, UnreadableRaster } from '../../geo/raster-reader.ts';
import { elevation } from '../model/leaves.ts';
import { crsOf, referenceGridOf } from '../grid/reference-grid.ts';
import type { ReferenceGrid } from '../grid/reference-grid.ts';
import type { Inspection, InspectionResult, SourceFault } from './batch.ts';

/** Looks at the headers of all sources: what is wrong with them, and the grid that the elevation gives. */
export async function inspectSources(
  reader: RasterReader,
  { sources }: Inspection,
): Promise<InspectionResult> {
  const facts = new Map<string, RasterFacts | undefined>();
  for (const { key, path } of sources) facts.set(key, await factsOf(reader, path));
  const reference = facts.get(elevation.key);
  const grid = reference === undefined ? undefined : referenceGridOf(reference);
  const faults: Record<string, SourceFault> = {};
  for (const [key, found] of facts) {
    const fault = faultOf(found, typeof grid === 'object' ? grid : undefined, reader);
    if (fault !== undefined) faults[key] = fault;
  }
  if (grid === undefined) return { faults };
  return typeof grid === 'string' ? { faults, reference: grid } : { faults, grid };
}

async function factsOf(reader: RasterReader, path: string): Promise<RasterFacts | undefined> {
  try {
    using raster = await reader.open(path);
    return raster.facts;
  } catch (error) {
    if (error instanceof UnreadableRaster) return undefined;
    throw error;
  }
}

function faultOf(
  facts: RasterFacts | undefined,
  grid: ReferenceGrid | undefined,
  reader: RasterReader,
): SourceFault | undefined {
  if (facts === undefined) return 'unreadable';
  if (facts.crs === undefined || facts.affine === undefined) return 'no_crs';
  if (grid === undefined) return undefined;
  const own = crsOf(grid);
  if (reader.isSameCrs(own, facts.crs)) return undefined;
  return reader.transformation(own, facts.crs) === undefined ? 'no_transformation' : undefined;
}
