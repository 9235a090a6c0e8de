import { listed, quoted, readablePath } from '../lib/readable.ts';
import { invalid, sentences } from './define.ts';
import type { Message } from '../lib/message.ts';

const damaged = (what: string) =>
  `The GeoPackage is damaged: ${what}. Export it again from its source and upload it again.`;

/** `remedy` is an imperative, such as `Delete it`. */
const refused = (why: string, remedy: string) =>
  `The GeoPackage cannot be used: ${why}. ${remedy} and upload it again.`;

const saveLayer = 'Save the layer that you need to a new GeoPackage';

/** Faults of an SQLite file as such. */
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
      `Save what it shows as an ordinary table, delete the ${kind}`,
    ),
  ),
});

/** Why a table or view must not be read; continues a sentence that begins with its name. */
export const readingObjections = sentences('reading', {
  callsFunction: (name: string) =>
    `calls the function ${name.replaceAll(/[^\w$]/g, '?').slice(0, 60)}(), which may do anything`,
  callsManyFunctions: 'calls too many functions',
  builtOnMany: 'is built on too many others',
  recursive: 'is recursive, so that it may never end',
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
      `The archive holds ${readablePath(journal)}: a program was writing the GeoPackage when it was packed, so that it may be half written. ${closeProgram}, pack the GeoPackage again and upload it.`,
  ),
  onlyViews: invalid(
    (view: string) =>
      `The GeoPackage has no layer but the view ${quoted(view)}, which is ${unregistered}. Save what it shows as an ordinary layer and upload it again.`,
  ),
  onlyRasters: invalid(
    () =>
      'The GeoPackage has rasters but no vector layer. Upload the raster as a GeoTIFF (.tif), or a GeoPackage with features.',
  ),
});

export const geopackageRemedies = sentences('geopackage_remedy', {
  noReferenceSystem:
    'the GeoPackage does not say in which coordinate reference system they are; assign it to the layer',
});

export const geopackageWarnings = sentences('geopackage_warning', {
  /** `views` are those among the layers left out that are not registered, or do not work. */
  layersLeftOut(taken: string, leftOut: readonly string[], views: readonly string[]): string {
    const are = views.length === 1 ? 'is a view that is' : 'are views that are';
    const why = views.length === 0 ? '' : ` Of these, ${listed(views)} ${are} ${unregistered}.`;
    return `The file has several layers. The first one with features was taken, ${taken}; left out were ${listed([...leftOut, ...views])}.${why}`;
  },
  geometryLeftOut: (columns: readonly string[]) =>
    columns.length === 1
      ? `The column ${listed(columns)} holds further geometry and was left out.`
      : `The columns ${listed(columns)} hold further geometry and were left out.`,
  logNotUsed: (log: string) =>
    `The log ${readablePath(log)} in the archive holds no saved edits of the GeoPackage beside it, which was read without it. If edits are missing, close the program that has it open and pack it again.`,
});
