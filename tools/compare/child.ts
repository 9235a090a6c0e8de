/** The sandboxed process that compares an upload with its converted file. */
import { answerOnce } from '../../src/geo/gdal/answer-once.ts';
import { refuseForeignDrivers } from '../../src/geo/gdal/load-gdal.ts';
import type { CompareRequest } from './comparison.ts';

const maxDifferences = 100;

answerOnce(async ({ of, sourcePath, madePath, scratch }: CompareRequest, findings) => {
  refuseForeignDrivers(of);
  if (of === 'vector') {
    const { compareFeatures } = await import('./compare-features.ts');
    return (await compareFeatures(sourcePath, madePath, { scratch, findings })).slice(0, maxDifferences);
  }
  const { refuseUnreasonableTiff } = await import('../../src/geo/formats/tiff/limits.ts');
  for (const path of [sourcePath, madePath]) await refuseUnreasonableTiff(path);
  const { compareRasters } = await import('./compare-rasters.ts');
  return (await compareRasters(sourcePath, madePath, scratch)).slice(0, maxDifferences);
});
