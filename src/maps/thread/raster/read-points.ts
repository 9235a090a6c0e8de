import { drawingProblems } from '../../../messages/drawing/english.ts';
import { MiB } from '../../../lib/units.ts';
import { pixelOfPlace, placeOfPixel } from '../../../../common/maps/raster/mesh-places.ts';
import type { ViewMesh } from '../../../../common/maps/raster/mesh.ts';
import type { CogHead } from '../tiff/cog-head.ts';
import type { Placement } from '../tiff/placement.ts';
import type { OpenRasters } from './open-rasters.ts';

/** A raster to read values from. */
export interface PlacedRaster {
  readonly cogKey: string;
  readonly meshKey: string;
}

export interface PointsRequest {
  readonly rasters: readonly PlacedRaster[];
  /** In degrees on WGS 84. */
  readonly lons: Float64Array;
  readonly lats: Float64Array;
  /** Mesh of a raster to whose pixel centres the points are moved; points outside it have no value. */
  readonly snapTo?: string | undefined;
  /** Positions of a single point on each raster, `[column, row]`, if they are known without the mesh. */
  readonly at?: readonly (readonly [number, number] | undefined)[] | undefined;
  /** Maximum number of decoded blocks per raster: a coarser level is read if full resolution would take more. */
  readonly maxBlocks: number;
}

/**
 * The pixels around points, as a picture of two rows: those of point `i` are in columns `2i` and `2i + 1`, and `columns` and `rows` give
 * its position among them, for both nearest neighbour and interpolation. Pixels at an edge are repeated beyond it.
 */
export interface PointValues {
  /** Values of band 1, with scale and offset applied; NaN for no data. */
  readonly values: Float64Array;
  /** NaN for a point outside the raster. */
  readonly columns: Float64Array;
  readonly rows: Float64Array;
}

export interface PointsResult {
  readonly rasters: readonly PointValues[];
  /** 1 for each point on the raster of `snapTo`, or for all points without one. */
  readonly isOn: Uint8Array;
}

const nowhere = [Number.NaN, Number.NaN] as const;

/** Larger blocks are not decoded for a few pixels. */
const maxBytesOfBlock = 64 * MiB;

/** Reads the pixels around points from the first band of rasters. @throws {Problem} if one of them is damaged. */
export async function readPoints(
  rasters: OpenRasters,
  { rasters: wanted, lons, lats, snapTo, at = [], maxBlocks }: PointsRequest,
): Promise<PointsResult> {
  const grid = snapTo === undefined ? undefined : await rasters.mesh(snapTo);
  const places = Array.from(lons, (lon, i) => {
    const place = [lon, lats[i] ?? Number.NaN] as const;
    return grid === undefined ? place : centreAround(grid, place);
  });
  const isOn = Uint8Array.from(places, ([lon]) => (Number.isNaN(lon) ? 0 : 1));
  const read = [];
  for (const [index, { cogKey, meshKey }] of wanted.entries()) {
    const known = at[index];
    const head = await rasters.head(cogKey);
    const mesh = known === undefined ? await rasters.mesh(meshKey) : undefined;
    const positions =
      mesh === undefined
        ? places.map(() => known ?? nowhere)
        : places.map(([lon, lat]) => pixelOfPlace(mesh, lon, lat));
    read.push(await readAround(rasters, { key: cogKey, head }, positions, maxBlocks));
  }
  return { rasters: read, isOn };
}

function centreAround(grid: ViewMesh, [lon, lat]: readonly [number, number]): readonly [number, number] {
  const [column, row] = pixelOfPlace(grid, lon, lat);
  return placeOfPixel(grid, Math.floor(column) + 0.5, Math.floor(row) + 0.5);
}

interface OpenCog {
  readonly key: string;
  readonly head: CogHead;
}

/** One of the four pixels around a point, by its index in the picture and in its block. */
interface Wanted {
  readonly slot: number;
  readonly pixel: number;
}

async function readAround(
  rasters: OpenRasters,
  cog: OpenCog,
  positions: readonly (readonly [number, number])[],
  maxBlocks: number,
): Promise<PointValues> {
  const { levels } = cog.head;
  for (const [index, level] of levels.entries()) {
    const plan = planAround(cog.head, level, positions);
    if (plan.blocks.size > maxBlocks && index < levels.length - 1) continue;
    await fillPlan(rasters, cog, level, plan);
    return plan.result;
  }
  throw drawingProblems.brokenRaster();
}

type Level = CogHead['levels'][number];

