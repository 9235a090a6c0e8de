import { open } from 'node:fs/promises';
import { join } from 'node:path';
import gdal, { type Dataset, type RasterBand } from 'gdal-async';
import { rasterProblems, rasterWarnings } from '../../../messages/raster/english.ts';
import type { FindingsCollector } from '../../gather-findings.ts';
import { BrokenTiff } from '../../formats/tiff/walk.ts';
import type { CogStructure } from '../../formats/tiff/cog-structure.ts';
import { deflatedBlocksAreSound } from '../../formats/tiff/deflate-check.ts';
import { refuseUnreasonableTiff } from '../../formats/tiff/limits.ts';
import type { UploadedRasterResult, FileRequest } from '../../protocol.ts';
import { planCog } from './image/cog-options.ts';
import { describeRaster, imageStructureOf, type RasterDescription, openSource } from './image/description.ts';
import {
  openGdalLog,
  refuseLostTags,
  unreadablePixels,
  watchWrites,
  type GdalLog,
} from '../../gdal/log-file.ts';
import { createStage, type Stage } from '../../gdal/progress.ts';
import { bboxOf, placeOf, readGeoreference } from './image/georeference.ts';
import { keepCrs, isWholeCog, structureOf, verifyCog, writeCog } from './image/write-cog.ts';
import {
  overviewsReadable,
  readFirstBlock,
  type SurveyedBand,
  surveyPixels,
  readMask,
  windowsOf,
} from './image/pixels.ts';
import { findPlacedImage, type PlacedImage } from '../../formats/tiff/placed-image.ts';
import { overviewsFit } from './overviews/overview-check.ts';
import { createSmallCounter } from './count-pixels.ts';
import {
  describeKeptCog,
  describeSource,
  describeWrittenCog,
  warnOfCog,
  warnOfRaster,
  warnOfValues,
} from './report.ts';
import { withSharedMask, warnOfSuspectedNoData } from './image/suspected-nodata.ts';
import { createMeshWriter, isDrawableFile } from './view/view.ts';
import type { RasterWindow } from '../../raster-reader.ts';

/**
 * Converts a GeoTIFF to a lossless COG, or keeps a file that is one already, and compares every pixel with the source.
 * @throws {Problem} if any pixel of the file cannot be read.
 */
