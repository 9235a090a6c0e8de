import type { Dataset } from 'gdal-async';
import type { GdalLog } from '../../gdal/log-file.ts';
import { openClasses } from '../areas/class-codes.ts';
import { describeRaster } from '../raster/image/description.ts';
import { windowsOf } from '../raster/image/pixels.ts';

interface Row {
  readonly row: number;
  /** Numbers of values; 0 for gaps. The next row may reuse the array. */
  readonly codes: Uint16Array;
}

/** Reads the values of the first band, row by row. */
export function readRows(
  source: Dataset,
  { maxClasses, gdalLog }: { readonly maxClasses: number; readonly gdalLog: GdalLog },
) {
  const classes = openClasses([source], maxClasses, gdalLog);
  const raster = describeRaster(source);
  const { width } = raster;

  async function* rows(): AsyncGenerator<Row> {
    let band = new Uint16Array();
    await gdalLog.take(); // earlier entries are not about pixels
    for (const { x, y, ...size } of windowsOf({ ...raster, bands: [source] })) {
      const codes = await classes.read({ x, y, ...size });
      if (x === 0) band = new Uint16Array(width * size.height);
      for (let row = 0; row < size.height; row += 1)
        band.set(codes.subarray(row * size.width, (row + 1) * size.width), row * width + x);
      if (x + size.width < width) continue;
      for (let row = 0; row < size.height; row += 1)
        yield { row: y + row, codes: band.subarray(row * width, (row + 1) * width) };
    }
  }

  return {
    rows: rows(),
    /** Returns the value of each number, after all rows are read. @throws {Problem} for values that are not integers */
    finish(): (code: number) => number | null {
      const { values, rank } = classes.finish();
      return (code) => values[rank[code] ?? 0]?.[0] ?? null;
    },
  };
}
