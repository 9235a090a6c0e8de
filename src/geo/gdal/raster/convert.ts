import { constants } from 'node:fs';
import { copyFile, open } from 'node:fs/promises';
import { join } from 'node:path';
import gdal, { type Dataset } from 'gdal-async';
import { Problem } from '../../../errors.ts';
import { readCogStructure, type CogStructure } from '../../cog-structure.ts';
import type { Bbox } from '../../engine.ts';
import { BrokenTiff } from '../../tiff-directory.ts';
import { resourceErrorFrom } from '../faults.ts';
import type { FindingsCollector } from '../findings-collector.ts';
import type { RasterResult } from '../messages.ts';
import { createTransformationToWgs84 } from '../transformation.ts';
import { geographicBbox, outlineOf, planeBbox } from './bbox.ts';
import { planCog } from './cog-options.ts';
import { refuseUnreasonable, type RasterDescription } from './description.ts';
import { readPlacement } from './placement.ts';
import { withSharedMask } from './shared-mask.ts';
import { describeRaster, overviewsReadable, surveyPixels, type PixelSurvey } from './read.ts';

/**
 * Makes a lossless COG of a GeoTIFF, or takes the file as it is when it is one already, and checks the result against
 * every pixel of the source.
 * @throws {Problem} when the file can not be read from the first to the last pixel.
 */
export async function convertRaster(
  task: { inputPath: string; scratch: string },
  findings: FindingsCollector,
): Promise<RasterResult> {
  const source = await openSource(task.inputPath);
  const raster = describeRaster(source);
  refuseUnreasonable(raster);
  const bbox = bboxOf(source);
  const survey = await findings.time('read', () => surveyPixels(source, raster));
  const cogPath = join(task.scratch, 'cog.tif');
  if ((await isCog(task.inputPath)) && (await overviewsReadable(source))) {
    await copyFile(task.inputPath, cogPath, constants.COPYFILE_FICLONE);
  } else {
    await writeCog(await withSharedMask(source, raster, task.scratch), raster, survey, cogPath);
    await verify(cogPath, { raster, survey, bbox });
  }
  source.close();
  return { cogPath, bbox };
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

async function isCog(path: string): Promise<boolean> {
  try {
    const structure = await structureOf(path);
    if (!structure.hasPixels) {
      throw new Problem(
        'invalid',
        'The raster holds no pixels: the file is damaged. Export it again and upload the new file.',
      );
    }
    return structure.isCog;
  } catch (error) {
    if (error instanceof BrokenTiff) return false;
    throw error;
  }
}

async function structureOf(path: string): Promise<CogStructure> {
  await using file = await open(path);
  return await readCogStructure(file);
}

async function writeCog(
  source: Dataset,
  raster: RasterDescription,
  survey: PixelSurvey,
  cogPath: string,
): Promise<void> {
  const { options } = planCog(raster, survey.classLike);
  try {
    const written = await gdal.drivers.get('COG').createCopyAsync(cogPath, source, options);
    written.close();
  } catch (error) {
    throw resourceErrorFrom(error);
  }
}

/** Nothing is answered that was not read back and found equal. @throws {Error} that says what differs. */
async function verify(
  cogPath: string,
  source: { raster: RasterDescription; survey: PixelSurvey; bbox: Bbox },
): Promise<void> {
  const structure = await structureOf(cogPath);
  if (!structure.isCog) throw new Error(`the COG has a wrong structure: ${structure.problems.join('; ')}`);

  const cog = await gdal.openAsync(cogPath, 'r', ['GTiff']);
  const written = describeRaster(cog);
  const types = (raster: RasterDescription) => raster.bands.map((band) => band.dataType).join();
  if (written.width !== source.raster.width || written.height !== source.raster.height) {
    throw new Error(`the COG is ${written.width} by ${written.height} pixels`);
  }
  if (types(written) !== types(source.raster)) throw new Error(`the COG has bands of ${types(written)}`);
  if (written.hasMask !== source.raster.hasMask)
    throw new Error('the COG differs from the source in its mask');
  // Equal boxes on the earth prove CRS and grid at once.
  const moved = bboxOf(cog).some((value, index) => !isClose(value, source.bbox[index] ?? Number.NaN));
  if (moved) throw new Error('the COG lies elsewhere than its source');
  const { digests } = await surveyPixels(cog, { ...source.raster, bands: written.bands });
  const differing = digests.findIndex((digest, index) => digest !== source.survey.digests[index]);
  if (differing >= 0) throw new Error(`the COG differs from the source in pixels of part ${differing}`);
  if (!(await overviewsReadable(cog))) throw new Error('an overview of the COG can not be read');
  cog.close();
}

function bboxOf(dataset: Dataset): Bbox {
  const placement = readPlacement(dataset);
  const outline = outlineOf(placement);
  if (placement.wkt === undefined) return planeBbox(outline);
  const transformation = createTransformationToWgs84({ wkt: placement.wkt });
  return geographicBbox(
    outline.map(([x, y]) => {
      try {
        const point = transformation.transformPoint(x, y);
        return [point.x, point.y];
      } catch {
        // Beyond the horizon of the projection.
        return [Number.NaN, Number.NaN];
      }
    }),
  );
}

function isClose(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
}
