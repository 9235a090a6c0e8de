import { listed } from '../../lib/readable.ts';
import { invalid, sentences } from '../base/define.ts';

const unreadable = {
  pixels: 'Some pixels of the raster cannot be read',
  offsets: 'The positions of some pixels cannot be read',
  images: 'Some images or tables of the file cannot be read',
  tags: 'Some metadata of the raster cannot be read',
};

/** Reasons to refuse an uploaded raster. */
export const rasterProblems = sentences('raster', {
  unreadable: invalid((what: keyof typeof unreadable, isOutOfMemory: boolean) =>
    isOutOfMemory
      ? `${unreadable[what]}: the file is damaged, or needs more memory than one file is given. Export it again with tiles of 512 pixels and upload the new file.`
      : `${unreadable[what]}: the file is cut short or damaged. Export it again and upload the new file.`,
  ),
  notATiff: invalid(
    () =>
      'The file cannot be opened as a GeoTIFF: it is cut short or damaged. Export it again and upload the new file.',
  ),
  badTag: invalid(
    (tag: string) =>
      `The file cannot be opened as a GeoTIFF: its ${tag} tag has a value that is not allowed. Export it again and upload the new file.`,
  ),
  unknownCompression: invalid(
    () =>
      'The raster is compressed in a way that cannot be read here; save it with DEFLATE or LZW compression and upload it again.',
  ),
  differentMasks: invalid(
    () =>
      'The bands of the raster have different masks, which a Cloud-Optimized GeoTIFF cannot store; save it with one mask for all bands, or with a nodata value.',
  ),
  newAlpha: invalid(
    (band: number) =>
      `Band ${band} of the raster would be taken for transparency in a Cloud-Optimized GeoTIFF. Save each band in a file of its own, or without the colour table.`,
  ),
  complexNumbers: invalid(
    () => 'The values of the raster are complex numbers, which have no order and so no statistics.',
  ),
  wrongCrs: invalid(
    () =>
      "The raster's coordinates do not fit its coordinate reference system; assign the right one and upload it again.",
  ),
});

/** A fact of a raster that its COG may lack, as `cog_differs` lists them. */
interface LostFact {
  readonly fact: string;
  readonly bands: readonly number[];
}

