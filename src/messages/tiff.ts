import { invalid, sentences } from './define.ts';

const grouped = (count: number) => count.toLocaleString('en-US');
const damaged = 'it is damaged. Export it again and upload the new file.';
const cutShort = 'it is cut short or damaged. Export it again and upload the new file.';

/** Reasons why a TIFF is refused by its headers. */
export const tiffProblems = sentences('tiff', {
  loop: invalid(
    () => `The images of the file follow each other in a loop, so that it never ends: ${damaged}`,
  ),
  tooManyImages: invalid(
    (most: number) =>
      `The file holds more than ${most} images; at most that many can be read. Upload the one that you want as a file of its own.`,
  ),
  reference: invalid(
    () =>
      'The metadata of the raster say that its overviews lie in another file (OVERVIEW_FILE), which cannot come with it. Save the raster without this entry and upload it again.',
  ),
  tooManyTags: invalid(
    (kinds: number, entries: number) =>
      `The images of the file have more than ${kinds} kinds of tags or ${entries} tags in all, which no program writes: ${damaged}`,
  ),
  tagLargerThanFile: invalid(
    (tag: number, bytes: number) =>
      `The file says that its TIFF tag ${tag} takes ${bytes} bytes, more than it has: ${cutShort}`,
  ),
  tagTooLarge: invalid(
    (tag: number, bytes: number, most: number) =>
      `The TIFF tag ${tag} of the file takes ${bytes} bytes; at most ${most} can be read. Save the file without it.`,
  ),
  tagsLargerThanFile: invalid(
    (bytes: number) =>
      `The images of the file say that their TIFF tags take ${bytes} bytes, more than it has: ${damaged}`,
  ),
  blocksWithoutPlace: invalid(
    (expected: number, told: number) =>
      `By its size the raster has ${grouped(expected)} tiles or strips, but the file tells the place of ${grouped(told)}: ${cutShort}`,
  ),
  noBand: invalid(() => 'The file holds no raster band; upload a GeoTIFF with at least one.'),
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
