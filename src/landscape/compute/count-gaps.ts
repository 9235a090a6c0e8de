import { isNeverMissing } from '../graph/zoning-inputs.ts';
import { type Band, classNoData, floatNoData } from '../model/bands.ts';
import { maxTileSide, type Tile } from '../model/tiles.ts';
import type { Pixels } from './evaluate-tile.ts';
import type { TileGaps } from './landscape-engine.ts';

/** The pixels of a band on a tile, row by row. */
export interface CountedBand {
  readonly pixels: Pixels;
  /** True when every pixel has a value; the pixels are then not examined. */
  readonly isWhole: boolean;
}

/** A bit mask per pixel limits the number of inputs. */
const maxInputs = 31;

/** The number of pixels processed for all inputs before the next ones, so that they stay in the processor cache. */
const atOnce = 4096;

/** Creates a counter of the gaps of tiles. The sums of a tile depend only on its pixels. */
export function createGapCounter(inputs: readonly Band[]) {
  if (inputs.length > maxInputs) throw new RangeError(`there are ${inputs.length} inputs to count`);
  const masks = new Int32Array(maxTileSide * maxTileSide);
  return {
    /**
     * Counts the gaps of a tile.
     * @param areas of the pixels of the tile, in square metres.
     * @param bands one for each input.
     */
    count({ areas, zones, bands }: CountedTile): TileGaps {
      const missing = new Float64Array(inputs.length);
      const alone = new Float64Array(inputs.length);
      const sums = new Float64Array(2);
      if (!(zones instanceof Uint8Array)) throw new TypeError('zones are classes');
      const holed = inputs.flatMap((band, input) => {
        const counted = bands[input];
        if (counted === undefined) throw new RangeError(`there are no pixels of ${band.key}`);
        return counted.isWhole || isNeverMissing(band) ? [] : [{ input, pixels: counted.pixels }];
      });
      masks.fill(0, 0, areas.length);
      for (let start = 0; start < areas.length; start += atOnce) {
        const end = Math.min(areas.length, start + atOnce);
        for (const { input, pixels } of holed) {
          const part = { areas, masks, start, end, input, missing };
          if (pixels instanceof Float32Array) markFloats(pixels, part);
          else markClasses(pixels, part);
        }
        sumHoles(zones, { areas, masks, start, end }, sums, alone);
      }
      const [grid = 0, withoutZone = 0] = sums;
      return { grid, withoutZone, missing: [...missing], alone: [...alone] };
    },
  };
}

interface CountedTile {
  readonly areas: Float64Array;
  readonly zones: Pixels;
  readonly bands: readonly CountedBand[];
}

interface Part {
  readonly areas: Float64Array;
  readonly masks: Int32Array;
  readonly start: number;
  readonly end: number;
}

interface InputPart extends Part {
  /** The index of the input; its bit in the masks. */
  readonly input: number;
  readonly missing: Float64Array;
}

/** Sets a bit for each pixel without a value, and sums their area. Each type has its own loop, which is faster. */
function markFloats(pixels: Float32Array, { areas, masks, start, end, input, missing }: InputPart): void {
  let area = missing[input] ?? 0;
  for (let i = start; i < end; i += 1) {
    if (pixels[i] !== floatNoData) continue;
    masks[i] = (masks[i] ?? 0) | (1 << input);
    area += areas[i] ?? 0;
  }
  missing[input] = area;
}

function markClasses(pixels: Uint8Array, { areas, masks, start, end, input, missing }: InputPart): void {
  let area = missing[input] ?? 0;
  for (let i = start; i < end; i += 1) {
    if (pixels[i] !== classNoData) continue;
    masks[i] = (masks[i] ?? 0) | (1 << input);
    area += areas[i] ?? 0;
  }
  missing[input] = area;
}

/** Adds the area, and the area without a zone, to `sums`, and to `alone` when only one bit is set. */
function sumHoles(
  zones: Uint8Array,
  { areas, masks, start, end }: Part,
  sums: Float64Array,
  alone: Float64Array,
): void {
  let [grid = 0, withoutZone = 0] = sums;
  for (let i = start; i < end; i += 1) {
    const area = areas[i] ?? 0;
    grid += area;
    if (zones[i] !== classNoData) continue;
    withoutZone += area;
    const mask = masks[i] ?? 0;
    if (mask === 0 || (mask & (mask - 1)) !== 0) continue;
    const only = 31 - Math.clz32(mask);
    alone[only] = (alone[only] ?? 0) + area;
  }
  sums[0] = grid;
  sums[1] = withoutZone;
}

/** Sums the gaps of tiles that cover a grid, in row-major order from the upper left corner, regardless of the order of the array. */
export function sumGaps(tiles: readonly { readonly tile: Tile; readonly gaps: TileGaps }[]): TileGaps {
  const sorted = tiles.toSorted((one, other) => one.tile.y - other.tile.y || one.tile.x - other.tile.x);
  const count = sorted[0]?.gaps.missing.length ?? 0;
  const sum = { grid: 0, withoutZone: 0, missing: zeros(count), alone: zeros(count) };
  for (const { gaps } of sorted) {
    sum.grid += gaps.grid;
    sum.withoutZone += gaps.withoutZone;
    for (let i = 0; i < count; i += 1) {
      sum.missing[i] = (sum.missing[i] ?? 0) + (gaps.missing[i] ?? 0);
      sum.alone[i] = (sum.alone[i] ?? 0) + (gaps.alone[i] ?? 0);
    }
  }
  return sum;
}

function zeros(count: number): number[] {
  return Array.from({ length: count }, () => 0);
}