export async function convertRaster(
  { inputPath, scratch }: Omit<FileRequest, 'task'>,
  findings: FindingsCollector,
): Promise<UploadedRasterResult> {
  await refuseUnreasonableTiff(inputPath);
  const gdalLog = await openGdalLog(scratch, findings);
  const { source, raster, georeference, described, structure, bbox, placed } = await findings.time(
    'open',
    () => openRaster(inputPath, gdalLog, findings),
  );
  const meshPath = await createMeshWriter()({ georeference, bbox, raster }, join(scratch, 'view.mesh'));
  const resultOf = async (cogPath: string): Promise<UploadedRasterResult> => {
    const needsView = meshPath !== undefined && !(await isDrawableFile(cogPath));
    const counts = await createSmallCounter()(cogPath, raster, { gdalLog, findings });
    return { cogPath, bbox, place: placeOf(georeference), meshPath, needsView, counts };
  };
  const keep = async (): Promise<UploadedRasterResult> => {
    await warnOfPixels(findings, source, raster);
    findings.setRaster({ ...described, cog: describeKeptCog(source) });
    source.close();
    return await resultOf(inputPath);
  };
  const isCog = structure?.isCog === true;
  const stages = stagesOf(isCog);
  const overviewsToTrust = async (surveyed?: readonly SurveyedBand[]) =>
    await findings.time('read', () => overviewsFit(source, raster, surveyed));
  const isWhole = async () => await isWholeCog(inputPath, source, raster, { gdalLog, tell: stages.look });
  if (isCog && (await findings.time('read', isWhole)) && (await overviewsToTrust())) return await keep();
  // Earlier entries are not about pixels.
  await gdalLog.take();
  const [survey] = await findings.time('read', () =>
    bothOf(
      surveyPixels(source, raster, gdalLog, stages.read),
      structure === undefined ? Promise.resolve() : refuseWrongChecksums(inputPath),
    ),
  );
  if (isCog && (await findings.time('read', () => overviewsReadable(source, gdalLog)))) {
    if (await overviewsToTrust(survey.bands)) return await keep();
    findings.warn('overviews_replaced', rasterWarnings.overviewsReplaced(survey.classLike.some(Boolean)));
  }
  const cogPath = join(scratch, 'cog.tif');
  const plan = planCog(raster, survey.classLike);
  const write = async () => {
    await writeCog(await withSharedMask(source, raster, scratch), plan, cogPath, stages.write);
    if (georeference.nativeWkt !== undefined) await keepCrs(inputPath, cogPath, placed);
  };
  // Other log entries do not matter here: the written file is verified by reading it.
  await findings.time('write', () => watchWrites(gdalLog, write));
  const ownLog = { ...gdalLog, take: gdalLog.takeOwn };
  const compare = async (cog: Dataset, { bands }: RasterDescription) => {
    // Pixels and overviews are read in parallel; a GDAL dataset is not thread-safe.
    const beside = await gdal.openAsync(cogPath, 'r', ['GTiff']);
    const [{ digests }, areReadable] = await bothOf(
      surveyPixels(cog, { ...raster, bands }, ownLog, stages.verify),
      overviewsReadable(beside, ownLog),
    );
    if (!areReadable) throw new Error('an overview of the COG cannot be read');
    beside.close();
    const differing = digests.findIndex((digest, index) => digest !== survey.digests[index]);
    if (differing >= 0) throw new Error(`the COG differs from the source in pixels of part ${differing}`);
    warnOfCog(findings, source, cog);
  };
  await findings.time('verify', () =>
    verifyCog(cogPath, { raster, georeference, bbox, gdalLog: ownLog }, compare),
  );
  await warnOfPixels(findings, source, raster);
  findings.setRaster({ ...described, cog: describeWrittenCog(plan) });
  source.close();
  return await resultOf(cogPath);
}

/** Shares of progress. A COG is examined only; any other raster is read, written and read again, which takes about these shares. */
function stagesOf(isCog: boolean) {
  const end = isCog ? 0.9 : 0;
  const of = (from: number, to: number): Stage => createStage(end + (1 - end) * from, end + (1 - end) * to);
  return { look: createStage(0, end), read: of(0, 0.3), write: of(0.3, 0.75), verify: of(0.75, 1) };
}

/** Reads everything of a raster except its pixels. */
async function openRaster(path: string, gdalLog: GdalLog, findings: FindingsCollector) {
  const placed = await placedImageOf(path);
  const source = await openSource(placed === undefined ? path : `GTIFF_DIR:${placed.number}:${path}`);
  const raster = describeRaster(source);
  const georeference = readGeoreference(source);
  const described = describeSource(source, raster, georeference);
  findings.setRaster(described);
  refuseLostTags(await gdalLog.take());
  await refuseMissingCodec(source, raster);
  const structure = await soundStructureOf(path);
  warnOfRaster(findings, source, { georeference, structure, ...(placed && { image: placed.number }) });
  warnOfValues(findings, source, structure);
  return { source, raster, georeference, described, bbox: bboxOf(georeference), structure, placed };
}

/** @throws {Problem} if no block of a 12-bit JPEG can be read: most libraries are built without that codec. */
async function refuseMissingCodec(source: Dataset, { bands }: RasterDescription): Promise<void> {
  const isJpeg = imageStructureOf(source)['COMPRESSION']?.includes('JPEG') === true;
  if (!isJpeg || bands[0]?.bits !== 12) return;
  await readFirstBlock(source.bands.get(1)).catch((cause: unknown) => {
    throw rasterProblems.unknownCompression().because(cause);
  });
}

async function placedImageOf(path: string): Promise<PlacedImage | undefined> {
  await using file = await open(path);
  return await findPlacedImage(file);
}

