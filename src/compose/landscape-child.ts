/** The process in which a share of a landscape run is computed: the domain's kernels over GDAL's rasters. */
import { answerOnce } from '../geo/gdal/answer-once.ts';
import { refuseForeignDrivers } from '../geo/gdal/load.ts';
import { createGdalRasterSources } from '../geo/gdal/raster/sources.ts';
import type { RasterSources } from '../geo/raster-sources.ts';
import type { Batch } from '../landscape/compute/batch.ts';
import { computeBatch } from '../landscape/compute/compute-batch.ts';
import { SourceUnreadable } from '../landscape/compute/engine.ts';
import { inspectSources } from '../landscape/compute/inspect.ts';
import { type Computed, LandscapeRequest } from './landscape-messages.ts';

answerOnce(async (message) => {
  const request = LandscapeRequest.parse(message);
  refuseForeignDrivers('raster');
  const rasters = createGdalRasterSources();
  return request.task === 'inspect'
    ? await inspectSources(rasters, request.work)
    : await compute(rasters, request.work);
});

async function compute(rasters: RasterSources, batch: Batch): Promise<Computed> {
  try {
    return { result: await computeBatch(rasters, batch) };
  } catch (error) {
    if (error instanceof SourceUnreadable) return { unreadable: error.key };
    throw error;
  }
}
