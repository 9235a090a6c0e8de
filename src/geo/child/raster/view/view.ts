import { open, writeFile } from 'node:fs/promises';
import type { Bbox } from '../../../engine.ts';
import { isDrawable, maxDrawnBlockBytes, readImage } from '../../../formats/tiff/image.ts';
import { openTiff, walkDirectories } from '../../../formats/tiff/walk.ts';
import { type RasterDescription, bytesOf, describeRaster, openSource } from '../image/description.ts';
import { type Georeference, bboxOf, readGeoreference } from '../image/georeference.ts';
import { viewMeshOf } from './view-mesh.ts';
import { join } from 'node:path';
import gdal, { type Dataset } from 'gdal-async';
import type { ViewResult, FileRequest } from '../../../protocol.ts';
import { refuseUnreasonableTiff } from '../../../formats/tiff/limits.ts';
import { planCog } from '../image/cog-options.ts';
import { openGdalLog, watchWrites } from '../../../gdal/log-file.ts';
import { keepCrs, verifyCog, writeCog } from '../image/write-cog.ts';
import { surveyPixels } from '../image/pixels.ts';
import { withSharedMask } from '../image/suspected-nodata.ts';

/** A georeferenced raster, the input of a view. */
interface Placed {
  readonly georeference: Georeference;
  readonly bbox: Bbox;
  readonly raster: Pick<RasterDescription, 'bands'>;
}

/** Writes the view mesh of a raster to a path; returns undefined for a raster without one. */
export type WriteMesh = (raster: Placed, path: string) => Promise<string | undefined>;

/** Creates a writer that computes the mesh of several rasters on the same grid only once. */
export function createMeshWriter(): WriteMesh {
  let last: { readonly grid: string; readonly mesh: Buffer | undefined } | undefined;
  return async ({ georeference, bbox, raster }, path) => {
    if (isComplex(raster)) return undefined;
    const grid = JSON.stringify(georeference);
    if (last?.grid !== grid) last = { grid, mesh: viewMeshOf(georeference, bbox) };
    if (last.mesh === undefined) return undefined;
    await writeFile(path, last.mesh);
    return path;
  };
}

/** Complex numbers have no colour. */
function isComplex({ bands }: Pick<RasterDescription, 'bands'>): boolean {
  return bands.some(({ dataType }) => dataType.startsWith('C'));
}

/** Returns whether the api can draw from a sound TIFF directly. @throws {BrokenTiff} */
export async function isDrawableFile(path: string): Promise<boolean> {
  await using file = await open(path);
  const images = await Array.fromAsync(walkDirectories(await openTiff(file)), readImage);
  return isDrawable(images.filter((image) => image !== undefined));
}

/**
 * Makes the files for drawing a stored COG: its mesh, and, if the api cannot draw from the COG, a view COG with the
 * same pixels, lossless and verified.
 * @throws {Problem} if the COG cannot be read.
 */
export async function makeView({ inputPath, scratch }: Omit<FileRequest, 'task'>): Promise<ViewResult> {
  await refuseUnreasonableTiff(inputPath);
  const gdalLog = await openGdalLog(scratch);
  const source = await openSource(inputPath);
  const described = describeRaster(source);
  const georeference = readGeoreference(source);
  const bbox = bboxOf(georeference);
  const placed = { georeference, bbox, raster: described };
  const meshPath = await createMeshWriter()(placed, join(scratch, 'view.mesh'));
  if (meshPath === undefined || (await isDrawableFile(inputPath))) return { meshPath };

  // Earlier entries are not about pixels.
  await gdalLog.take();
  const survey = await surveyPixels(source, described, gdalLog);
  const viewPath = join(scratch, 'view.tif');
  await watchWrites(gdalLog, async () => {
    const whole = await withWholeBits(await withSharedMask(source, described, scratch), scratch);
    const raster = describeRaster(whole);
    const plan = planCog(raster, survey.classLike);
    const options = { ...plan.options, BLOCKSIZE: String(blockSideOf(raster, plan.options)) };
    await writeCog(whole, { ...plan, options }, viewPath);
    await keepCrs(inputPath, viewPath);
  });
  const compare = async (view: Dataset, { bands }: RasterDescription) => {
    const { digests } = await surveyPixels(view, { ...described, bands }, gdalLog);
    const differing = digests.findIndex((digest, index) => digest !== survey.digests[index]);
    if (differing >= 0) throw new Error(`the view differs from its COG in pixels of part ${differing}`);
  };
  await verifyCog(viewPath, { raster: described, georeference, bbox, gdalLog }, compare);
  if (!(await isDrawableFile(viewPath))) throw new Error('the view cannot be drawn either');
  source.close();
  return { meshPath, viewPath };
}

/** Bit widths that are supported directly. */
const drawnBits: readonly (number | undefined)[] = [undefined, 1, 2, 4];

/** Widens values of an odd bit width to their full type. @returns a copy, or the source if none is needed. */
async function withWholeBits(source: Dataset, scratch: string): Promise<Dataset> {
  const { bands } = describeRaster(source);
  if (bands.every(({ bits }) => drawnBits.includes(bits))) return source;
  gdal.config.set('GDAL_TIFF_INTERNAL_MASK', 'YES');
  const path = join(scratch, 'whole-bits.tif');
  const bits = 8 * bytesOf(bands[0]?.dataType ?? 'Byte');
  const options = { TILED: 'YES', COMPRESS: 'DEFLATE', BIGTIFF: 'IF_SAFER', NBITS: String(bits) };
  (await gdal.drivers.get('GTiff').createCopyAsync(path, source, options)).close();
  return await gdal.openAsync(path, 'r', ['GTiff']);
}

/** Halves the side of tiles that are too large for drawing because of many bands. */
function blockSideOf({ bands }: RasterDescription, options: Readonly<Record<string, string>>): number {
  const pixelBytes = bands.reduce((sum, band) => sum + bytesOf(band.dataType), 0);
  let side = Number(options['BLOCKSIZE']);
  while (side > 16 && side * side * pixelBytes > maxDrawnBlockBytes) side /= 2;
  return side;
}
