import { contentRemedies, contents } from '../../messages/contents/english.ts';
import { advice } from '../../messages/request/english.ts';
import type { ContentKind } from './content-kind.ts';
import type { ForeignContent } from './foreign-content.ts';
import type { Message } from '../../lib/message.ts';

/** Purpose of an upload, on which a remedy depends. */
type Purpose = 'vector' | 'raster';
type Remedies = Readonly<Record<Purpose, Message>>;

const both = (remedy: Message): Remedies => ({ vector: remedy, raster: remedy });
const picture = { vector: contentRemedies.pictureForVector, raster: advice.convertRaster };
const grid = { vector: contentRemedies.rasterForVector, raster: advice.convertRaster };
const packed = { vector: contentRemedies.unpack, raster: advice.unpackRaster };
const table = { vector: advice.saveTable, raster: contentRemedies.vectorForRaster };
const features = { vector: advice.exportVector, raster: contentRemedies.vectorForRaster };
const part = { vector: advice.packShapefile, raster: contentRemedies.vectorForRaster };
const layer = both(contentRemedies.exportLayer);
const json = { vector: contentRemedies.bareJson, raster: contentRemedies.vectorForRaster };
const style = both(contentRemedies.sendAsStyle);
const page = both(contentRemedies.downloadAgain);
const text = both(contentRemedies.saveUtf8);
const again = both(contentRemedies.exportAgain);

const remedies: Readonly<Record<ForeignContent, Remedies>> = {
  arrow: features,
  asciiGrid: grid,
  blank: again,
  bmp: picture,
  bzip2: packed,
  commentedJson: json,
  csv: table,
  dbf: part,
  docx: layer,
  dwg: features,
  dxf: features,
  e00: features,
  flatGeobuf: features,
  geodatabase: features,
  geopackage: { vector: contentRemedies.renameGeoPackage, raster: contentRemedies.vectorForRaster },
  gif: picture,
  gml: features,
  gpx: features,
  grib: grid,
  gzip: packed,
  hdf4: grid,
  hdf5: grid,
  html: page,
  img: grid,
  javaScript: json,
  jpeg: picture,
  jpeg2000: picture,
  json: { vector: advice.renameGeoJson, raster: contentRemedies.vectorForRaster },
  jsonList: { vector: contentRemedies.makeCollection, raster: contentRemedies.vectorForRaster },
  kml: features,
  kmz: features,
  las: both(contentRemedies.convertPoints),
  lfsPointer: both(contentRemedies.fetchLfs),
  mbTiles: features,
  mif: features,
  netcdf: grid,
  ods: table,
  ole: table,
  osm: features,
  parquet: features,
  pdf: layer,
  pmTiles: features,
  png: picture,
  qgis: layer,
  rar: packed,
  sequence: { vector: contentRemedies.makeCollection, raster: contentRemedies.vectorForRaster },
  serviceError: page,
  sevenZip: packed,
  shp: part,
  sld: style,
  sqlite: { vector: contentRemedies.renameGeoPackage, raster: contentRemedies.vectorForRaster },
  surfer: grid,
  tab: features,
  tar: packed,
  text: again,
  tiff: { vector: contentRemedies.tiffForVector, raster: contentRemedies.exportAgain },
  utf16: text,
  utf32: text,
  vrt: grid,
  webp: picture,
  wkt: features,
  xlsx: table,
  xml: features,
  xz: packed,
  zip: { vector: contentRemedies.renameZip, raster: advice.unpackRaster },
  zstd: packed,
};

/** Names the content of a file of another kind than promised, and the remedy. */
export function namesOfContent(
  found: ForeignContent | undefined,
  promised: ContentKind,
): { readonly found: Message | undefined; readonly remedy: Message } {
  const purpose = promised === 'tiff' ? 'raster' : 'vector';
  if (found === undefined) return { found: undefined, remedy: contentRemedies.exportAgain };
  return { found: contents[found], remedy: remedies[found][purpose] };
}
