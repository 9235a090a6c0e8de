import { problem } from './define.ts';

/** Faults of the file of an upload. */
export const fileFaults = {
  nameless: 'must have a file name',
  empty: 'is empty',
  wrongContent: (extension: string) => `is not a ${extension} file by its first bytes`,
  wrongExtension: (allowed: readonly string[], advice: string | undefined) =>
    `must have one of the extensions ${allowed.join(', ')}${advice === undefined ? '' : `: ${advice}`}`,
};

/** Faults of the text of `meta`. */
export const metaFaults = {
  syntax: 'must be a JSON object',
  depth: (levels: number) => `must not be nested deeper than ${levels}`,
};

export const uploadProblems = {
  fileGone: problem(
    'unavailable',
    () => 'The uploaded file is no longer in the object store; upload it again.',
  ),
};

/** Says what to do with a file that a vector cannot be made of; undefined for an extension that nobody knows. */
export const vectorAdvice = adviceByExtension({
  '.shp .shx .dbf .prj .cpg .sbn .sbx .qix':
    'put the .shp together with its .shx, .dbf and .prj into one .zip, and upload that',
  '.csv .tsv .xls .xlsx .ods':
    'save the table as GeoJSON, in QGIS with "Export > Save Features As…" as GeoJSON with geometry type "No Geometry"',
  '.kml .kmz .gpx .gml .dxf .dgn .tab .mif .fgb .parquet .sqlite .gdb .topojson':
    'export it as GeoJSON or GeoPackage, in QGIS with "Export > Save Features As…"',
  '.json': 'give it the extension .geojson if it is GeoJSON',
  '.rar .7z .tar .gz .tgz': 'pack it as .zip',
  '.tif .tiff': 'it is a raster: send it with the file_type raster',
});

/** Says what to do with a file that a raster cannot be made of; undefined for an extension that nobody knows. */
export const rasterAdvice = adviceByExtension({
  '.img .jp2 .vrt .asc .hgt .nc .hdf .h5 .grd .bil .ecw .sid .png .jpg .jpeg':
    'convert it to GeoTIFF, in QGIS with "Export > Save As…" or with gdal_translate',
  '.zip .rar .7z .tar .gz .tgz': 'unpack it and upload the .tif in it',
});

function adviceByExtension(advice: Readonly<Record<string, string>>) {
  const entries = Object.entries(advice);
  return (extension: string): string | undefined =>
    entries.find(([extensions]) => extensions.split(' ').includes(extension))?.[1];
}
