import type { PointValues } from '../../maps/service/raster-points.ts';
import { type Band, classNoData, floatNoData } from '../model/bands.ts';
import { cleanPixels } from '../grid/clean-pixels.ts';
import { sampleBilinear, sampleNearest } from '../grid/sample.ts';

/** Resolves the pixels around places as a run does: classes by nearest neighbour, numbers bilinearly, both limited to valid values. */
export function resolvePoints(band: Band, { values, columns, rows }: PointValues): Float32Array | Uint8Array {
  const count = columns.length;
  const width = 2 * count;
  const sampling = {
    positions: { columns, rows },
    window: { x: 0, y: 0, width, height: 2 },
    pixels: cleanPixels({ values, mask: undefined }, band),
    size: { width, height: 2 },
    part: { x: 0, y: 0, width: count, height: 1 },
    tileWidth: count,
  };
  if (band.type === 'float32') {
    const out = new Float32Array(count).fill(floatNoData);
    sampleBilinear(sampling, out);
    return out;
  }
  const out = new Uint8Array(count).fill(classNoData);
  sampleNearest(sampling, out);
  return out;
}

/** The nodata value of a band. */
export function noDataOf({ type }: Band): number {
  return type === 'float32' ? floatNoData : classNoData;
}
