import { placeOfPixel } from '../../../../common/maps/raster/mesh-places.ts';
import type { ViewMesh } from '../../../../common/maps/raster/mesh.ts';
import type { OpenRasters } from './open-rasters.ts';

export interface SampleRequest {
  readonly meshKey: string;
  /** Maximum number of columns and rows of cells. */
  readonly side: number;
}

/** Points in degrees on WGS 84. */
interface Places {
  readonly lons: Float64Array;
  readonly lats: Float64Array;
}

/** Cells of a raster, row by row. */
export interface GridSample {
  readonly across: number;
  readonly down: number;
  /** A pixel in the centre of each cell. */
  readonly centres: Places;
  /** `(across + 1) × (down + 1)` */
  readonly corners: Places;
  /** Pixels in a few blocks of the raster, to sample it at full resolution. */
  readonly probes: Places;
}

/** Blocks with probes along each side of the raster; probes along each side of a block, and their distance in pixels. */
const probedBlocks = 3;
const probesOfBlock = 16;
const probeStep = 16;
const blockSide = 512;

/** Divides a raster into cells. @throws {Problem} if its mesh is invalid. */
export async function sampleGrid(
  rasters: OpenRasters,
  { meshKey, side }: SampleRequest,
): Promise<GridSample> {
  const mesh = await rasters.mesh(meshKey);
  const [across, down] = [Math.min(side, mesh.width), Math.min(side, mesh.height)];
  const edge = (index: number, count: number, length: number) => Math.floor((index * length) / count);
  const middle = (index: number, count: number, length: number) =>
    Math.floor((edge(index, count, length) + edge(index + 1, count, length)) / 2) + 0.5;
  return {
    across,
    down,
    centres: placesOf(mesh, across * down, (i) => [
      middle(i % across, across, mesh.width),
      middle(Math.floor(i / across), down, mesh.height),
    ]),
    corners: placesOf(mesh, (across + 1) * (down + 1), (i) => [
      edge(i % (across + 1), across, mesh.width),
      edge(Math.floor(i / (across + 1)), down, mesh.height),
    ]),
    probes: probesOf(mesh),
  };
}

/** Returns no probes for a raster hardly larger than the probed blocks. */
function probesOf(mesh: ViewMesh): Places {
  const isSmall = Math.max(mesh.width, mesh.height) <= (probedBlocks + 1) * blockSide;
  const perSide = probedBlocks * probesOfBlock;
  const place = (index: number, length: number) => {
    const [block, probe] = [Math.floor(index / probesOfBlock), index % probesOfBlock];
    const centre = ((block + 0.5) * length) / probedBlocks;
    // In the centre of a block, so that rasters on the same grid are read in one block.
    const first = Math.floor(centre / blockSide) * blockSide + (blockSide - probesOfBlock * probeStep) / 2;
    return Math.min(length - 1, first + probe * probeStep) + 0.5;
  };
  return placesOf(mesh, isSmall ? 0 : perSide ** 2, (i) => [
    place(i % perSide, mesh.width),
    place(Math.floor(i / perSide), mesh.height),
  ]);
}

function placesOf(
  mesh: ViewMesh,
  count: number,
  pixelOf: (index: number) => readonly [number, number],
): Places {
  const lons = new Float64Array(count);
  const lats = new Float64Array(count);
  for (let i = 0; i < count; i += 1) [lons[i], lats[i]] = placeOfPixel(mesh, ...pixelOf(i));
  return { lons, lats };
}
