import type { GeoTIFFImage } from 'geotiff';
import type { Rgba } from '../../../src/maps/style/colour-map.ts';

/** True of an image that says which pixels of another are valid. */
export function isMask(image: GeoTIFFImage): boolean {
  return ((image.fileDirectory.getValue('NewSubfileType') ?? 0) & 4) === 4;
}

/** The colour table of an image, by value; TIFF has 16 bits for each part. */
export async function paletteOf(image: GeoTIFFImage): Promise<readonly Rgba[] | undefined> {
  const table = await image.fileDirectory.loadValue('ColorMap');
  if (table === undefined) return undefined;
  const parts = Array.from(table, (part) => part >> 8);
  const count = parts.length / 3;
  return Array.from({ length: count }, (_, index) => [
    parts[index] ?? 0,
    parts[count + index] ?? 0,
    parts[2 * count + index] ?? 0,
    255,
  ]);
}

/** The text of a tag up to its first 0; undefined where there is no such tag. */
export async function textOf(
  image: GeoTIFFImage,
  tag: 'GDAL_NODATA' | 'GDAL_METADATA',
): Promise<string | undefined> {
  if (!image.fileDirectory.hasTag(tag)) return undefined;
  const text: unknown = await image.fileDirectory.loadValue(tag);
  return String(text).replace(/\0.*$/s, '');
}
