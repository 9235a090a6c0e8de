import gdal, { type Dataset } from 'gdal-async';
import { resourceErrorFrom } from '../faults.ts';
import type { CogPlan } from './cog-options.ts';

/** Writes a COG of a raster as planned. @throws {ResourceError} when the disk is to blame. */
export async function writeCog(source: Dataset, plan: CogPlan, cogPath: string): Promise<void> {
  try {
    const written = await gdal.drivers.get('COG').createCopyAsync(cogPath, source, plan.options);
    written.close();
  } catch (error) {
    throw resourceErrorFrom(error);
  }
}
