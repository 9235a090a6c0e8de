import { constants } from 'node:fs';
import { copyFile, open } from 'node:fs/promises';
import { join } from 'node:path';
import gdal, { type Dataset } from 'gdal-async';
import { Problem } from '../../../common/errors.ts';
import type { CogStructure } from '../../formats/tiff/cog-structure.ts';
import { deflatedBlocksAreSound } from '../../formats/tiff/deflate-check.ts';
import { isInForce } from '../../layers.ts';
import { BrokenTiff } from '../../formats/tiff/bytes.ts';
import { refuseUnreasonableTiff } from '../../formats/tiff/limits.ts';
import type { FindingsCollector } from '../../findings-collector.ts';
import type { RasterResult } from '../../protocol.ts';
import { planCog } from './cog-options.ts';
import {
  damaged,
  listenToGdal,
  refuseLostTags,
  unreadablePixels,
  watchWrites,
  type Complaints,
} from './gdal-log.ts';
import { bboxOf, readPlacement } from './georeference.ts';
import { describeRaster, overviewsReadable, surveyPixels } from './read.ts';
import { describeMadeCog, describeOwnCog, describeSource, warningsOf } from './report.ts';
import { withSharedMask } from './shared-mask.ts';
import { structureOf, surveyedPixels, verifyCog } from './verify.ts';
import { writeCog } from './write-cog.ts';

/**
 * Makes a lossless COG of a GeoTIFF, or takes the file as it is when it is one already, and checks the result against
 * every pixel of the source.
 * @throws {Problem} when the file can not be read from the first to the last pixel.
 */
export async function convertRaster(
  task: { readonly inputPath: string; readonly scratch: string },
  findings: FindingsCollector,
): Promise<RasterResult> {
  if (isInForce('file-checks')) await refuseUnreasonableTiff(task.inputPath);
  const complaints = await listenToGdal(task.scratch);
  const opened = await findings.time('open', () => openRaster(task.inputPath, complaints, findings));
  const { source, raster, described } = opened;
  const survey = await findings.time('read', () => surveyPixels(source, raster, complaints));
  if (opened.structure !== undefined) await findings.time('read', () => refuseWrongChecksums(task.inputPath));
  const cogPath = join(task.scratch, 'cog.tif');
  if (
    opened.structure?.isCog === true &&
    (await findings.time('read', () => overviewsReadable(source, complaints)))
  ) {
    await findings.time('copy', () => copyFile(task.inputPath, cogPath, constants.COPYFILE_FICLONE));
    findings.setRaster({ ...described, cog: describeOwnCog(source) });
  } else {
    const plan = planCog(raster, survey.classLike);
    const write = async (): Promise<void> =>
      await writeCog(await withSharedMask(source, raster, task.scratch), plan, cogPath);
    // Whatever else is said meanwhile: what was written is judged by reading it.
    await findings.time('write', () => watchWrites(complaints, write));
    const verified = { ...opened, complaints };
    await findings.time('verify', () => verifyCog(cogPath, verified, surveyedPixels(verified, survey)));
    findings.setRaster({ ...described, cog: describeMadeCog(plan) });
  }
  source.close();
  return { cogPath, bbox: opened.bbox };
}

/** Looks at all of a raster but its pixels. */
async function openRaster(path: string, complaints: Complaints, findings: FindingsCollector) {
  const source = await openSource(path);
  const raster = describeRaster(source);
  const placement = readPlacement(source);
  const described = describeSource(source, raster, placement);
  findings.setRaster(described);
  refuseLostTags(await complaints.take());
  const structure = await soundStructureOf(path);
  warningsOf(placement, structure).forEach(({ code, message }) => findings.warn(code, message));
  const bbox = bboxOf(placement);
  return { source, raster, described, bbox, structure };
}

async function openSource(path: string): Promise<Dataset> {
  try {
    return await gdal.drivers.get('GTiff').openAsync(path, 'r');
  } catch (cause) {
    const codec = cause instanceof Error && /codec|compression/i.test(cause.message);
    throw new Problem(
      'invalid',
      codec
        ? 'The raster is compressed in a way that can not be read here; save it with DEFLATE or LZW compression and upload it again.'
        : 'The file can not be opened as a GeoTIFF: it is cut short or damaged. Export it again and upload the new file.',
      { cause },
    );
  }
}

/**
 * The structure of a file whose parts are all there; absent when it is stranger than a COG may be.
 * @throws {Problem} when the place of pixels, of a mask or of another image is lost.
 */
async function soundStructureOf(path: string): Promise<CogStructure | undefined> {
  try {
    const structure = await structureOf(path);
    if (!structure.hasPixels) throw damaged('Where the file keeps some pixels of the raster', undefined);
    return structure;
  } catch (error) {
    if (!(error instanceof BrokenTiff)) throw error;
    if (error.fault === 'cut') throw damaged('Some images or tables of the file', error);
    return undefined;
  }
}

/** @throws {Problem} when compressed pixels are not those that were once written. */
async function refuseWrongChecksums(path: string): Promise<void> {
  await using file = await open(path);
  if (!(await deflatedBlocksAreSound(file))) throw unreadablePixels('a checksum is wrong');
}