export const rasterWarnings = sentences('raster_warning', {
  coloursConverted: (space: string, lostBands: number) =>
    `The colours of the image are ${space}. Its pixels are read as red, green, blue and transparency, without a colour profile.${
      lostBands === 0
        ? ''
        : ` ${lostBands === 1 ? 'One more band is' : `${lostBands} more bands are`} not read.`
    } Save the image as RGB if its colours matter.`,
  unusualBits: (bits: number, readAs: string) =>
    `Each value takes ${bits} bits, in the COG too. GDAL and QGIS read the values as ${readAs}; other programs may not read them at all.`,
  zeroIsWhite: () =>
    'In the file zero is white. The COG has the same values, but programs will show zero as black.',
  cogDiffers: (facts: readonly LostFact[]) =>
    `The COG has every pixel of the file, but differs from it in: ${listed(facts.map(namedFact))}.`,
  noDataSuspected: (suspects: readonly SuspectedNoData[]) =>
    `The raster has no nodata value, but many of its pixels have a value that often stands for no data: ${listed(suspects.map(namedSuspect))}. They are read as values. If they mean that there is no data, set it as the nodata value and upload the file again.`,
  overviewsReplaced: (areClasses: boolean) =>
    areClasses
      ? 'The overviews of the file contain blended values, which no pixel of it has, although its values look like classes. They are not used: the COG has all pixels of the file, and overviews of its own, which show the most frequent class. Programs make such overviews with -co OVERVIEW_RESAMPLING=MODE or NEAREST (gdal_translate -of COG).'
      : 'The overviews of the file show other values than its pixels. They are not used: the COG has all pixels of the file, and overviews of its own.',
  noValues: () =>
    'No pixel of the raster has a value: all are nodata, so its map and its statistics are empty. Check the nodata value, or the tool that made the file.',
  complexValues: () =>
    'The values of the raster are complex numbers. It is kept as it is, but has neither a map nor statistics; save the amplitude or the phase as a band of numbers to see it.',
  scaleZero: (band: number, offset: number) =>
    `Band ${band} has the scale 0: whatever its pixels hold, each value is the offset, ${offset}. Set the right scale, for instance with "gdal_edit.py -scale 1 file.tif", and upload the file again.`,
  rpcsAlone: () =>
    'The raster is placed by RPCs (rational polynomial coefficients) alone, which need the height of the ground and are not applied here. Its bbox is in pixels. Orthorectify it, for instance with gdalwarp -rpc -to RPC_DEM=dem.tif, and upload the result.',
  imageWithPlace: (image: number) =>
    `The first image of the file has no georeference; image ${image}, which has one, was used. The others were not.`,
  otherImages: (images: number) =>
    `The file contains ${images === 1 ? 'one more image' : `${images} more images`} after the first; only the first was used.`,
  noGeotransform: () =>
    'The raster has no georeference: neither a geotransform nor control points that define one. Its bbox is in pixels.',
  fitted: (pixels: number) =>
    `The raster is placed by control points alone, which no regular grid passes through. The grid that fits them best was taken; it misses a control point by up to ${pixels === 1 ? 'one pixel' : `${pixels} pixels`}. If the position matters, warp the raster to a grid (gdalwarp, or the georeferencer of QGIS) and upload the result.`,
  noCrs: () => 'The raster has no coordinate reference system; its bbox is in its own coordinates.',
  crsContradicted: (code: string) =>
    `The file names the coordinate reference system ${code}, but its own parameters contradict it; the parameters were used. If the raster lies in the wrong place, assign the right system, and upload it again.`,
  crsUnknown: (code: string) =>
    `The file names the coordinate reference system ${code}, which the registry here does not have; its own parameters were used. If the raster lies in the wrong place, assign a system whose code is known, and upload it again.`,
  datumUnknown: () =>
    'The coordinate reference system of the raster names no known datum, so positions may be off by up to a few hundred metres. Assign the system that its coordinates are in, such as Pulkovo 1942, and upload it again.',
  notOnEarth: (crs: string) =>
    `The coordinate reference system of the raster (${crs}) cannot be transformed to longitude and latitude. The COG keeps it, but the raster has no bbox and no map, and areas, statistics by district and runs cannot use it. If it lies on the earth, assign a system that says where, and upload it again.`,
});

/** A value that may mean no data. */
export interface SuspectedNoData {
  readonly value: number;
  /** One-based; undefined for a raster of one band. */
  readonly band: number | undefined;
  readonly percent: number;
}

function namedSuspect({ value, band, percent }: SuspectedNoData): string {
  return `${value} in ${percent} % of the pixels${band === undefined ? '' : ` of band ${band}`}`;
}

function namedFact({ fact, bands }: LostFact): string {
  if (bands.length === 0) return fact;
  return `${fact} (${bands.length === 1 ? 'band' : 'bands'} ${listed(bands.map(String))})`;
}

const grouped = (count: number) => count.toLocaleString('en-US');
const damaged = 'it is damaged. Export it again and upload the new file.';
const cutShort = 'it is cut short or damaged. Export it again and upload the new file.';

