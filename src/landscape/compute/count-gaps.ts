import { z } from 'zod';
import { isNeverMissing } from '../graph/zoning-inputs.ts';
import { type Band, classNoData, floatNoData } from '../model/bands.ts';
import { maxTileSide, type Tile } from '../model/tiles.ts';
import type { Pixels } from './evaluate-tile.ts';

const SquareMetres = z.number().nonnegative();

/** Areas of one tile, in square metres; those of inputs in the order in which they were asked for. */
export const TileGaps = z.object({
  grid: SquareMetres,
  /** Where the zoning has no value. */
  withoutZone: SquareMetres,
  /** Where each input has no value. */
  missing: z.array(SquareMetres),
  /** Where the zoning has no value, and this input is the only one without one. */
  alone: z.array(SquareMetres),
});
export type TileGaps = z.infer<typeof TileGaps>;

/** The pixels of a band on a tile, row by row. */
export interface CountedBand {
  readonly pixels: Pixels;
  /** True when each of them has a value: then they are not looked at. */
  readonly isWhole: boolean;
}

/** More inputs do not fit into the bits of a pixel. */
const maxInputs = 31;

/** Creates what counts the gaps of tiles, one after the other. The sums of a tile depend on its pixels alone. */
export function createGapCounter(inputs: readonly Band[]) {
  if (inputs.length > maxInputs) throw new RangeError(`there are ${inputs.length} inputs to count`);
  const kept = new Int32Array(maxTileSide * maxTileSide);
  return {
    /** @param areas of the pixels of the tile, in square metres. @param bands one for each input. */
    count(
      tile: Tile,
      { areas, zones, bands }: { areas: Float64Array; zones: Pixels; bands: readonly CountedBand[] },
    ): TileGaps {
      const length = tile.width * tile.height;
      const masks = kept.subarray(0, length).fill(0);
      const missing = inputs.map((band, index) => {
        const { pixels, isWhole } = bands[index] ?? { pixels: zones, isWhole: false };
        if (isWhole || isNeverMissing(band)) return 0;
        return markMissing(masks, 1 << index, { pixels, areas, noData: noDataOf(band) });
      });
      const alone = inputs.map(() => 0);
      let [grid, withoutZone] = [0, 0];
      for (let i = 0; i < length; i += 1) {
        const area = areas[i] ?? 0;
        grid += area;
        if (zones[i] !== classNoData) continue;
        withoutZone += area;
        const mask = masks[i] ?? 0;
        if (mask === 0 || (mask & (mask - 1)) !== 0) continue;
        const only = 31 - Math.clz32(mask);
        alone[only] = (alone[only] ?? 0) + area;
      }
      return { grid, withoutZone, missing, alone };
    },
  };
}

function noDataOf({ type }: Band): number {
  return type === 'float32' ? floatNoData : classNoData;
}

/** Sets a bit where there is no value, and returns the area of that. */
function markMissing(
  masks: Int32Array,
  bit: number,
  { pixels, areas, noData }: { pixels: Pixels; areas: Float64Array; noData: number },
): number {
  let area = 0;
  for (let i = 0; i < masks.length; i += 1) {
    if (pixels[i] !== noData) continue;
    masks[i] = (masks[i] ?? 0) | bit;
    area += areas[i] ?? 0;
  }
  return area;
}

/** Sums the gaps of tiles that cover a grid, from its upper left corner row by row, whatever order they come in. */
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
