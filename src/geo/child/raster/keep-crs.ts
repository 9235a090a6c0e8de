import { open, rename } from 'node:fs/promises';
import gdal from 'gdal-async';
import { copyWithTags } from '../../formats/tiff/join-tiles.ts';
import { readTags } from '../../formats/tiff/layout.ts';
import { openTiff, readDirectory } from '../../formats/tiff/walk.ts';
import { readGeoreference } from './georeference.ts';

/** GeoKeyDirectory, GeoDoubleParams and GeoAsciiParams: a GeoTIFF's coordinate reference system. */
const geoKeys: readonly number[] = [34_735, 34_736, 34_737];

/**
 * Gives a COG that has lost the coordinate reference system of its source the same, key by key: GDAL 3.6 writes none that
 * WKT 1 has no words for, such as Equal Earth.
 */
export async function keepCrs(sourcePath: string, cogPath: string): Promise<void> {
  const cog = await gdal.openAsync(cogPath, 'r', ['GTiff']);
  const { nativeWkt } = readGeoreference(cog);
  cog.close();
  if (nativeWkt !== undefined) return;
  await using source = await open(sourcePath);
  const tiff = await openTiff(source);
  const tags = await readTags(tiff, await readDirectory(tiff, tiff.firstDirectory));
  const complete = `${cogPath}.complete`;
  await copyWithTags(
    cogPath,
    complete,
    tags.filter(({ number }) => geoKeys.includes(number)),
  );
  await rename(complete, cogPath);
}