/** Reasons to refuse a TIFF by its headers. */
export const tiffProblems = sentences('tiff', {
  loop: invalid(
    () => `The images of the file follow each other in a loop, so that it never ends: ${damaged}`,
  ),
  tooManyImages: invalid(
    (most: number) =>
      `The file contains more than ${most} images; at most that many can be read. Upload the one that you want as a file of its own.`,
  ),
  reference: invalid(
    () =>
      'By the metadata of the raster, its overviews lie in another file (OVERVIEW_FILE), which cannot be uploaded with it. Save the raster without this entry and upload it again.',
  ),
  tooManyTags: invalid(
    (kinds: number, entries: number) =>
      `The images of the file have more than ${kinds} kinds of tags or ${entries} tags in all, which no program writes: ${damaged}`,
  ),
  tagLargerThanFile: invalid(
    (tag: number, bytes: number) =>
      `By its header, the TIFF tag ${tag} of the file takes ${bytes} bytes, more than the file has: ${cutShort}`,
  ),
  tagTooLarge: invalid(
    (tag: number, bytes: number, most: number) =>
      `The TIFF tag ${tag} of the file takes ${bytes} bytes; at most ${most} can be read. Save the file without it.`,
  ),
  tagsLargerThanFile: invalid(
    (bytes: number) =>
      `By their headers, the TIFF tags of the images take ${bytes} bytes, more than the file has: ${damaged}`,
  ),
  blocksWithoutPlace: invalid(
    (expected: number, told: number) =>
      `By its size the raster has ${grouped(expected)} tiles or strips, but the file states the position of ${grouped(told)}: ${cutShort}`,
  ),
  noBand: invalid(() => 'The file contains no raster band; upload a GeoTIFF with at least one.'),
  tooManyBands: invalid(
    (bands: number, most: number) =>
      `The raster has ${bands} bands; at most ${most} can be processed. Split it into files of fewer bands.`,
  ),
  tooManyValues: invalid(
    ({ width, height, bands }: { width: number; height: number; bands: number }, most: number) =>
      `The raster has ${width} by ${height} pixels with ${bands} band(s), ${grouped(width * height * bands)} values in all; at most ${grouped(most)} can be processed. Cut it into parts.`,
  ),
  tooManyValuesTogether: invalid(
    (values: number, most: number) =>
      `The raster, its overviews and its masks have ${grouped(values)} pixel values together; at most ${grouped(most)} can be processed. Save it without overviews, or cut it into parts.`,
  ),
  largeBlocks: invalid(
    (raster: string, block: string, mebibytes: number, most: number) =>
      `The raster of ${raster} pixels is stored in blocks of ${block} pixels, ${grouped(mebibytes)} MiB each; at most ${most} MiB can be read at once. Save it with smaller tiles, such as 256 by 256 pixels.`,
  ),
});

/** Reasons of the geo engine to give up a file. */
export const engineProblems = sentences('engine', {
  overDeadline: invalid(
    (minutes: number) =>
      `The file took longer than the ${minutes} minutes allowed for processing; upload a smaller or simpler one.`,
  ),
  overProcessorTime: invalid(
    () =>
      'The file took more computing time than a file of its size may; upload a simpler one, or its parts one by one.',
  ),
  unpacksTooLarge: invalid(
    (maxGiB: number) =>
      `The unpacked content of the file is larger than the ${maxGiB} GiB allowed for a file of its size; upload it in parts.`,
  ),
  needsMemory: invalid(
    () =>
      'The file is damaged, or needs more memory than one file is given: check it, make it simpler or smaller, and upload it again.',
  ),
  longColumnNames: invalid(
    () =>
      'The names of the columns have more than a million characters together; shorten them, and upload the file again.',
  ),
});

/** Other warnings of GDAL; their text stays English. */
export const engineWarnings = sentences('engine_warning', {
  gdal: (text: string, times: number) =>
    times === 1 ? `GDAL also reports: ${text}` : `GDAL also reports (${times} times): ${text}`,
  more: (warnings: number) =>
    warnings === 1
      ? 'GDAL has one more warning, in other words.'
      : `GDAL has ${warnings} more warnings, in other words.`,
});

/** Reasons for the final failure of a job. */
export const jobFailures = sentences('job', {
  unstorableValue:
    'The file contains a value that cannot be stored, such as a number or a date out of range or a text that is far too long. Check its values, correct or remove the unusual ones, and upload it again.',
  engineDeath:
    'Reading this file ended the geodata engine three times in a row, so it was stopped. The file may be damaged, or need more memory than the engine may use: check it, make it simpler or smaller, and upload it again.',
  unexpected: (jobId: string) =>
    `Processing failed several times for a reason unrelated to the file. Try it again later; the operator of the service finds the reason in its log under ${jobId}.`,
  untold: 'The file cannot be processed; check it, and upload it again.',
});

/** The sentences of this folder that have translations, by the area that prefixes their codes. */
export const english = {
  engine: engineProblems,
  engine_warning: engineWarnings,
  job: jobFailures,
  raster: rasterProblems,
  raster_warning: rasterWarnings,
  tiff: tiffProblems,
};
