import type { FileType } from '../../database/tables.ts';
import { extensionsByFileType } from '../original/content-kind.ts';
import { extensionOf } from '../original/file-name.ts';

const shapefile = 'put the .shp together with its .shx, .dbf and .prj into one .zip, and upload that';
const table =
  'save the table as GeoJSON, in QGIS with "Export > Save Features As…" as GeoJSON with geometry type "No Geometry"';
const otherVector = 'export it as GeoJSON or GeoPackage, in QGIS with "Export > Save Features As…"';
const otherRaster = 'convert it to GeoTIFF, in QGIS with "Export > Save As…" or with gdal_translate';

const vectorHints = hintsOf([
  ['.shp .shx .dbf .prj .cpg .sbn .sbx .qix', shapefile],
  ['.csv .tsv .xls .xlsx .ods', table],
  ['.kml .kmz .gpx .gml .dxf .dgn .tab .mif .fgb .parquet .sqlite .gdb .topojson', otherVector],
  ['.json', 'give it the extension .geojson if it is GeoJSON'],
  ['.rar .7z .tar .gz .tgz', 'pack it as .zip'],
]);
const rasterHints = hintsOf([
  ['.img .jp2 .vrt .asc .hgt .nc .hdf .h5 .grd .bil .ecw .sid .png .jpg .jpeg', otherRaster],
  ['.zip .rar .7z .tar .gz .tgz', 'unpack it and upload the .tif in it'],
]);

function hintsOf(entries: readonly (readonly [extensions: string, hint: string])[]) {
  return new Map(
    entries.flatMap(([extensions, hint]) => extensions.split(' ').map((each) => [each, hint] as const)),
  );
}

/**
 * What is wrong with the extension of a file, and what to do with a file of that kind; undefined when nothing is. Without
 * a file type, because that is wrong itself, the extensions of all are allowed.
 */
export function findExtensionFault(filename: string, fileType: FileType | undefined): string | undefined {
  const extension = extensionOf(filename);
  const allowed =
    fileType === undefined
      ? [...new Set(Object.values(extensionsByFileType).flat())]
      : extensionsByFileType[fileType];
  if (allowed.includes(extension)) return undefined;
  const hint = hintFor(extension, fileType);
  return `must have one of the extensions ${allowed.join(', ')}${hint === undefined ? '' : `: ${hint}`}`;
}

function hintFor(extension: string, fileType: FileType | undefined): string | undefined {
  if (fileType === undefined) return vectorHints.get(extension) ?? rasterHints.get(extension);
  if (fileType === 'raster') return rasterHints.get(extension);
  if (extensionsByFileType.raster.includes(extension))
    return `files with ${extension} have the file_type raster`;
  return vectorHints.get(extension);
}
