import { mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import gdal from 'gdal-async';
import type { Findings } from '../../../src/geo/findings.ts';
import { type FindingsCollector, createFindings } from '../../../src/geo/gather-findings.ts';
import { countAreas } from '../../../src/geo/child/areas/count-areas.ts';
import { countValues } from '../../../src/geo/child/areas/count-values.ts';
import { makePolygons } from '../../../src/geo/child/polygons/make-polygons.ts';
import { assembleRasters } from '../../../src/geo/child/raster/assemble.ts';
import { composeRasters } from '../../../src/geo/child/raster/compose.ts';
import { convertRaster } from '../../../src/geo/child/raster/convert.ts';
import { inspectSource, makeRasters } from '../../../src/geo/child/sources/sources.ts';
import { assembleVector } from '../../../src/geo/child/vector/assemble.ts';
import { readTable } from '../../../src/geo/child/vector/table.ts';
import { fillWorkbook, readWorkbook } from '../../../src/geo/child/spreadsheet/workbooks.ts';
import { countPixels } from '../../../src/geo/child/raster/count-pixels.ts';
import { makeView } from '../../../src/geo/child/raster/view/view.ts';
import type {
  AreasRequest,
  AssembleRequest,
  ComposeRequest,
  FileRequest,
  FillRequest,
  InspectRequest,
  MakeRastersRequest,
  PolygonsRequest,
  ReadRequest,
  ValuesRequest,
} from '../../../src/geo/protocol.ts';
import { engineOf, type TestEngine, withFolder } from './engine.ts';

// GDAL opens its log once per process.
const logFolder = mkdtempSync(join(tmpdir(), 'steppe-gdal-log-'));
process.once('exit', () => rmSync(logFolder, { recursive: true }));
for (const [name, value] of Object.entries({
  GDAL_NUM_THREADS: '2',
  GDAL_DISABLE_READDIR_ON_OPEN: 'EMPTY_DIR',
  GDAL_PAM_ENABLED: 'NO',
  CPL_LOG: join(logFolder, 'gdal.log'),
}))
  gdal.config.set(name, value);

/**
 * Opens an engine that reads and writes rasters, and reads GeoJSON and tables, in this process with the
 * settings of a child: this takes a tenth of the time of starting children.
 */
export async function openRasterEngineHere(): Promise<TestEngine> {
  const perform = async (
    request:
      | AreasRequest
      | ValuesRequest
      | AssembleRequest
      | ComposeRequest
      | FileRequest
      | FillRequest
      | InspectRequest
      | MakeRastersRequest
      | PolygonsRequest
      | ReadRequest,
    findings: FindingsCollector,
  ) => {
    if (request.task === 'inspect-source') return await inspectSource(request);
    if (request.task === 'make-rasters') return await makeRasters(request);
    if (request.task === 'assemble') return await assembleRasters(request);
    if (request.task === 'compose') return await composeRasters(request);
    if (request.task === 'vector') return await assembleVector(request, findings);
    if (request.task === 'table') return await readTable(request, findings);
    if (request.task === 'areas') return await countAreas(request);
    if (request.task === 'values') return await countValues(request);
    if (request.task === 'polygons') return await makePolygons(request);
    if (request.task === 'read-workbook') return await readWorkbook(request);
    if (request.task === 'fill-workbook') return await fillWorkbook(request);
    if (request.task === 'counts') return await countPixels(request);
    return request.task === 'view' ? await makeView(request) : await convertRaster(request, findings);
  };
  return await withFolder(await engineOf(perform));
}

/**
 * Converts rasters in the same way, without an engine.
 * @param folder must outlive all conversions
 */
export function createConversion(folder: string) {
  const convert = async (inputPath: string): Promise<{ cogPath: string; findings: Findings }> => {
    const findings = createFindings();
    const scratch = await mkdtemp(join(folder, 'scratch-'));
    const { cogPath } = await convertRaster({ inputPath, scratch }, findings);
    return { cogPath, findings: findings.gathered() };
  };
  return {
    convert,
    async convertBytes(bytes: Uint8Array): Promise<{ cogPath: string; findings: Findings }> {
      const path = join(await mkdtemp(join(folder, 'input-')), 'input');
      await writeFile(path, bytes);
      return await convert(path);
    },
  };
}
