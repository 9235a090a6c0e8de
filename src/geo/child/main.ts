/** The process in which files are read and written with GDAL for the geo engine. */
import type { DriverSet } from '../drivers.ts';
import { answerOnce } from '../gdal/answer-once.ts';
import { Request } from '../protocol.ts';

answerOnce(async (message, findings) => {
  const request = Request.parse(message);
  switch (request.task) {
    case 'probe':
      return (await import('../gdal/load-gdal.ts')).describeGdal();
    case 'raster':
      return (await withDrivers('raster', () => import('./raster/convert.ts'))).convertRaster(
        request,
        findings,
      );
    case 'assemble':
      return (await withDrivers('raster', () => import('./raster/assemble.ts'))).assembleRasters(request);
    case 'compare':
      return (await withDrivers('raster', () => import('./raster/compare.ts'))).compareUploads(request);
    case 'vector':
      return (await withDrivers('vector', () => import('./vector/assemble.ts'))).assembleVector(
        request,
        findings,
      );
    case 'features':
      return (await withDrivers('vector', () => import('./vector/features.ts'))).readFeatureTable(
        request,
        findings,
      );
    default:
      // Tables need no GDAL unless their format does, which opens them after the same check.
      return (await import('./vector/table.ts')).readTable(request, findings);
  }
});

/** Loads what needs GDAL, after the check that no driver but the allowed ones is registered. */
async function withDrivers<T>(drivers: DriverSet, load: () => Promise<T>): Promise<T> {
  (await import('../gdal/load-gdal.ts')).refuseForeignDrivers(drivers);
  return await load();
}
