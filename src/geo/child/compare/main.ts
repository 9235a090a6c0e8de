/** The process in which a raster is compared with its COG. */
import { isInForce } from '../../layers.ts';
import { refuseUnreasonableTiff } from '../../formats/tiff/limits.ts';
import { answerOnce } from '../../gdal/answer-once.ts';
import { ComparisonRequest, maxDifferences } from '../../compare-messages.ts';

answerOnce(async (message) => {
  const { sourcePath, cogPath, scratch } = ComparisonRequest.parse(message);
  (await import('../../gdal/load-gdal.ts')).refuseForeignDrivers('raster');
  if (isInForce('file-checks')) {
    for (const path of [sourcePath, cogPath]) await refuseUnreasonableTiff(path);
  }
  const { compareRasters } = await import('./compare.ts');
  return (await compareRasters(sourcePath, cogPath, scratch)).slice(0, maxDifferences);
});
