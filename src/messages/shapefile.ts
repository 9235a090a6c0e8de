import { listed } from '../lib/readable.ts';
import { invalid, sentences } from './define.ts';

const damaged = (why: string) =>
  `The shapefile in the archive is damaged: ${why}. Export it again from its source and upload it again.`;

/** Who says in which encoding the texts of a shapefile are. */
type StatedBy = 'cpg' | 'cst' | 'dbf';

const stated: Readonly<Record<StatedBy, string>> = {
  cpg: 'The .cpg file',
  cst: 'The .cst file',
  dbf: 'The language byte of the .dbf file',
};

export const shapefileProblems = sentences('shapefile', {
  brokenShapes: invalid(() => damaged('its .shp file cannot be read')),
  brokenTable: invalid(() => damaged('its .dbf file cannot be read')),
  tableOfDBase7: invalid(
    () =>
      'The .dbf file of the shapefile is in the format of dBase 7, which is not read here. Save the table as dBase IV or dBase III and upload it again.',
  ),
  differentCounts: invalid((rows: number, shapes: number) =>
    damaged(`its .dbf file has ${rows} rows, its .shp file ${shapes} shapes`),
  ),
});

export const shapefileRemedies = sentences('shapefile_remedy', {
  wrongPrj:
    'its .prj file names no coordinate reference system that is understood here; put the right one into the archive',
  noPrj: 'the archive has no .prj file that says in which coordinate reference system they are; add it',
});

export const shapefileWarnings = sentences('shapefile_warning', {
  encodingGuessed: (charset: string) =>
    `Nothing says in which encoding the texts are; by their letters they were read as ${charset}. Add a .cpg file to the archive to be sure.`,
  encodingUnknown: (from: StatedBy, charset: string) =>
    `${stated[from]} names no encoding that is known here; by their letters the texts were read as ${charset}. Correct it to be sure.`,
  encodingOverruled: (from: StatedBy, said: string, charset: string) =>
    `${stated[from]} says that the texts are in ${said}, but their bytes do not fit that; they were read as ${charset}. Correct it if the letters are right.`,
  columnsLeftOut: (names: readonly string[]) =>
    `These columns of the .dbf file were left out, because their cells are not stored as text, numbers or dates: ${listed(names)}. Copy them to columns of text to keep them.`,
  datesImpossible: (column: string, cells: number) =>
    `${cells === 1 ? 'One cell' : `${cells} cells`} of the date column ${column} ${cells === 1 ? 'holds no date' : 'hold no dates'} of the calendar; ${cells === 1 ? 'it was' : 'they were'} kept as text.`,
  rowsWithoutShape: (rows: number) =>
    `The .dbf file has ${rows === 1 ? 'one more row' : `${rows} more rows`} than there are shapes; ${rows === 1 ? 'it was' : 'they were'} kept as features without geometry.`,
  namesTruncated: (names: readonly string[]) =>
    `A .dbf file holds only ten bytes of a column's name. These names were mended: ${listed(names)}.`,
});
