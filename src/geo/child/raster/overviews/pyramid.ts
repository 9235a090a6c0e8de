import { maxSideWithoutOverview } from '../../../formats/tiff/cog-structure.ts';
import type { RasterWindow } from '../../../raster-reader.ts';
import { cogBlockSide as side } from '../image/cog-options.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A tile of a level, counted from the upper left. */
export interface TilePlace {
  readonly column: number;
  readonly row: number;
}

/** The full resolution of a raster or one of its overviews: its size in pixels and in tiles. */
export interface Level extends Size {
  readonly across: number;
  readonly down: number;
}

/** Returns the levels of a raster from fine to coarse. Each has half the sides of the previous one, rounded up. */
export function levelsOf({ width, height }: Size): readonly Level[] {
  const levels: Level[] = [];
  for (let [w, h] = [width, height]; ; [w, h] = [Math.ceil(w / 2), Math.ceil(h / 2)]) {
    levels.push({ width: w, height: h, across: Math.ceil(w / side), down: Math.ceil(h / side) });
    if (Math.max(w, h) <= maxSideWithoutOverview) return levels;
  }
}

/** Returns the position of a full-resolution tile, which only the edge may cut. @throws {Error} for any other window. */
export function placeOf({ x, y, width, height }: RasterWindow, raster: Size): TilePlace {
  const isTile = (at: number, length: number, whole: number): boolean =>
    at % side === 0 && at < whole && length === Math.min(side, whole - at);
  if (!isTile(x, width, raster.width) || !isTile(y, height, raster.height))
    throw new Error(`there is no tile of ${width} by ${height} pixels at ${x}, ${y}`);
  return { column: x / side, row: y / side };
}

export function numberOf({ across }: Pick<Level, 'across'>, { column, row }: TilePlace): number {
  return row * across + column;
}

/** Yields every tile of a level, row by row. */
export function* placesIn({ across, down }: Level): Generator<TilePlace> {
  for (let row = 0; row < down; row += 1)
    for (let column = 0; column < across; column += 1) yield { column, row };
}

/** Returns the tiles of the next finer level under a tile: four, or fewer at the edge. */
export function quartersOf({ column, row }: TilePlace, finer: Level): readonly TilePlace[] {
  const columns = [2 * column, 2 * column + 1].filter((each) => each < finer.across);
  const rows = [2 * row, 2 * row + 1].filter((each) => each < finer.down);
  return rows.flatMap((r) => columns.map((c) => ({ column: c, row: r })));
}

/**
 * Returns the tiles of each level that can be made of some full-resolution tiles, starting with these; omits levels
 * without any. Row by row, independent of the order of the tiles.
 */
export function tilesFrom(
  levels: readonly Level[],
  tiles: readonly TilePlace[],
): readonly (readonly TilePlace[])[] {
  const all: (readonly TilePlace[])[] = [];
  let finest = tiles;
  for (const [index, level] of levels.entries()) {
    const finer = levels[index - 1];
    const made = finer === undefined ? finest : madeOf(finest, finer, level);
    if (made.length === 0) break;
    finest = made.toSorted((one, other) => numberOf(level, one) - numberOf(level, other));
    all.push(finest);
  }
  return all;
}

function madeOf(tiles: readonly TilePlace[], finer: Level, level: Level): readonly TilePlace[] {
  const present = new Set(tiles.map((tile) => numberOf(finer, tile)));
  const parents = tiles.map(({ column, row }) => ({ column: column >> 1, row: row >> 1 }));
  const distinct = new Map(parents.map((tile) => [numberOf(level, tile), tile]));
  return [...distinct.values()].filter((tile) =>
    quartersOf(tile, finer).every((quarter) => present.has(numberOf(finer, quarter))),
  );
}

/** Returns the smallest rectangle around some tiles, in tiles. */
export function boundsOf(tiles: readonly TilePlace[]) {
  const range = (values: readonly number[]) => {
    const [least, most] = values.reduce(
      ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
      [Infinity, -Infinity],
    );
    return [least, most - least + 1] as const;
  };
  const [column, across] = range(tiles.map((tile) => tile.column));
  const [row, down] = range(tiles.map((tile) => tile.row));
  return { column, row, across, down };
}

/** Pixels of a square tile, row by row. */
export type TilePixels = Float32Array | Uint8Array | Uint16Array;

/** Halves a square tile: each pixel of the result represents two by two. */
type Reduce = (tile: TilePixels, side: number, noData: number) => TilePixels;

/** Returns the overview rule for numbers, or for classes. */
export function reductionOf(dataType: 'Float32' | 'Byte' | 'UInt16'): Reduce {
  return dataType === 'Float32' ? averageFloats : mostFrequentClasses;
}

/** Copies a halved tile into its quarter of the coarser tile. */
export function putQuarter(
  tile: TilePixels,
  side: number,
  { column, row }: { readonly column: number; readonly row: number },
  quarter: TilePixels,
): void {
  const half = side / 2;
  const corner = ((row & 1) * side + (column & 1)) * half;
  for (let line = 0; line < half; line += 1)
    tile.set(quarter.subarray(line * half, (line + 1) * half), corner + line * side);
}

/** Averages the valid pixels of two by two, summed in double precision and rounded once. */
const averageFloats: Reduce = (tile, side, noData) => {
  const reduced = new Float32Array((side / 2) ** 2);
  for (let y = 0, to = 0; y < side; y += 2) {
    for (let at = y * side; at < (y + 1) * side; at += 2, to += 1) {
      const a = tile[at] ?? noData;
      const b = tile[at + 1] ?? noData;
      const c = tile[at + side] ?? noData;
      const d = tile[at + side + 1] ?? noData;
      let sum = 0;
      let count = 0;
      if (a !== noData) {
        sum += a;
        count += 1;
      }
      if (b !== noData) {
        sum += b;
        count += 1;
      }
      if (c !== noData) {
        sum += c;
        count += 1;
      }
      if (d !== noData) {
        sum += d;
        count += 1;
      }
      reduced[to] = count === 0 ? noData : sum / count;
    }
  }
  return reduced;
};

/** Takes the most frequent class of two by two pixels, the first in reading order for a tie; adds no new classes. */
const mostFrequentClasses: Reduce = (tile, side, noData) => {
  const length = (side / 2) ** 2;
  const reduced = tile instanceof Uint16Array ? new Uint16Array(length) : new Uint8Array(length);
  for (let y = 0, to = 0; y < side; y += 2) {
    for (let at = y * side; at < (y + 1) * side; at += 2, to += 1) {
      const a = tile[at] ?? noData;
      const b = tile[at + 1] ?? noData;
      const c = tile[at + side] ?? noData;
      const d = tile[at + side + 1] ?? noData;
      reduced[to] = a === b && a === c && a === d ? a : mostFrequent([a, b, c, d], noData);
    }
  }
  return reduced;
};

function mostFrequent(four: readonly number[], noData: number): number {
  let best = noData;
  let most = 0;
  for (const candidate of four) {
    if (candidate === noData) continue;
    let count = 0;
    for (const other of four) if (other === candidate) count += 1;
    if (count > most) {
      best = candidate;
      most = count;
    }
  }
  return best;
}
