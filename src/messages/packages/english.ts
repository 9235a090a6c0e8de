import type { Message } from '../../lib/message.ts';
import { listed, quoted, readablePath } from '../../lib/readable.ts';
import { invalid, sentences } from '../base/define.ts';

const unusable = (why: string) => `The archive cannot be used: ${why} and upload it again.`;
const aboutFile = (name: string, what: string) => unusable(`"${readablePath(name)}" in it ${what}`);
const namesOf = (paths: readonly string[]) => listed(paths.map(readablePath));

/** Faults of an archive itself. */
export const archiveProblems = sentences('archive', {
  damaged: invalid(() => unusable('it is damaged or cut short. Pack its files again')),
  encrypted: invalid(() => unusable('it is encrypted. Pack it without a password')),
  tooManyFiles: invalid((most: number) =>
    unusable(`it contains more than ${most} files. Pack only the files of one layer`),
  ),
  tooLarge: invalid((mostGiB: number) =>
    unusable(
      `by its own list, its files are larger than ${mostGiB} GiB together. Pack fewer or smaller ones`,
    ),
  ),
  overlapping: invalid(() => unusable('files in it overlap. Pack it again')),
  encryptedFile: invalid((name: string) => aboutFile(name, 'is encrypted. Pack it without a password')),
  link: invalid((name: string) => aboutFile(name, 'is a symbolic link. Pack the file itself')),
  tooTight: invalid((name: string, most: number) =>
    aboutFile(name, `would grow more than ${most} times when unpacked. Pack real data`),
  ),
  largerThanSaid: invalid((name: string) =>
    aboutFile(name, 'is larger than its list of files states. Pack it again'),
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
      `The archive contains two files with the same name: ${readablePath(name)}. Pack it again with one of them, and upload it again.`,
  ),
  several: invalid(
    (what: string, names: readonly string[]) =>
      `The archive contains several ${what}: ${namesOf(names)}. Upload each layer in a .zip of its own.`,
  ),
  /** `seen` are the files that are not hidden. */
  noLayer: invalid(
    (seen: readonly string[], isEmpty: boolean, remedy: ContentsRemedy) =>
      `The archive contains ${seen.length > 0 ? `no .shp, .geojson or .gpkg file, only ${namesOf(seen)}` : isEmpty ? 'no files' : 'only hidden files'}. ${remedies[remedy]}`,
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
  exportModel:
    'That is a 3D model, such as 3D Tiles: export the outlines of its objects as GeoPackage or GeoJSON and upload that.',
  packShapefile:
    'Pack all files of one shapefile (.shp, .shx, .dbf, .prj) into the .zip and upload it again.',
  exportPictures:
    'Pictures and documents have no features: export the layer itself as GeoPackage or GeoJSON and upload that.',
  renameGeoJson:
    'If the .json file is GeoJSON, give it the extension .geojson and upload it; if it is another format, convert it with "ogr2ogr -f GeoJSON out.geojson in.json".',
  saveTable:
    'That is a table: choose the table itself on the page of this service, which reads .xlsx, .xls, .ods and .csv, or save it as GeoJSON, in QGIS with "Export > Save Features As…" as GeoJSON with geometry type "No Geometry", and upload that.',
  sendStyle:
    'That is a style or project: export the layer itself as GeoPackage or GeoJSON and upload that; an .sld can be the style of a dataset.',
  unpackInner: 'Unpack the archive inside it and upload that.',
  uploadRaster: 'Upload the .tif file itself, as a dataset of the file type raster.',
  saveWorkbook:
    'That is an Office document, such as .xlsx: choose it on the page of this service under its own extension, or save its table as GeoJSON, in QGIS with geometry type "No Geometry", and upload that.',
};
export type ContentsRemedy = keyof typeof remedies;

const damaged = (what: string) =>
  `The GeoPackage is damaged: ${what}. Export it again from its source and upload it again.`;

/** `remedy` is an imperative, such as `Delete it`. */
const refused = (why: string, remedy: string) =>
  `The GeoPackage cannot be used: ${why}. ${remedy} and upload it again.`;

const saveLayer = 'Save the layer that you need to a new GeoPackage';

/** Faults of an SQLite file itself. */
export const sqliteProblems = sentences('sqlite', {
  brokenTable: invalid((table: string) =>
    damaged(`the pages of its table ${quoted(table)} do not fit together, or it is cut short`),
  ),
  brokenSchema: invalid(() => damaged('its list of tables cannot be read, or it is cut short')),
  tooManyColumns: invalid(() =>
    refused('one of its tables has more than 2,000 columns', 'Leave out the columns that you do not need'),
  ),
});

/** Faults of the tables and views that a GeoPackage defines. `kind` is table, view, index or trigger. */
export const schemaProblems = sentences('schema', {
  tooManyTables: invalid((most: number) =>
    refused(`it has more than ${most.toLocaleString('en')} tables and views`, saveLayer),
  ),
  longName: invalid((kind: string, name: string, most: number) =>
    refused(`the name of the ${kind} ${quoted(name)} is longer than ${most} letters`, 'Shorten it'),
  ),
  loadsPrograms: invalid((kind: string, name: string) =>
    refused(`its ${kind} ${quoted(name)} mentions load_extension, which loads programs`, 'Delete it'),
  ),
  virtualTable: invalid((name: string) =>
    refused(
      `${quoted(name)} is a virtual table, whose content a program makes up, and not a spatial index`,
      'Save it as an ordinary table or delete it',
    ),
  ),
  wrongDefinition: invalid((kind: string, name: string) =>
    damaged(`the definition of its ${kind} ${quoted(name)} is wrong`),
  ),
  viewInIndex: invalid((name: string) =>
    damaged(`its view ${quoted(name)} stands where a spatial index keeps its table`),
  ),
  manyContents: invalid((most: number) =>
    refused(`its table gpkg_contents has more than ${most.toLocaleString('en')} rows`, saveLayer),
  ),
  longReferenceSystem: invalid((mostMiB: number) =>
    refused(
      `one of its coordinate reference systems is defined by more than ${mostMiB} MiB of text`,
      'Assign one by its EPSG number to the layer',
    ),
  ),
  forbidden: invalid((kind: string, name: string, why: Message) =>
    refused(
      `its ${kind} ${quoted(name)} ${why.english}`,
      `Save its content as an ordinary table, delete the ${kind}`,
    ),
  ),
});

/** Reasons not to read a table or view; each continues a sentence that begins with its name. */
export const readingObjections = sentences('reading', {
  callsFunction: (name: string) =>
    `calls the function ${name.replaceAll(/[^\w$]/g, '?').slice(0, 60)}(), which may do anything`,
  callsManyFunctions: 'calls too many functions',
  builtOnMany: 'is built on too many others',
  recursive: 'is recursive and may never end',
  readsNoTable: (name: string) => `reads ${name}, which is not a table of the file`,
});

const closeProgram = 'Close the program that has it open (it then writes everything into the GeoPackage)';

const unregistered = 'not registered in gpkg_contents or cannot be read';

/** Faults of the layers of a GeoPackage. */
export const geopackageProblems = sentences('geopackage', {
  unreadable: invalid(
    () =>
      'The GeoPackage cannot be read: it is damaged, cut short or not a GeoPackage. Export it again from its source and upload it again.',
  ),
  allInLog: invalid(
    () =>
      `The GeoPackage has no tables yet: what was saved is still in its log, the file beside it whose name ends in -wal. ${closeProgram}, or pack both files into one .zip, and upload it again.`,
  ),
  halfWritten: invalid(
    (journal: string) =>
      `The archive contains ${readablePath(journal)}: a program was writing the GeoPackage when it was packed, so it may be half written. ${closeProgram}, pack the GeoPackage again and upload it.`,
  ),
  onlyViews: invalid(
    (view: string) =>
      `The GeoPackage has no layer but the view ${quoted(view)}, which is ${unregistered}. Save its content as an ordinary layer and upload it again.`,
  ),
  onlyRasters: invalid(
    () =>
      'The GeoPackage has rasters but no vector layer. Upload the raster as a GeoTIFF (.tif), or a GeoPackage with features.',
  ),
});

export const geopackageRemedies = sentences('geopackage_remedy', {
  noReferenceSystem:
    'the GeoPackage does not state their coordinate reference system; assign it to the layer',
});

export const geopackageWarnings = sentences('geopackage_warning', {
  /** `views` are the omitted layers that are not registered, or fail. */
  layersLeftOut(taken: string, leftOut: readonly string[], views: readonly string[]): string {
    const are = views.length === 1 ? 'is a view that is' : 'are views that are';
    const why = views.length === 0 ? '' : ` Of these, ${listed(views)} ${are} ${unregistered}.`;
    return `The file has several layers. The first one with features was taken, ${taken}; left out were ${listed([...leftOut, ...views])}.${why}`;
  },
  geometryLeftOut: (columns: readonly string[]) =>
    columns.length === 1
      ? `The column ${listed(columns)} contains further geometry and was left out.`
      : `The columns ${listed(columns)} contain further geometry and were left out.`,
  logNotUsed: (log: string) =>
    `The log ${readablePath(log)} in the archive contains no saved edits of the GeoPackage beside it, which was read without it. If edits are missing, close the program that has it open and pack it again.`,
});

/** The sentences of this folder that have translations, by the area that prefixes their codes. */
export const english = {
  archive: archiveProblems,
  archive_contents: contentsProblems,
  geopackage: geopackageProblems,
  geopackage_remedy: geopackageRemedies,
  geopackage_warning: geopackageWarnings,
  reading: readingObjections,
  schema: schemaProblems,
  sqlite: sqliteProblems,
};
