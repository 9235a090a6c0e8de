import type { Dataset } from 'gdal-async';
import type { GdalLog } from '../../gdal/log-file.ts';
import { readRows } from './read-rows.ts';
import type { Regions } from './regions.ts';

/** S and E have five. */
const mostClasses = 8;

/**
 * Returns the most frequent value of each region in another raster of the same grid; null for none. The smallest wins a
 * tie. @throws {Problem} for a raster of more than eight classes
 */
export async function prevailingClasses(
  source: Dataset,
  { width, labels, count }: Regions,
  gdalLog: GdalLog,
): Promise<(region: number) => number | null> {
  const step = mostClasses + 1;
  const pixels = new Int32Array((count + 1) * step);
  const classes = readRows(source, { maxClasses: mostClasses, gdalLog });
  for await (const { row, codes } of classes.rows) {
    const from = row * width;
    for (let column = 0; column < width; column += 1) {
      const at = (labels[from + column] ?? 0) * step + (codes[column] ?? 0);
      pixels[at] = (pixels[at] ?? 0) + 1;
    }
  }
  const valueOf = classes.finish();
  return (region) => {
    let best: number | null = null;
    let most = 0;
    for (let code = 1; code < step; code += 1) {
      const [value, found] = [valueOf(code), pixels[region * step + code] ?? 0];
      if (value === null || found === 0) continue;
      if (found > most || (found === most && value < (best ?? Infinity))) [best, most] = [value, found];
    }
    return best;
  };
}
