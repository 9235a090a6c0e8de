import { encodeIndexedPng } from '../../png/png.ts';
import { meshLattices } from '../../../../common/maps/raster/mesh-lattice.ts';
import { squareOfTile, type Tile } from '../../../../common/maps/raster/web-mercator.ts';
import type { Rgba } from '../../../../common/maps/style/colour-map.ts';
import type { Scratch } from './draw-raster.ts';
import type { OpenRasters } from './open-rasters.ts';
import { type DrawnRaster, loadSquare } from './read-square.ts';

export interface ChangedTileRequest {
  /** Keys of the COGs of two classified rasters on one grid. */
  readonly from: string;
  readonly to: string;
  /** Key of the view mesh of either. */
  readonly meshKey: string;
  readonly colours: ChangeColours;
  /** A single change to show, each side the number of a class or null for none; otherwise all changes. */
  readonly only: { readonly from: number | null; readonly to: number | null } | undefined;
  readonly tile: Tile;
  /** Pixels per side. */
  readonly size: 256 | 512;
}

export interface ChangeColours {
  /** By the numbers of classes, 1 to 255. */
  readonly classes: readonly { readonly value: number; readonly colour: Rgba }[];
  /** For a class without a colour. */
  readonly other: Rgba;
  /** For unchanged pixels, and for changes that are not shown. */
  readonly pale: Rgba;
  /** For pixels that have lost their class. */
  readonly lost: Rgba;
  /** For the single change. */
  readonly chosen: Rgba;
}

const [transparent, pale, lost, other, chosen, firstClass] = [0, 1, 2, 3, 4, 5];
const nothing: Rgba = [0, 0, 0, 0];
const screenCell = 8;

/**
 * Draws the changes between two rasters as PNG: changed pixels in the colour of their new class, all others pale;
 * undefined if neither has a class.
 * @throws {Problem} if one of them cannot be drawn.
 */
export async function drawChangedTile(
  rasters: OpenRasters,
  { from, to, meshKey, colours, only, tile, size }: ChangedTileRequest,
  scratch: Scratch,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const open = async (key: string): Promise<DrawnRaster> => ({ rasters, key, head: await rasters.head(key) });
  const [before, after, mesh] = await Promise.all([open(from), open(to), rasters.mesh(meshKey)]);
  const lattices = meshLattices(mesh, squareOfTile(tile), size / screenCell);
  if (lattices.length === 0) return undefined;
  const wanted = { size, bands: [0] };
  using first = await loadSquare(before, lattices, wanted);
  using second = await loadSquare(after, lattices, wanted);
  if (first === undefined || second === undefined) return undefined;
  // From here on nothing is awaited, so that no other call uses the scratch buffers.
  const length = size * size;
  const [old, now] = [scratch.values(0, length), scratch.values(1, length)];
  first.fillBand(0, old);
  second.fillBand(0, now);
  const indices = scratch.indices(length);
  const indexOf = indexByClass(colours);
  let isEmpty = true;
  for (let at = 0; at < length; at += 1) {
    const [a = Number.NaN, b = Number.NaN] = [old[at], now[at]];
    const index = only === undefined ? indexOfChange(a, b, indexOf) : indexOfChosen(a, b, only);
    indices[at] = index;
    if (index !== transparent) isEmpty = false;
  }
  if (isEmpty) return undefined;
  const palette = [
    nothing,
    colours.pale,
    colours.lost,
    colours.other,
    colours.chosen,
    ...colours.classes.map(({ colour }) => colour),
  ];
  return encodeIndexedPng({ width: size, height: size, indices, palette });
}

function indexByClass({ classes }: ChangeColours): Uint8Array {
  const table = new Uint8Array(256).fill(other);
  for (const [index, { value }] of classes.entries()) table[value] = firstClass + index;
  return table;
}

function indexOfChange(a: number, b: number, indexOf: Uint8Array): number {
  if (a === b) return pale;
  if (!Number.isNaN(b)) return indexOf[b] ?? other;
  return Number.isNaN(a) ? transparent : lost;
}

function indexOfChosen(
  a: number,
  b: number,
  { from, to }: { readonly from: number | null; readonly to: number | null },
): number {
  const isOf = (value: number, wanted: number | null) =>
    wanted === null ? Number.isNaN(value) : value === wanted;
  if (isOf(a, from) && isOf(b, to)) return Number.isNaN(a) && Number.isNaN(b) ? transparent : chosen;
  return Number.isNaN(a) && Number.isNaN(b) ? transparent : pale;
}
