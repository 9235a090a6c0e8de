/** The process that computes a part of a landscape run, by the kernels of the graph over rasters of GDAL. */
import { answerOnce } from '../../../geo/gdal/answer-once.ts';
import { refuseForeignDrivers } from '../../../geo/gdal/load-gdal.ts';
import { createGdalRasterReader } from '../../../geo/child/raster/raster-reader.ts';
import { openGdalLog, watchWrites } from '../../../geo/gdal/log-file.ts';
import { createTileEncoder } from '../../../geo/child/raster/part-file.ts';
import type { RasterReader } from '../../../geo/raster-reader.ts';
import type { Batch, BatchResult, Computed, LandscapeRequest } from '../landscape-engine.ts';
import { OutsideWindows, SourceUnreadable } from '../source-errors.ts';
import { computeBatch } from '../compute-batch.ts';
import { findWindows } from '../find-windows.ts';
import { moveInputs } from '../move-inputs.ts';
import { inspectSources } from '../sources.ts';

// The parent has made the request; a check would load the library for it.
answerOnce(async (request: LandscapeRequest) => {
  refuseForeignDrivers('raster');
  const reader = createGdalRasterReader();
  switch (request.task) {
    case 'inspect':
      return await inspectSources(reader, request.work);
    case 'find-windows':
      return await orUnreadable(async () => ({ windows: await findWindows(reader, request.work) }));
    case 'move-inputs':
      return await orUnreadable(async () => ({ blocks: [...(await moveInputs(reader, request.work))] }));
    default:
      return await orUnreadable(async () => await compute(reader, request.work));
  }
});

/** Answers with the key of the source that cannot be read, or that lacks required pixels. */
async function orUnreadable<T>(
  work: () => Promise<T>,
): Promise<T | { unreadable: string } | { outside: string }> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SourceUnreadable) return { unreadable: error.key };
    if (error instanceof OutsideWindows) return { outside: error.key };
    throw error;
  }
}

async function compute(reader: RasterReader, batch: Batch): Promise<Computed> {
  let result: BatchResult | undefined;
  await watchWrites(await openGdalLog(batch.folder), async () => {
    result = await computeBatch({ reader, createEncoder: createTileEncoder }, batch);
  });
  if (result === undefined) throw new Error('a batch without a fault has no result');
  return { result };
}
