import { open, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import gdal, { type Dataset } from 'gdal-async';
import type { RawRaster } from '../../engine.ts';
import { createFindings } from '../../findings-collector.ts';
import type { AssembleResult } from '../../answers.ts';
import type { AssembleRequest } from '../../protocol.ts';
import type { RasterWindow } from '../../raster-reader.ts';
import { cogBlockSide, planCog } from './cog-options.ts';
import { bytesOf, describeRaster } from './description.ts';
import { openGdalLog, watchWrites, type GdalLog } from './gdal-log.ts';
import { bboxOf, readGeoreference } from './georeference.ts';
import { describeSource, describeWrittenCog, warnOfRaster } from './report.ts';
import { verifyCog, writeCog } from './write-cog.ts';

/**
 * Makes a COG of each raster, one after the other, and compares it with every pixel of its tiles.
 * @throws {Error} when the tiles do not make up their raster.
 */
export async function assembleRasters(task: AssembleRequest): Promise<AssembleResult> {
  const gdalLog = await openGdalLog(task.scratch);
  const rasters: AssembleResult['rasters'] = [];
  for (const [index, raw] of task.rasters.entries()) {
    rasters.push(await assembleRaster(raw, join(task.scratch, `cog-${index}.tif`), gdalLog));
  }
  return { rasters };
}

async function assembleRaster(
  raw: RawRaster,
  cogPath: string,
  gdalLog: GdalLog,
): Promise<AssembleResult['rasters'][number]> {
  const stagedPath = `${cogPath}.staged`;
  const findings = createFindings();
  await findings.time('assemble', () => watchWrites(gdalLog, () => stage(raw, stagedPath)));

  const staged = await gdal.openAsync(stagedPath, 'r', ['GTiff']);
  const raster = describeRaster(staged);
  const georeference = readGeoreference(staged);
  const bbox = bboxOf(georeference);
  const plan = planCog(raster, [raw.dataType === 'Byte']);
  findings.setRaster({ ...describeSource(staged, raster, georeference), cog: describeWrittenCog(plan) });
  warnOfRaster(findings, georeference);
  await findings.time('write', () => watchWrites(gdalLog, () => writeCog(staged, plan, cogPath)));
  staged.close();
  await rm(stagedPath);

  const compare = (cog: Dataset): Promise<void> => refuseOtherPixels(raw, cog);
  await findings.time('verify', () => verifyCog(cogPath, { raster, georeference, bbox, gdalLog }, compare));
  return { cogPath, bbox, findings: findings.gathered() };
}

/** Puts the tiles together to a GeoTIFF that the COG driver can copy. */
async function stage(raw: RawRaster, path: string): Promise<void> {
  const side = String(cogBlockSide);
  const options = { TILED: 'YES', BLOCKXSIZE: side, BLOCKYSIZE: side, BIGTIFF: 'IF_SAFER' };
  const driver = gdal.drivers.get('GTiff');
  const staged = await driver.createAsync(path, raw.width, raw.height, 1, raw.dataType, options);
  staged.srs = gdal.SpatialReference.fromWKT(raw.wkt);
  staged.geoTransform = [raw.left, raw.resX, 0, raw.top, 0, -raw.resY];
  const band = staged.bands.get(1);
  band.noDataValue = raw.noData;
  for await (const { x, y, width, height, values } of readTiles(raw)) {
    await band.pixels.writeAsync(x, y, width, height, values);
  }
  staged.close();
}

async function refuseOtherPixels(raw: RawRaster, cog: Dataset): Promise<void> {
  const { pixels } = cog.bands.get(1);
  for await (const { x, y, width, height, values } of readTiles(raw)) {
    const { buffer, byteOffset, byteLength } = await pixels.readAsync(x, y, width, height);
    // Compared by bytes, a NaN equals itself.
    if (!Buffer.from(buffer, byteOffset, byteLength).equals(new Uint8Array(values.buffer))) {
      throw new Error(`the COG differs from its tiles in pixels from column ${x} and row ${y} on`);
    }
  }
}

/**
 * Reads the tiles of a raster one by one, in the order of its parts.
 * @throws {Error} when the tiles do not have as many pixels as the raster, or a part is not as long as its tiles.
 */
async function* readTiles(
  raster: RawRaster,
): AsyncGenerator<RasterWindow & { readonly values: Float32Array | Uint8Array }> {
  const pixelBytes = bytesOf(raster.dataType);
  const pixels = pixelsOf(raster.parts.flatMap(({ tiles }) => tiles));
  if (pixels !== raster.width * raster.height) {
    throw new Error(`the tiles hold ${pixels} pixels of a raster of ${raster.width} by ${raster.height}`);
  }
  for (const { path, tiles } of raster.parts) {
    await using part = await open(path);
    const [{ size }, expected] = [await part.stat(), pixelsOf(tiles) * pixelBytes];
    if (size !== expected) throw new Error(`part ${basename(path)} has ${size} bytes, its tiles ${expected}`);
    let position = 0;
    for (const tile of tiles) {
      const bytes = new Uint8Array(pixelsOf([tile]) * pixelBytes);
      const { bytesRead } = await part.read(bytes, 0, bytes.length, position);
      if (bytesRead !== bytes.length) throw new Error(`part ${basename(path)} ends while it is read`);
      position += bytes.length;
      yield { ...tile, values: raster.dataType === 'Float32' ? new Float32Array(bytes.buffer) : bytes };
    }
  }
}

function pixelsOf(tiles: readonly RasterWindow[]): number {
  return tiles.reduce((sum, { width, height }) => sum + width * height, 0);
}