/** Warns of properties that affect the use of pixel values. */
async function warnOfPixels(findings: FindingsCollector, source: Dataset, raster: RasterDescription) {
  const isComplex = raster.bands.some(({ dataType }) => dataType.startsWith('C'));
  if (isComplex) findings.warn('complex_values', rasterWarnings.complexValues());
  const flat = source.bands.map(({ scale }) => scale).indexOf(0) + 1;
  if (flat > 0)
    findings.warn('scale_zero', rasterWarnings.scaleZero(flat, source.bands.get(flat).offset ?? 0));
  if (isComplex) return;
  if (!(await hasValues(source, raster))) findings.warn('no_values', rasterWarnings.noValues());
  else await warnOfSuspectedNoData(findings, source);
}

/**
 * Reads the structure of a complete file; undefined if it is more unusual than a COG may be.
 * @throws {Problem} if offsets of pixels, of a mask or of another image are lost.
 */
async function soundStructureOf(path: string): Promise<CogStructure | undefined> {
  try {
    const structure = await structureOf(path);
    if (!structure.hasPixels) throw rasterProblems.unreadable('offsets', false);
    return structure;
  } catch (error) {
    if (!(error instanceof BrokenTiff)) throw error;
    if (error.fault === 'cut') throw rasterProblems.unreadable('images', false).because(error);
    return undefined;
  }
}

/** @throws {Problem} if compressed pixels do not match their checksums. */
async function refuseWrongChecksums(path: string): Promise<void> {
  await using file = await open(path);
  if (!(await deflatedBlocksAreSound(file))) throw unreadablePixels('a checksum is wrong');
}

/**
 * Awaits two concurrent tasks, so that neither continues after the other has failed.
 * @throws the error of the first, or else that of the second.
 */
export async function bothOf<A, B>(first: Promise<A>, second: Promise<B>): Promise<readonly [A, B]> {
  await Promise.allSettled([first, second]);
  return [await first, await second];
}

/** GDAL's mask flag GMF_ALL_VALID. */
const allValid = 0x01;
/** Larger overviews are not checked first. */
const maxGlance = 1_048_576;

/**
 * Returns whether any pixel of a sound raster has a value. The search ends at the first one: an empty raster is read
 * completely, any other mostly in its coarsest overview or its first window.
 */
async function hasValues(dataset: Dataset, raster: RasterDescription): Promise<boolean> {
  // The binding has no arrays for complex numbers.
  if (raster.bands.some(({ dataType }) => dataType.startsWith('C'))) return true;
  const bands = dataset.bands.map((band) => band).filter((band) => band.colorInterpretation !== 'Alpha');
  for (const band of bands) if (await glance(band)) return true;
  for (const window of windowsOf({ ...raster, bands: { length: 1 } })) {
    for (const band of bands) if (await hasValueIn(band, band, window)) return true;
  }
  return false;
}

/** Looks at the coarsest overview. It proves nothing without a value, or if it cannot be read: it may be cut off. */
async function glance(band: RasterBand): Promise<boolean> {
  const count = band.overviews.count();
  if (count === 0) return false;
  const coarsest = band.overviews.get(count - 1);
  const { x: width, y: height } = coarsest.size;
  if (width * height > maxGlance) return false;
  return await hasValueIn(coarsest, band, { x: 0, y: 0, width, height }).catch(() => false);
}

/** @param of the band that defines the nodata value. */
async function hasValueIn(image: RasterBand, of: RasterBand, window: RasterWindow): Promise<boolean> {
  const values: ArrayLike<number | bigint> = await image.pixels.readAsync(
    window.x,
    window.y,
    window.width,
    window.height,
  );
  const mask = (of.getMaskFlags() & allValid) === 0 ? await readMask(image, window) : undefined;
  const { noDataValue: noData } = of;
  for (let at = 0; at < values.length; at += 1) {
    const value = Number(values[at]);
    if (mask?.[at] !== 0 && !Number.isNaN(value) && value !== noData) return true;
  }
  return false;
}
