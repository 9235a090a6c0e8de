import { open, rename } from 'node:fs/promises';
import gdal, { type Dataset, type RasterBand } from 'gdal-async';
import { rasterProblems } from '../../../../messages/raster/english.ts';
import { readCogStructure, type CogStructure } from '../../../formats/tiff/cog-structure.ts';
import type { Bbox } from '../../../engine.ts';
import type { CogPlan } from './cog-options.ts';
import { describeRaster, type RasterDescription } from './description.ts';
import type { GdalLog } from '../../../gdal/log-file.ts';
import { type Stage, untold } from '../../../gdal/progress.ts';
import { bboxOf, type Georeference, readGeoreference } from './georeference.ts';
import { copyWithTags } from '../../../formats/tiff/join-tiles.ts';
import { readTags } from '../../../formats/tiff/layout.ts';
import type { PlacedImage } from '../../../formats/tiff/placed-image.ts';
import { openTiff, readDirectory } from '../../../formats/tiff/walk.ts';
import { Problem } from '../../../../lib/errors.ts';
import { isDeflatedThroughout } from '../../../formats/tiff/deflate-check.ts';
import { readFirstBlock } from './pixels.ts';

export async function writeCog(
  source: Dataset,
  plan: CogPlan,
  cogPath: string,
  tell = untold,
): Promise<void> {
  gdal.config.set('COG_TMP_COMPRESSION', plan.draftCompression ?? null);
  const written = await gdal.drivers
    .get('COG')
    .createCopyAsync(cogPath, source, plan.options, false, { progress_cb: tell });
  written.close();
}

/** @throws {BrokenTiff} if the directories of the file are inconsistent. */
export async function structureOf(path: string): Promise<CogStructure> {
  await using file = await open(path);
  return await readCogStructure(file);
}

interface Source {
  readonly georeference: Pick<Georeference, 'nativeWkt'>;
  readonly raster: RasterDescription;
  readonly bbox: Bbox;
  readonly gdalLog: GdalLog;
}

/** Compares all pixels of a COG, including overviews, with their source. @throws {Error} naming the difference. */
type ComparePixels = (cog: Dataset, written: RasterDescription) => Promise<void>;

/** Reads a COG back and compares it with its source. @throws {Error} naming a difference. */
export async function verifyCog(cogPath: string, source: Source, compare: ComparePixels): Promise<void> {
  const structure = await structureOf(cogPath);
  if (!structure.isCog) throw new Error(`the COG has a wrong structure: ${structure.problems.join('; ')}`);

  const cog = await gdal.openAsync(cogPath, 'r', ['GTiff']);
  const written = describeRaster(cog);
  const types = (raster: RasterDescription) => raster.bands.map((band) => band.dataType).join();
  if (written.width !== source.raster.width || written.height !== source.raster.height) {
    throw new Error(`the COG is ${written.width} by ${written.height} pixels`);
  }
  if (types(written) !== types(source.raster)) throw new Error(`the COG has bands of ${types(written)}`);
  refuseNewAlpha(source.raster, written);
  if (written.hasMask !== source.raster.hasMask)
    throw new Error('the COG differs from the source in its mask');
  const { nativeWkt } = source.georeference;
  const placed = readGeoreference(cog);
  if ((placed.nativeWkt === undefined) !== (nativeWkt === undefined))
    throw new Error('the COG has lost its CRS');
  // Equal boxes on the earth imply equal CRS and grid.
  const cogBox = bboxOf(placed);
  if (cogBox.some((value, index) => !isClose(value, source.bbox[index] ?? Number.NaN)))
    throw new Error('the COG lies elsewhere than its source');
  await source.gdalLog.take();
  await compare(cog, written);
  cog.close();
}

/** When writing, GDAL treats an unnamed band beside a palette as transparency. @throws {Problem} */
function refuseNewAlpha(source: RasterDescription, written: RasterDescription): void {
  const isAlpha = ({ bands }: RasterDescription, index: number): boolean =>
    bands[index]?.colorInterpretation === 'Alpha';
  const band = written.bands.findIndex((_, index) => isAlpha(written, index) && !isAlpha(source, index));
  if (band >= 0) throw rasterProblems.newAlpha(band + 1);
}

function isClose(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
}

/** GeoKeyDirectory, GeoDoubleParams and GeoAsciiParams: the CRS of a GeoTIFF. */
const geoKeys: readonly number[] = [34_735, 34_736, 34_737];

/**
 * Copies the CRS keys of the source to a COG without them: GDAL 3.6 does not write a CRS that WKT 1 cannot express, such as Equal Earth.
 */
export async function keepCrs(sourcePath: string, cogPath: string, placed?: PlacedImage): Promise<void> {
  const cog = await gdal.openAsync(cogPath, 'r', ['GTiff']);
  const { nativeWkt } = readGeoreference(cog);
  cog.close();
  if (nativeWkt !== undefined) return;
  await using source = await open(sourcePath);
  const tiff = await openTiff(source);
  const tags = await readTags(tiff, placed?.directory ?? (await readDirectory(tiff, tiff.firstDirectory)));
  const complete = `${cogPath}.complete`;
  await copyWithTags(
    cogPath,
    complete,
    tags.filter(({ number }) => geoKeys.includes(number)),
  );
  await rename(complete, cogPath);
}

/**
 * Returns whether the checksums of its blocks, including overviews, prove a COG sound: inflating them is half the work
 * of reading them with GDAL, which decodes only the first block of each band and overview, to show that it can.
 * @returns false if a block is damaged, and for a COG that only GDAL can check: with blocks that are not deflated or
 * absent, or with a mask.
 * @throws {BrokenTiff} if the directories cannot be read.
 */
export async function isWholeCog(
  path: string,
  cog: Dataset,
  { hasMask }: RasterDescription,
  { gdalLog, tell = untold }: { readonly gdalLog: GdalLog; readonly tell?: Stage },
): Promise<boolean> {
  if (hasMask) return false;
  await using file = await open(path);
  return (await isDeflatedThroughout(file, tell)) && (await canDecode(cog, gdalLog));
}

async function canDecode(cog: Dataset, gdalLog: GdalLog): Promise<boolean> {
  await gdalLog.take();
  try {
    for (const band of cog.bands) {
      const images: RasterBand[] = [band, ...band.overviews];
      for (const image of images) await readFirstBlock(image);
    }
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
  return (await gdalLog.take()).length === 0;
}
