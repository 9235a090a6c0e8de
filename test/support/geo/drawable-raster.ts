import { readFile } from 'node:fs/promises';
import { halfWorld, worldX, worldY } from '../../../common/maps/raster/web-mercator.ts';

interface MeshBox {
  /** Edges in metres of Web Mercator. */
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** Size of the raster in pixels. */
  readonly width: number;
  readonly height: number;
}

/** View mesh of the four corners of a raster whose sides are parallel to those of the box. */
export function meshBytes({ left, top, right, bottom, width, height }: MeshBox): Buffer {
  const magic = Buffer.from('STPMESH1');
  const box = Buffer.from(Float64Array.of(left, top, right, bottom).buffer);
  const side = 2;
  const counts = Buffer.from(Uint32Array.of(1, 1, side, width, height).buffer);
  const columns = Buffer.from(Float32Array.of(0, width, 0, width).buffer);
  const rows = Buffer.from(Float32Array.of(0, 0, height, height).buffer);
  return Buffer.concat([magic, box, counts, columns, rows]);
}

/** View mesh of a raster whose sides are meridians and parallels. */
export function meshOfDegrees(
  [west, south, east, north]: readonly [number, number, number, number],
  { width, height }: Pick<MeshBox, 'width' | 'height'>,
): Buffer {
  const side = 129;
  const x = (lon: number) => (worldX(lon) - 0.5) * 2 * halfWorld;
  const y = (lat: number) => (0.5 - worldY(lat)) * 2 * halfWorld;
  const box = Buffer.from(Float64Array.of(x(west), y(north), x(east), y(south)).buffer);
  const counts = Buffer.from(Uint32Array.of(1, 1, side, width, height).buffer);
  const points = Array.from({ length: side * side }, (_, index) => index);
  const latAt = (row: number) => {
    const world = worldY(north) + ((worldY(south) - worldY(north)) * row) / (side - 1);
    return (Math.atan(Math.sinh(Math.PI * (1 - 2 * world))) * 180) / Math.PI;
  };
  const columns = points.map((index) => ((index % side) / (side - 1)) * width);
  const rows = points.map((index) => ((north - latAt(Math.floor(index / side))) / (north - south)) * height);
  const floats = [columns, rows].map((numbers) => Buffer.from(Float32Array.from(numbers).buffer));
  return Buffer.concat([Buffer.from('STPMESH1'), box, counts, ...floats]);
}

/** Columns for `setState` of a raster that maps can draw: the north-eastern quarter of the world. */
export async function drawableRaster() {
  const cog = await readFile(new URL('../../fixtures/raster/cog_scale.tif', import.meta.url));
  const corners = { left: 0, top: halfWorld, right: halfWorld, bottom: 0 };
  const size = { width: 256, height: 256 };
  return {
    columns: { status: 'ready', view_state: 'made', bbox: [0, 0, 180, 85.06] },
    objects: { cog, view_mesh: meshBytes({ ...corners, ...size }) },
  };
}
