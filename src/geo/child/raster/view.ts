import { open, writeFile } from 'node:fs/promises';
import type { Bbox } from '../../engine.ts';
import { isDrawable } from '../../formats/tiff/drawable.ts';
import { readImage } from '../../formats/tiff/image.ts';
import { openTiff, walkDirectories } from '../../formats/tiff/walk.ts';
import type { RasterDescription } from './description.ts';
import type { Georeference } from './georeference.ts';
import { viewMeshOf } from './view-mesh.ts';

/** A raster on a map: what its view is made of. */
interface Placed {
  readonly georeference: Georeference;
  readonly bbox: Bbox;
  readonly raster: Pick<RasterDescription, 'bands'>;
}

/** Writes the view mesh of a raster to a path; returns undefined for one that has none. */
export type WriteMesh = (raster: Placed, path: string) => Promise<string | undefined>;

/** Creates a writer that computes the mesh of several rasters on the same grid only once. */
export function createMeshWriter(): WriteMesh {
  let last: { readonly grid: string; readonly mesh: Buffer | undefined } | undefined;
  return async ({ georeference, bbox, raster }, path) => {
    if (isComplex(raster)) return undefined;
    const grid = JSON.stringify(georeference);
    if (last?.grid !== grid) last = { grid, mesh: viewMeshOf(georeference, bbox) };
    if (last.mesh === undefined) return undefined;
    await writeFile(path, last.mesh);
    return path;
  };
}

/** Complex numbers have no colour. */
function isComplex({ bands }: Pick<RasterDescription, 'bands'>): boolean {
  return bands.some(({ dataType }) => dataType.startsWith('C'));
}

/** Tells whether the api can draw from a sound TIFF by itself. @throws {BrokenTiff} */
export async function isDrawableFile(path: string): Promise<boolean> {
  await using file = await open(path);
  const images = await Array.fromAsync(walkDirectories(await openTiff(file)), readImage);
  return isDrawable(images.filter((image) => image !== undefined));
}
