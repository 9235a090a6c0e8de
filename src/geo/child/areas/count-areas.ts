import type { AreaCounts } from '../../engine.ts';
import type { AreasRequest } from '../../protocol.ts';
import { openClasses } from './class-codes.ts';
import { walkRaster } from './walk-raster.ts';

/**
 * Counts the area of every tuple of values in every unit: see `walkRaster`.
 * @throws {Problem} if the rasters are not classes, differ in their grid or are not on the earth, and for polygons that cannot be counted.
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
