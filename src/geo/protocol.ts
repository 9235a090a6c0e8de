import { MiB } from '../lib/units.ts';
import type { TiledRaster } from './engine.ts';

/** Asks for the result of one uploaded file, or for the view of a stored COG. */
export interface FileRequest {
  readonly task: 'raster' | 'view' | 'vector' | 'table' | 'features';
  readonly inputPath: string;
  readonly scratch: string;
}

export interface AssembleRequest {
  readonly task: 'assemble';
  readonly rasters: readonly TiledRaster[];
  readonly scratch: string;
}

/** The one request that a parent writes to a child, which trusts it: docs/decisions/0015-children-start-quickly.md. */
export type Request = { readonly task: 'probe' } | FileRequest | AssembleRequest;

/** The file descriptor to which a child writes its answer. */
export const answerDescriptor = 3;

/** A table of thousands of columns answers with some hundred kilobytes. */
export const maxAnswerBytes = 32 * MiB;

/** The GDAL drivers that a child may use, by the kind of its work: those that this needs and no other. */
const allowedDrivers = {
  raster: ['GTiff', 'COG', 'MEM'],
  vector: ['GeoJSON', 'GeoJSONSeq', 'Memory', 'GPKG', 'ESRI Shapefile'],
} as const;

export type DriverSet = keyof typeof allowedDrivers;

/** Returns the names of `registered` drivers that `set` does not allow. */
export function foreignDrivers(registered: readonly string[], set: DriverSet): readonly string[] {
  const allowed: readonly string[] = allowedDrivers[set];
  return registered.filter((name) => !allowed.includes(name));
}

/** Returns the names of `registered` drivers that some set allows. */
export function usedDrivers(registered: readonly string[]): readonly string[] {
  const allowed: readonly string[] = Object.values(allowedDrivers).flat();
  return registered.filter((name) => allowed.includes(name));
}
