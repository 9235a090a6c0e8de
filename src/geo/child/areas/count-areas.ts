import type { AreaCounts } from '../../engine.ts';
import type { AreasRequest } from '../../protocol.ts';
import { openClasses } from './class-codes.ts';
import { walkRaster } from './walk-raster.ts';

/**
 * Counts the area of every tuple of values in every unit: see `walkRaster`.
 * @throws {Problem} when the rasters are not of classes, not of one grid, or not on the earth; for polygons that cannot be counted.
 */
export async function countAreas({ maxClasses, ...request }: AreasRequest): Promise<AreaCounts> {
  const { found, ...areas } = await walkRaster(request, ({ sources, gdalLog }) => {
    const classes = openClasses(sources, maxClasses, gdalLog);
    return {
      read: classes.read,
      finish() {
        const { values, rank } = classes.finish();
        return { found: values, rank };
      },
    };
  });
  return { tuples: found, ...areas };
}
