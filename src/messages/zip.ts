import { listed, readablePath } from '../lib/readable.ts';
import { invalid, sentences } from './define.ts';

const unusable = (why: string) => `The archive cannot be used: ${why} and upload it again.`;
const aboutFile = (name: string, what: string) => unusable(`"${readablePath(name)}" in it ${what}`);
const namesOf = (paths: readonly string[]) => listed(paths.map(readablePath));

/** Faults of an archive as such. */
export const archiveProblems = sentences('archive', {
  damaged: invalid(() => unusable('it is damaged or cut short. Pack its files again')),
  encrypted: invalid(() => unusable('it is encrypted. Pack it without a password')),
  tooManyFiles: invalid((most: number) =>
    unusable(`it holds more than ${most} files. Pack only the files of one layer`),
  ),
  tooLarge: invalid((mostGiB: number) =>
    unusable(`it says that its files are larger than ${mostGiB} GiB together. Pack fewer or smaller ones`),
  ),
  overlapping: invalid(() => unusable('files in it overlap. Pack it again')),
  encryptedFile: invalid((name: string) => aboutFile(name, 'is encrypted. Pack it without a password')),
  link: invalid((name: string) => aboutFile(name, 'is a symbolic link. Pack the file itself')),
  tooTight: invalid((name: string, most: number) =>
    aboutFile(name, `would grow more than ${most} times when unpacked. Pack real data`),
  ),
  largerThanSaid: invalid((name: string) =>
    aboutFile(name, 'is larger than its list of files says. Pack it again'),
  ),
  unknownMethod: invalid((name: string, method: string) =>
    aboutFile(
      name,
      `is packed by the method ${method}, which is not read here. Pack it by Deflate, the usual method of .zip files,`,
    ),
  ),
});

/** Faults of the layers in an archive. */
export const contentsProblems = sentences('archive_contents', {
  twins: invalid(
    (name: string) =>
      `The archive holds two files with the same name: ${readablePath(name)}. Pack it again with one of them, and upload it again.`,
  ),
  several: invalid(
    (what: string, names: readonly string[]) =>
      `The archive holds several ${what}: ${namesOf(names)}. Upload each layer in a .zip of its own.`,
  ),
  /** `seen` are the files that are not hidden. */
  noLayer: invalid(
    (seen: readonly string[], isEmpty: boolean, remedy: ContentsRemedy) =>
      `The archive holds ${seen.length > 0 ? `no .shp, .geojson or .gpkg file, only ${namesOf(seen)}` : isEmpty ? 'no files' : 'only hidden files'}. ${remedies[remedy]}`,
  ),
  oversizedPrj: invalid(
    (mostMiB: number) =>
      `The .prj file in the archive is larger than ${mostMiB} MiB, which no coordinate reference system is. Put the right one into the archive and upload it again.`,
  ),
});

const remedies = {
  addShp:
    'These are parts of a shapefile whose main part, the .shp file, is missing. Put it with them into the .zip and upload it again.',
  convertRaster:
    'That is a raster: convert it to GeoTIFF and upload the .tif, as a dataset of the file type raster.',
  exportDrawing:
    'That is a drawing: open it in QGIS, check its coordinate reference system, export the layer as GeoPackage and upload that.',
  exportGeodatabase:
    'That is an Esri geodatabase: open it in QGIS or ArcGIS, export the layer as GeoPackage (or with "ogr2ogr out.gpkg in.gdb LAYER") and upload that.',
  exportGml:
    'That is vector data in another format: open it in QGIS, export the layer as GeoPackage or GeoJSON and upload that.',
  exportKml:
    'That is KML: open it in QGIS, export the layer as GeoPackage (or with "ogr2ogr out.gpkg in.kml") and upload that.',
  exportLayer: 'Open it in QGIS, export the layer as GeoPackage and upload that.',
  exportMapInfo:
    'That is a MapInfo table: open it in QGIS, export the layer as GeoPackage (or with "ogr2ogr out.gpkg in.tab") and upload that.',
  packShapefile:
    'Pack all files of one shapefile (.shp, .shx, .dbf, .prj) into the .zip and upload it again.',
  exportPictures:
    'Pictures and documents have no features: export the layer itself as GeoPackage or GeoJSON and upload that.',
  renameGeoJson:
    'If the .json file is GeoJSON, give it the extension .geojson and upload it; if it is another format, convert it with "ogr2ogr -f GeoJSON out.geojson in.json".',
  saveTable:
    'That is a table: save it as GeoJSON, in QGIS with "Export > Save Features As…" as GeoJSON with geometry type "No Geometry", and upload that.',
  sendStyle:
    'That is a style or project: export the layer itself as GeoPackage or GeoJSON and upload that; an .sld can be the style of a dataset.',
  unpackInner: 'Unpack the archive inside it and upload that.',
  uploadRaster: 'Upload the .tif file itself, as a dataset of the file type raster.',
  saveWorkbook:
    'That is an Office document, such as .xlsx: save its table as GeoJSON, in QGIS with geometry type "No Geometry", and upload that.',
};
export type ContentsRemedy = keyof typeof remedies;
