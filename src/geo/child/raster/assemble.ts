import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import gdal, { type Dataset } from 'gdal-async';
import type { RawRaster } from '../../engine.ts';
import { createFindings } from '../../findings-collector.ts';
import type { AssembleResult } from '../../protocol.ts';
import { cogBlockSide, planCog } from './cog-options.ts';
import { listenToGdal, watchWrites, type Complaints } from './gdal-log.ts';
import { describeRaster } from './read.ts';
import { bboxOf, readPlacement } from './georeference.ts';
import { readTiles } from './raw-tiles.ts';
import { describeMadeCog, describeSource, warningsOf } from './report.ts';
import { verifyCog } from './verify.ts';
import { writeCog } from './write-cog.ts';

/**
 * Makes a COG of each raster, one after the other, and compares it with every pixel of the parts.
 * @throws {Error} when parts do not make up their raster.
 */
export async function assembleRasters(task: {
  readonly rasters: readonly RawRaster[];
  readonly scratch: string;
}): Promise<AssembleResult> {
  const complaints = await listenToGdal(task.scratch);
  const rasters: AssembleResult['rasters'][number][] = [];
  for (const [index, raw] of task.rasters.entries()) {
    const stagedPath = join(task.scratch, `staged-${index}.tif`);
    const cogPath = join(task.scratch, `cog-${index}.tif`);
    rasters.push(await assembleRaster(raw, { stagedPath, cogPath, complaints }));
  }
  return { rasters };
}

async function assembleRaster(
  raw: RawRaster,
  files: { readonly stagedPath: string; readonly cogPath: string; readonly complaints: Complaints },
): Promise<AssembleResult['rasters'][number]> {
  const { stagedPath, cogPath, complaints } = files;
  const findings = createFindings();
  await findings.time('assemble', () => watchWrites(complaints, () => stage(raw, stagedPath)));

  const staged = await gdal.openAsync(stagedPath, 'r', ['GTiff']);
  const raster = describeRaster(staged);
  const placement = readPlacement(staged);
  const bbox = bboxOf(placement);
  const plan = planCog(raster, [raw.dataType === 'Byte']);
  findings.setRaster({ ...describeSource(staged, raster, placement), cog: describeMadeCog(plan) });
  warningsOf(placement, undefined).forEach(({ code, message }) => findings.warn(code, message));
  await findings.time('write', () => watchWrites(complaints, () => writeCog(staged, plan, cogPath)));
  staged.close();
  await rm(stagedPath);

  const compare = (cog: Dataset): Promise<void> => refuseOtherPixels(raw, cog);
  await findings.time('verify', () => verifyCog(cogPath, { raster, bbox, complaints }, compare));
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
    const written = await pixels.readAsync(x, y, width, height);
    if (!bytesOf(written).equals(bytesOf(values))) {
      throw new Error(`the COG differs from its parts in pixels from column ${x} and row ${y} on`);
    }
  }
}

/** Compared by bytes, a NaN equals itself. */
function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
