import { flushCompileCache } from 'node:module';
import type { FindingsCollector } from '../findings.ts';
import type { Request } from '../protocol.ts';

/** Tables need no GDAL unless their format does, which opens them after the same check. */
const driversOf = {
  probe: undefined,
  raster: 'raster',
  view: 'raster',
  counts: 'raster',
  areas: 'raster',
  assemble: 'raster',
  vector: 'vector',
  features: 'vector',
  table: undefined,
} as const;

/** Carries out one request of the geo engine. @throws {Problem} when the file is to blame. */
export async function perform(request: Request, findings: FindingsCollector): Promise<unknown> {
  const drivers = driversOf[request.task];
  if (drivers !== undefined) (await import('../gdal/load-gdal.ts')).refuseForeignDrivers(drivers);
  switch (request.task) {
    case 'probe':
      await compileModules();
      return (await import('../gdal/load-gdal.ts')).describeGdal();
    case 'raster':
      return (await import('./raster/convert.ts')).convertRaster(request, findings);
    case 'view':
      return (await import('./raster/view.ts')).makeView(request);
    case 'counts':
      return (await import('./raster/count-pixels.ts')).countPixels(request);
    case 'areas':
      return (await import('./areas/count-areas.ts')).countAreas(request);
    case 'assemble':
      return (await import('./raster/assemble.ts')).assembleRasters(request);
    case 'vector':
      return (await import('./vector/assemble.ts')).assembleVector(request, findings);
    case 'features':
      return (await import('./vector/table.ts')).readFeatureTable(request, findings);
    default:
      return (await import('./vector/table.ts')).readTable(request, findings);
  }
}

/** Leaves the modules of all tasks compiled for the children after this one, which cannot write where they are kept. */
async function compileModules(): Promise<void> {
  await import('./raster/convert.ts');
  await import('./raster/view.ts');
  await import('./raster/count-pixels.ts');
  await import('./areas/count-areas.ts');
  await import('./raster/assemble.ts');
  await import('./vector/assemble.ts');
  await import('./vector/table.ts');
  flushCompileCache();
}
