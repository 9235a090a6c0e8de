import { z } from 'zod';
import { type Band, classNoData, floatNoData } from '../model/bands.ts';
import { pixelState } from './clean-pixels.ts';
import type { Sampling } from './sample.ts';

/** Counts of a source on the tiles of a batch, in pixels of the grid without halos. */
export const SourceCounts = z.object({
  /** Their centre lies within the source. */
  covered: z.int(),
  /** They got a value. */
  valid: z.int(),
  /** The source pixel that their centre lies in holds a value out of range or an unknown class. */
  invalid: z.int(),
});
export type SourceCounts = z.infer<typeof SourceCounts>;

/** Counts what the pixels of a part of a tile lie on, and what they got. */
export function countSampled(
  { positions, window, pixels, part, tileWidth }: Sampling,
  values: Float32Array | Uint8Array,
  band: Band,
): SourceCounts {
  const { columns, rows } = positions;
  const noData = band.type === 'uint8' ? classNoData : floatNoData;
  let [covered, valid, invalid] = [0, 0, 0];
  for (let y = part.y; y < part.y + part.height; y += 1) {
    const end = y * tileWidth + part.x + part.width;
    for (let i = y * tileWidth + part.x; i < end; i += 1) {
      const column = columns[i] ?? Number.NaN;
      if (Number.isNaN(column)) continue;
      covered += 1;
      if (values[i] !== noData) valid += 1;
      const at = (Math.floor(rows[i] ?? 0) - window.y) * window.width + Math.floor(column) - window.x;
      if (pixels.states[at] === pixelState.invalid) invalid += 1;
    }
  }
  return { covered, valid, invalid };
}

/** Adds what was seen of a source on other tiles. */
export function addCounts(before: SourceCounts | undefined, more: SourceCounts): SourceCounts {
  const { covered = 0, valid = 0, invalid = 0 } = before ?? {};
  return {
    covered: covered + more.covered,
    valid: valid + more.valid,
    invalid: invalid + more.invalid,
  };
}
