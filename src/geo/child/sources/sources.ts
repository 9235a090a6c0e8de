import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import gdal from 'gdal-async';
import { MiB } from '../../../lib/units.ts';
import { sourceProblems } from '../../../messages/sources/english.ts';
import { maxRasterValues } from '../../child-program.ts';
import { openClassicNetcdf } from '../../formats/netcdf/classic.ts';
import { resourceErrorFrom } from '../../gdal/last-error.ts';
import { createStage } from '../../gdal/progress.ts';
import type { InspectRequest, MakeRastersRequest } from '../../protocol.ts';
import type { SourceDescription, SourceFormat, SourceRaster } from '../../source.ts';
import { openArraySource } from './array-source.ts';
import { openAsciiGrid } from './ascii-grid.ts';
import { openGrib, openImagine } from './band-source.ts';
import { openHdf4, openHdf5 } from './open-hdf.ts';
import { referenceOf } from './reference.ts';
import type { PlannedRaster, Source } from './source.ts';
import { openTiles } from './open-tiles.ts';

/** Describes what a file has. @throws {Problem} for a damaged file, and one that takes values from others. */
export async function inspectSource({
  inputPath,
  format,
  scratch,
}: InspectRequest): Promise<SourceDescription> {
  const source = await openSource(inputPath, format, scratch);
  try {
    return await source.description();
  } finally {
    await source.close();
  }
}

/** Makes a GeoTIFF of each choice, with the stored values, scale and offset. @throws {Problem} if one cannot be made. */
export async function makeRasters({
  inputPath,
  format,
  choices,
  scratch,
}: MakeRastersRequest): Promise<{ readonly rasters: readonly SourceRaster[] }> {
  const source = await openSource(inputPath, format, scratch);
  try {
    const stage = createStage(0, 1);
    const rasters: SourceRaster[] = [];
    for (const [index, choice] of choices.entries()) {
      const path = join(scratch, `raster-${index}.tif`);
      const plan = await source.plan(choice);
      await writeRaster({ ...plan, crs: plan.crs ?? choice.crs }, path);
      rasters.push({ path, sizeBytes: (await stat(path)).size });
      stage((index + 1) / choices.length);
    }
    return { rasters };
  } finally {
    await source.close();
  }
}

async function openSource(path: string, format: SourceFormat, scratch: string): Promise<Source> {
  switch (format) {
    case 'netcdf':
      return await openArraySource(await openClassicNetcdf(path));
    case 'hdf5':
      return await openArraySource(await openHdf5(path));
    case 'hdf4':
      return await openArraySource(await openHdf4(path));
    case 'grib':
      return await openGrib(path);
    case 'imagine':
      return await openImagine(path);
    case 'zip':
      return await openTiles(path, scratch);
    default:
      return await openAsciiGrid(path);
  }
}

/** Values that are read at once, as 64-bit numbers. */
const valuesAtOnce = (64 * MiB) / 8;

async function writeRaster(raster: PlannedRaster, path: string): Promise<void> {
  const { width, height, left, top, cellWidth, cellHeight, noData } = raster;
  if (width < 1 || height < 1 || width * height > maxRasterValues)
    throw sourceProblems.tooLarge(width, height);
  try {
    const options = ['COMPRESS=DEFLATE', 'ZLEVEL=1', 'BIGTIFF=IF_SAFER'];
    const dataset = gdal.open(path, 'w', 'GTiff', width, height, 1, raster.type, options);
    dataset.geoTransform = [left, cellWidth, 0, top, 0, -cellHeight];
    if (raster.crs !== undefined) dataset.srs = referenceOf(raster.crs);
    const band = dataset.bands.get(1);
    if (noData !== undefined) band.noDataValue = noData;
    if (raster.scale !== undefined) band.scale = raster.scale;
    if (raster.offset !== undefined) band.offset = raster.offset;
    if (raster.unit !== undefined) band.unitType = raster.unit;

    const rowsAtOnce = Math.max(1, Math.min(height, Math.floor(valuesAtOnce / width)));
    for (let row = 0; row < height; row += rowsAtOnce) {
      const count = Math.min(rowsAtOnce, height - row);
      await band.pixels.writeAsync(0, row, width, count, await raster.readRows(row, count));
    }
    await dataset.flushAsync();
    dataset.close();
  } catch (error) {
    throw resourceErrorFrom(error);
  }
}
