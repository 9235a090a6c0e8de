/** The process that compares an upload with its COG, in the sandbox of the geo engine. */
import { refuseUnreasonableTiff } from '../../src/geo/formats/tiff/limits.ts';
import { answerOnce } from '../../src/geo/gdal/answer-once.ts';
import { refuseForeignDrivers } from '../../src/geo/gdal/load-gdal.ts';
import { compareRasters } from './compare-rasters.ts';
import type { CompareRequest } from './comparison.ts';

const maxDifferences = 100;

answerOnce(async ({ sourcePath, cogPath, scratch }: CompareRequest) => {
  refuseForeignDrivers('raster');
  for (const path of [sourcePath, cogPath]) await refuseUnreasonableTiff(path);
  return (await compareRasters(sourcePath, cogPath, scratch)).slice(0, maxDifferences);
});
