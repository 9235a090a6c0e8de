/** The process in which files are read and written with GDAL for the geo engine. */
import { answerOnce } from '../gdal/answer-once.ts';
import type { FindingsCollector } from '../findings-collector.ts';
import { Request, type Work } from '../protocol.ts';

answerOnce(async (message, findings) => {
  const request = Request.parse(message);
  if (request.task === 'probe') return (await import('../gdal/load-gdal.ts')).describeGdal();
  if (request.task === 'assemble') {
    (await import('../gdal/load-gdal.ts')).refuseForeignDrivers('raster');
    return (await import('./raster/assemble.ts')).assembleRasters(request);
  }
  return await tasks[request.task](request, findings);
});

/** GDAL is loaded by the tasks that need it, after the check that no driver but the allowed ones is registered. */
const tasks: Readonly<Record<Work['task'], (work: Work, findings: FindingsCollector) => Promise<unknown>>> = {
  async raster(work, findings) {
    (await import('../gdal/load-gdal.ts')).refuseForeignDrivers('raster');
    return (await import('./raster/convert.ts')).convertRaster(work, findings);
  },
  async vector(work, findings) {
    (await import('../gdal/load-gdal.ts')).refuseForeignDrivers('vector');
    return (await import('./vector/assemble.ts')).assembleVector(work, findings);
  },
  async table(work, findings) {
    return (await import('./vector/table.ts')).readTable(work, findings);
  },
  async features(work, findings) {
    (await import('../gdal/load-gdal.ts')).refuseForeignDrivers('vector');
    return (await import('./vector/features.ts')).readFeatureTable(work, findings);
  },
};
