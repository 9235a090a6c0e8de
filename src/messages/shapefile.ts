import { listed } from '../common/readable.ts';
import { invalid, sentences } from './define.ts';

const damaged = (why: string) =>
  `The shapefile in the archive is damaged: ${why}. Export it again from its source and upload it again.`;

export const shapefileProblems = sentences('shapefile', {
  brokenShapes: invalid(() => damaged('its .shp file cannot be read')),
  brokenTable: invalid(() => damaged('its .dbf file cannot be read')),
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
  rowsWithoutShape: (rows: number) =>
    `The .dbf file has ${rows === 1 ? 'one more row' : `${rows} more rows`} than there are shapes; ${rows === 1 ? 'it was' : 'they were'} kept as features without geometry.`,
  namesTruncated: (names: readonly string[]) =>
    `A .dbf file holds only ten bytes of a column's name. These names were mended: ${listed(names)}.`,
});
