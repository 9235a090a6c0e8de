import { open, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import gdal, { type Dataset } from 'gdal-async';
import type { RawRaster } from '../../engine.ts';
import { createFindings } from '../../findings-collector.ts';
import type { AssembleResult } from '../../answers.ts';
import { joinLevels } from '../../formats/tiff/join-levels.ts';
import type { AssembleRequest } from '../../protocol.ts';
import type { RasterWindow } from '../../raster-reader.ts';
import { cogBlockSide, planCog } from './cog-options.ts';
import { bytesOf, describeRaster } from './description.ts';
import { openGdalLog, watchWrites, type GdalLog } from './gdal-log.ts';
import { bboxOf, readGeoreference } from './georeference.ts';
import { createLevels } from './levels.ts';
import { describeSource, describeWrittenCog, warnOfRaster } from './report.ts';
import { averageFloats, mostFrequentClasses } from './reduction.ts';
import { verifyCog } from './write-cog.ts';

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
  const findings = createFindings();
  const paths = await findings.time('assemble', () => writeLevels(raw, cogPath, gdalLog));
  await findings.time('write', () => joinLevels(paths, cogPath));

  const source = await gdal.openAsync(paths[0] ?? '', 'r', ['GTiff']);
  const raster = describeRaster(source);
  const georeference = readGeoreference(source);
  const bbox = bboxOf(georeference);
  const plan = planCog(raster, [raw.dataType === 'Byte']);
  findings.setRaster({ ...describeSource(source, raster, georeference), cog: describeWrittenCog(plan) });
  warnOfRaster(findings, georeference);
  source.close();
  await Promise.all(paths.map((path) => rm(path)));

  const compare = (cog: Dataset): Promise<void> => refuseOtherPixels(raw, cog);
  await findings.time('verify', () => verifyCog(cogPath, { raster, georeference, bbox, gdalLog }, compare));
  return { cogPath, bbox, findings: findings.gathered() };
}

/** Writes the pixels and their overviews, each level to a file of its own; returns the paths from fine to coarse. */
async function writeLevels(raw: RawRaster, cogPath: string, gdalLog: GdalLog): Promise<readonly string[]> {
  const paths: string[] = [];
  const isFloat = raw.dataType === 'Float32';
  const levels = createLevels({
    ...raw,
    reduce: isFloat ? averageFloats : mostFrequentClasses,
    create(number, width, height) {
      const path = `${cogPath}.${number}`;
      paths.push(path);
      return createLevelFile(raw, path, { width, height, isPlaced: number === 0 });
    },
  });
  await watchWrites(gdalLog, async () => {
    for await (const { values, ...tile } of readTiles(raw)) await levels.put(tile, values);
    levels.finish();
  });
  return paths;
}

function createLevelFile(
  raw: RawRaster,
  path: string,
  {
    width,
    height,
    isPlaced,
  }: { readonly width: number; readonly height: number; readonly isPlaced: boolean },
): Dataset {
  const options = {
    TILED: 'YES',
    BLOCKXSIZE: String(cogBlockSide),
    BLOCKYSIZE: String(cogBlockSide),
    COMPRESS: 'DEFLATE',
    ZLEVEL: '1',
    PREDICTOR: raw.dataType === 'Float32' ? '3' : '1',
    BIGTIFF: 'IF_SAFER',
    NUM_THREADS: '2',
  };
  const level = gdal.drivers.get('GTiff').create(path, width, height, 1, raw.dataType, options);
  if (isPlaced) {
    level.srs = gdal.SpatialReference.fromWKT(raw.wkt);
    level.geoTransform = [raw.left, raw.resX, 0, raw.top, 0, -raw.resY];
  }
  level.bands.get(1).noDataValue = raw.noData;
  return level;
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
