import { Problem } from '../../../common/errors.ts';
import type { Directory, TiffFile } from './walk.ts';

/** GDAL's own metadata, as XML. */
const gdalMetadata = 42_112;
/** By this name GDAL opens another file, or an address in the network, as the overviews of this one. */
const referenceName = /OVERVIEW_FILE/i;

/** @throws {Problem} when the metadata of an image lead GDAL to another file; no raster that stands alone needs that. */
export async function refuseReferences(tiff: TiffFile, { entries }: Directory): Promise<void> {
  const entry = entries.get(gdalMetadata);
  if (entry === undefined) return;
  const bytes = await tiff.read(entry.at, entry.count * entry.size);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (!referenceName.test(withoutEscapes(text))) return;
  throw new Problem(
    'invalid',
    'The metadata of the raster say that its overviews lie in another file (OVERVIEW_FILE), which can not come with it. Save the raster without this entry and upload it again.',
  );
}

/** XML has a second way to write any character: by its number. */
function withoutEscapes(xml: string): string {
  return xml.replaceAll(/&#(?:x([0-9a-f]{1,8})|(\d{1,10}));?/gi, (_, hex: string, decimal: string) =>
    String.fromCharCode(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
  );
}
