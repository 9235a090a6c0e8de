import { flushCompileCache } from 'node:module';
import type { FindingsCollector } from '../gather-findings.ts';
import type { Request } from '../protocol.ts';

/** Tables need GDAL for some formats only, which load it after the same check. */
const driversOf = {
  probe: undefined,
  raster: 'raster',
  view: 'raster',
  counts: 'raster',
  areas: 'raster',
  values: 'raster',
  polygons: 'raster',
  assemble: 'raster',
  compose: 'raster',
  vector: 'vector',
  flatgeobuf: 'vector',
  features: 'vector',
  table: undefined,
  'read-workbook': undefined,
  'fill-workbook': undefined,
  'inspect-source': undefined,
  'make-rasters': undefined,
} as const;

/** Performs one request of the geo engine. @throws {Problem} for a fault of the file. */
export async function perform(request: Request, findings: FindingsCollector): Promise<unknown> {
  await askForTimeOf(request);
  const drivers =
    'choices' in request || request.task === 'inspect-source' ? request.format : driversOf[request.task];
  if (drivers !== undefined) (await import('../gdal/load-gdal.ts')).refuseForeignDrivers(drivers);
  switch (request.task) {
    case 'probe':
      await compileModules();
      return (await import('../gdal/load-gdal.ts')).describeGdal();
    case 'raster':
      return (await import('./raster/convert.ts')).convertRaster(request, findings);
    case 'view':
      return (await import('./raster/view/view.ts')).makeView(request);
    case 'counts':
      return (await import('./raster/count-pixels.ts')).countPixels(request);
    case 'areas':
      return (await import('./areas/count-areas.ts')).countAreas(request);
    case 'values':
      return (await import('./areas/count-values.ts')).countValues(request);
    case 'polygons':
      return (await import('./polygons/make-polygons.ts')).makePolygons(request);
    case 'assemble':
      return (await import('./raster/assemble.ts')).assembleRasters(request);
    case 'compose':
      return (await import('./raster/compose.ts')).composeRasters(request);
    case 'vector':
      return (await import('./vector/assemble.ts')).assembleVector(request, findings);
    case 'flatgeobuf':
      return (await import('./vector/write-features.ts')).writeFeatures(request, findings);
    case 'features':
      return (await import('./vector/table.ts')).readFeatureTable(request, findings);
    case 'read-workbook':
      return (await import('./spreadsheet/workbooks.ts')).readWorkbook(request);
    case 'inspect-source':
      return (await import('./sources/sources.ts')).inspectSource(request);
    case 'make-rasters':
      return (await import('./sources/sources.ts')).makeRasters(request);
    case 'fill-workbook':
      return (await import('./spreadsheet/workbooks.ts')).fillWorkbook(request);
    default:
      return (await import('./vector/table.ts')).readTable(request, findings);
  }
}

/** @throws {NeedsTime} if the rasters of a request have more values than it grants. */
async function askForTimeOf(request: Request): Promise<void> {
  const paths = rastersOf(request);
  if (paths.length === 0 || !('grantedValues' in request)) return;
  await (await import('./raster/ask-for-time.ts')).askForTime(paths, request.grantedValues ?? Infinity);
}

function rastersOf(request: Request): readonly string[] {
  switch (request.task) {
    case 'raster':
    case 'view':
    case 'counts':
    case 'values':
      return [request.inputPath];
    case 'areas':
      return request.inputPaths;
    case 'polygons':
      return [request.classesPath];
    default:
      return [];
  }
}

/** Compiles the modules of all tasks for later children, which cannot write to the cache. */
async function compileModules(): Promise<void> {
  await import('./raster/convert.ts');
  await import('./raster/view/view.ts');
  await import('./raster/count-pixels.ts');
  await import('./areas/count-areas.ts');
  await import('./areas/count-values.ts');
  await import('./polygons/make-polygons.ts');
  await import('./raster/compose.ts');
  await import('./vector/assemble.ts');
  await import('./vector/table.ts');
  await import('./spreadsheet/workbooks.ts');
  await import('./sources/sources.ts');
  flushCompileCache();
}