/** Finds the blocks with the pixels around points. */
function planAround(
  { levels }: CogHead,
  { image }: Level,
  positions: readonly (readonly [number, number])[],
) {
  const { width, height, tileWidth, tileHeight, across } = image;
  const full = levels[0]?.image ?? image;
  const count = positions.length;
  const values = new Float64Array(4 * count).fill(Number.NaN);
  const columns = new Float64Array(count).fill(Number.NaN);
  const rows = new Float64Array(count).fill(Number.NaN);
  const blocks = new Map<number, Wanted[]>();
  for (const [i, [fullColumn, fullRow]] of positions.entries()) {
    if (Number.isNaN(fullColumn)) continue;
    const column = Math.min((fullColumn * width) / full.width, width - 1e-9);
    const row = Math.min((fullRow * height) / full.height, height - 1e-9);
    const [left, top] = [Math.floor(column - 0.5), Math.floor(row - 0.5)];
    columns[i] = 2 * i + column - left;
    rows[i] = row - top;
    for (let k = 0; k < 4; k += 1) {
      // At the centre of a pixel the next one has no weight, and may be in another block.
      if ((k % 2 === 1 && column - 0.5 === left) || (k > 1 && row - 0.5 === top)) continue;
      const x = Math.max(0, Math.min(width - 1, left + (k % 2)));
      const y = Math.max(0, Math.min(height - 1, top + (k >> 1)));
      const [blockColumn, blockRow] = [Math.floor(x / tileWidth), Math.floor(y / tileHeight)];
      const block = blockRow * across + blockColumn;
      const pixel = (y - blockRow * tileHeight) * tileWidth + x - blockColumn * tileWidth;
      const known = blocks.get(block);
      const wanted = { slot: (k >> 1) * 2 * count + 2 * i + (k % 2), pixel };
      if (known === undefined) blocks.set(block, [wanted]);
      else known.push(wanted);
    }
  }
  return { blocks, result: { values, columns, rows } };
}

/** Reads block by block, so that at most one is lent at a time. */
async function fillPlan(
  rasters: OpenRasters,
  { key, head }: OpenCog,
  { image, mask }: Level,
  { blocks, result: { values } }: ReturnType<typeof planAround>,
): Promise<void> {
  if (image.blockBytes > maxBytesOfBlock) throw drawingProblems.tooMuch(maxBytesOfBlock / MiB);
  if (mask !== undefined && (mask.tileWidth !== image.tileWidth || mask.tileHeight !== image.tileHeight))
    throw drawingProblems.brokenRaster();
  const { alphaBand } = head;
  const { least, greatest } = head.hidden;
  const { scale, offset } = head.scales[0] ?? { scale: 1, offset: 0 };
  const stride = image.isPlanar ? 1 : head.bands;
  const alphaOffset = image.isPlanar ? 0 : (alphaBand ?? 0);
  for (const [index, wanted] of blocks) {
    const place = { column: index % image.across, row: Math.floor(index / image.across) };
    const rowsOf = wanted.map(({ pixel }) => Math.floor(pixel / image.tileWidth));
    const [first, last] = [Math.min(...rowsOf), Math.max(...rowsOf)];
    using lent = rasters.lendBlock(key, head, image, { ...place, plane: 0 });
    using lentMask = mask && rasters.lendBlock(key, head, mask, { ...place, plane: 0 });
    const alphaPlane = image.isPlanar ? (alphaBand ?? 0) : 0;
    using lentAlpha =
      alphaBand === undefined
        ? undefined
        : rasters.lendBlock(key, head, image, { ...place, plane: alphaPlane });
    const [block, maskBlock, alphaBlock] = await Promise.all([lent.block, lentMask?.block, lentAlpha?.block]);
    const samples = block.samples(first, last);
    const valid = maskBlock?.samples(first, last);
    const opacity = alphaBlock?.samples(first, last);
    for (const { slot, pixel } of wanted) {
      const sample = samples[pixel * stride] ?? Number.NaN;
      if ((sample >= least && sample <= greatest) || valid?.[pixel] === 0) continue;
      if (opacity !== undefined && !((opacity[pixel * stride + alphaOffset] ?? 0) > 0)) continue;
      values[slot] = sample * scale + offset;
    }
  }
}

export interface LocateRequest {
  /** Mesh of the raster in which the point is located. */
  readonly meshKey: string;
  readonly cogKeys: readonly string[];
  /** In degrees on WGS 84. */
  readonly lon: number;
  readonly lat: number;
}

export interface LocateResult {
  /** Integers; undefined outside the raster. */
  readonly pixel: { readonly column: number; readonly row: number } | undefined;
  /** Placement of each COG; undefined if it cannot be read here. */
  readonly placements: readonly (Placement | undefined)[];
}

/**
 * Finds the pixel of a raster at a point, and the placements of rasters.
 * @throws {Problem} if one of them is damaged.
 */
export async function locatePlace(
  rasters: OpenRasters,
  { meshKey, cogKeys, lon, lat }: LocateRequest,
): Promise<LocateResult> {
  const [column, row] = pixelOfPlace(await rasters.mesh(meshKey), lon, lat);
  const placements = [];
  for (const key of cogKeys) placements.push(await rasters.placement(key));
  const pixel = Number.isNaN(column) ? undefined : { column: Math.floor(column), row: Math.floor(row) };
  return { pixel, placements };
}
