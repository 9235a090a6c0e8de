/** The process in which files are read and written with GDAL for the geo engine. */
import { answerOnce } from '../gdal/answer-once.ts';
import { Request } from '../protocol.ts';

/** Tables need no GDAL unless their format does, which opens them after the same check. */
const driversOf = {
  probe: undefined,
  raster: 'raster',
  assemble: 'raster',
  compare: 'raster',
  vector: 'vector',
  features: 'vector',
  table: undefined,
} as const;

answerOnce(async (message, findings) => {
  const request = Request.parse(message);
  const drivers = driversOf[request.task];
  if (drivers !== undefined) (await import('../gdal/load-gdal.ts')).refuseForeignDrivers(drivers);
  switch (request.task) {
    case 'probe':
      return (await import('../gdal/load-gdal.ts')).describeGdal();
    case 'raster':
      return (await import('./raster/convert.ts')).convertRaster(request, findings);
    case 'assemble':
      return (await import('./raster/assemble.ts')).assembleRasters(request);
    case 'compare':
      return (await import('./raster/compare.ts')).compareUploads(request);
    case 'vector':
      return (await import('./vector/assemble.ts')).assembleVector(request, findings);
    case 'features':
      return (await import('./vector/features.ts')).readFeatureTable(request, findings);
    default:
      return (await import('./vector/table.ts')).readTable(request, findings);
  }
});
