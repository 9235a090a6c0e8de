import type { Lattice, Plan, Size, TiledSize } from './lattice.ts';
import type { Hidden } from './no-data.ts';
import type { Samples } from './samples.ts';

export interface WarpSource {
  readonly plan: Plan;
  /** Size of the raster at full resolution, to which the lattice refers. */
  readonly full: Size;
  readonly level: TiledSize;
  /** Row by row, from the plan's first tile to its last. */
  readonly tiles: readonly Samples[];
  /** In the order of `tiles`; zero marks an invalid pixel. */
  readonly masks: readonly Samples[] | undefined;
  /** Samples from one pixel to the next, and the offset of the band within a pixel. */
  readonly stride: number;
  readonly offset: number;
  /** Samples that mean no data. */
  readonly hidden: Hidden;
}

/**
 * Fills a square of `size` × `size` values (a multiple of the lattice's cells per side) from the nearest pixels of a
 * raster, row by row from the upper left. NaN for nodata, invalid pixels, and places outside.
 */
export function warp(source: WarpSource, lattice: Lattice, size: number, out: Float64Array): void {
  out.fill(Number.NaN);
  warpOver(source, lattice, size, out);
}

/** Like `warp`, but keeps the existing value where the raster has none. */
export function warpOver(source: WarpSource, lattice: Lattice, size: number, out: Float64Array): void {
  const { plan, full, level, tiles, masks, stride, offset } = source;
  const { width, height, tileWidth, tileHeight } = level;
  const { cells, columns, rows } = lattice;
  const { least, greatest } = source.hidden;
  const step = size / cells;
  const perRow = plan.lastColumn - plan.firstColumn + 1;
  const [across, down] = [width / full.width, height / full.height];
  // Tile of the previous pixel, which is nearly always that of the next one.
  let [left, top] = [-1, -1];
  let samples: Samples | undefined;
  let mask: Samples | undefined;
  for (let cell = 0; cell < cells * cells; cell += 1) {
    const ci = cell % cells;
    const cj = Math.floor(cell / cells);
    const upper = cj * (cells + 1) + ci;
    const lower = upper + cells + 1;
    const u00 = columns[upper] ?? Number.NaN;
    const u10 = columns[upper + 1] ?? Number.NaN;
    const u01 = columns[lower] ?? Number.NaN;
    const u11 = columns[lower + 1] ?? Number.NaN;
    const v00 = rows[upper] ?? Number.NaN;
    const v10 = rows[upper + 1] ?? Number.NaN;
    const v01 = rows[lower] ?? Number.NaN;
    const v11 = rows[lower + 1] ?? Number.NaN;
    for (let j = 0; j < step; j += 1) {
      const t = (j + 0.5) / step;
      const uLeft = (u00 + (u01 - u00) * t) * across;
      const vLeft = (v00 + (v01 - v00) * t) * down;
      const du = ((u10 + (u11 - u10) * t) * across - uLeft) / step;
      const dv = ((v10 + (v11 - v10) * t) * down - vLeft) / step;
      let u = uLeft + du / 2;
      let v = vLeft + dv / 2;
      let at = (cj * step + j) * size + ci * step;
      for (let i = 0; i < step; i += 1, u += du, v += dv, at += 1) {
        // In this form, a coordinate that is not finite counts as outside.
        if (!(u >= 0 && v >= 0 && u < width && v < height)) continue;
        const column = u | 0;
        const row = v | 0;
        if (left < 0 || column < left || row < top || column >= left + tileWidth || row >= top + tileHeight) {
          const tileColumn = Math.floor(column / tileWidth);
          const tileRow = Math.floor(row / tileHeight);
          const index = (tileRow - plan.firstRow) * perRow + tileColumn - plan.firstColumn;
          [left, top] = [tileColumn * tileWidth, tileRow * tileHeight];
          [samples, mask] = [tiles[index], masks?.[index]];
        }
        const pixel = (row - top) * tileWidth + column - left;
        const value = samples?.[pixel * stride + offset] ?? Number.NaN;
        if ((value >= least && value <= greatest) || mask?.[pixel] === 0) continue;
        out[at] = value;
      }
    }
  }
}
