import gdal, { type Dataset } from 'gdal-async';
import type { CogPlan } from './cog-options.ts';

/** Writes a COG of a raster as planned. */
export async function writeCog(source: Dataset, plan: CogPlan, cogPath: string): Promise<void> {
  const written = await gdal.drivers.get('COG').createCopyAsync(cogPath, source, plan.options);
  written.close();
}
