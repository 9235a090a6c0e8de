import { problem, sentences } from './define.ts';
import type { Message } from '../lib/message.ts';

/** Faults of the file of an upload. */
export const fileFaults = sentences('file_fault', {
  nameless: 'must have a file name',
  empty: 'is empty',
  /** `found` is one of `contents`; undefined for unknown bytes. */
  wrongContent: (extension: string, found: Message | undefined, remedy: Message) =>
    `is not a ${extension} file by its first bytes${found === undefined ? '' : `: it is ${found.english}`}; ${remedy.english}`,
  wrongExtension: (allowed: readonly string[], advice: Message | undefined) =>
    `must have one of the extensions ${allowed.join(', ')}${advice === undefined ? '' : `: ${advice.english}`}`,
});

/** Faults of the text of `meta`. */
export const metaFaults = sentences('meta', {
  syntax: 'must be a JSON object',
  depth: (levels: number) => `must not be nested deeper than ${levels}`,
});

export const uploadProblems = sentences('upload', {
  fileGone: problem(
    'unavailable',
    () => 'The uploaded file is no longer in the object store; upload it again.',
  ),
});

/** Advice for a file of another format. */
export const advice = sentences('advice', {
  packShapefile: 'put the .shp together with its .shx, .dbf and .prj into one .zip, and upload that',
  saveTable:
    'save the table as GeoJSON, in QGIS with "Export > Save Features As…" as GeoJSON with geometry type "No Geometry"',
  exportVector: 'export it as GeoJSON or GeoPackage, in QGIS with "Export > Save Features As…"',
  renameGeoJson: 'give it the extension .geojson if it is GeoJSON',
  packZip: 'pack it as .zip',
  sendAsRaster: 'it is a raster: send it with the file_type raster',
  convertRaster: 'convert it to GeoTIFF, in QGIS with "Export > Save As…" or with gdal_translate',
  unpackRaster: 'unpack it and upload the .tif in it',
});

/** Describes what to do with a file that a vector cannot be made of; undefined for an unknown extension. */
export const vectorAdvice = adviceByExtension({
  '.shp .shx .dbf .prj .cpg .sbn .sbx .qix': advice.packShapefile,
  '.csv .tsv .xls .xlsx .ods': advice.saveTable,
  '.kml .kmz .gpx .gml .dxf .dgn .tab .mif .fgb .parquet .sqlite .gdb .topojson': advice.exportVector,
  '.json': advice.renameGeoJson,
  '.rar .7z .tar .gz .tgz': advice.packZip,
  '.tif .tiff': advice.sendAsRaster,
});

/** Describes what to do with a file that a raster cannot be made of; undefined for an unknown extension. */
export const rasterAdvice = adviceByExtension({
  '.img .jp2 .vrt .asc .hgt .nc .hdf .h5 .grd .bil .ecw .sid .png .jpg .jpeg': advice.convertRaster,
  '.zip .rar .7z .tar .gz .tgz': advice.unpackRaster,
});

function adviceByExtension(byExtensions: Readonly<Record<string, Message>>) {
  const entries = Object.entries(byExtensions);
  return (extension: string): Message | undefined =>
    entries.find(([extensions]) => extensions.split(' ').includes(extension))?.[1];
}
