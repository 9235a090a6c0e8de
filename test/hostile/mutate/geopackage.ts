import { makeOdd, type Mutation, type NumberPlace, overwrite, writeNumber } from './mutation.ts';
import { geometryPlaces } from './geopackage-geometry.ts';

const headerFields = [
  [16, 2],
  [18, 1],
  [19, 1],
  [20, 1],
  [21, 1],
  [22, 1],
  [23, 1],
  [24, 4],
  [28, 4],
  [32, 4],
  [36, 4],
  [40, 4],
  [44, 4],
  [52, 4],
  [56, 4],
  [60, 4],
  [64, 4],
  [68, 4],
  [92, 4],
  [96, 4],
] as const;
const pageFields = [
  [1, 2],
  [3, 2],
  [5, 2],
  [7, 1],
  [8, 4],
] as const;
/** The kinds of b-tree pages: interior and leaf, of indexes and of tables. */
const pageKinds = [2, 5, 10, 13] as const;
const fileHeaderBytes = 100;

/** Words of schemas and of GeoPackage's own tables, each with one of the same length. */
const words = [
  ['CREATE TABLE', 'CREATE VIEW '],
  ['CREATE TABLE', 'DROP   TABLE'],
  ['CREATE TRIGGER', 'CREATE TABLE  '],
  ['CREATE VIRTUAL TABLE', 'CREATE         TABLE'],
  ['rtree', 'fts5 '],
  ['PRIMARY KEY', 'UNIQUE     '],
  ['AUTOINCREMENT', 'WITHOUT ROWID'],
  ['INTEGER', 'BLOB   '],
  ['TEXT', 'REAL'],
  ['NOT NULL', 'NULL    '],
  ['gpkg_contents', 'gpkg_Contents'],
  ['gpkg_geometry_columns', 'gpkg_geometry_column5'],
  ['gpkg_spatial_ref_sys', 'gpkg_contents_______'],
  ['table_name', 'table_nane'],
  ['features', 'tiles\0\0\0'],
  ['attributes', 'features\0\0'],
  ['geom', 'fid,'],
  ['POLYGON', 'POINT\0\0'],
  ['GEOMETRY', 'CURVE\0\0\0'],
  ['POINT', 'TIN\0\0'],
  ['EPSG', 'ESRI'],
  ['GEOGCS', 'PROJCS'],
] as const;

const changeFileHeader: Mutation = (bytes, { random }) => {
  const [at, size] = random.pick(headerFields);
  if (random.chance(0.5)) makeOdd(bytes, { at, size }, false, random);
  else writeNumber(bytes, { at, size }, false, BigInt(random.below(5)));
  return bytes;
};

interface Page {
  /** Of its b-tree header. */
  readonly at: number;
  readonly start: number;
  readonly isInterior: boolean;
  readonly cells: number;
}

function pagesOf(bytes: Buffer): { readonly pageBytes: number; readonly pages: readonly Page[] } {
  const said = bytes.length < fileHeaderBytes ? 0 : bytes.readUInt16BE(16);
  const pageBytes = said === 1 ? 65_536 : Math.max(512, said);
  const pages: Page[] = [];
  for (let start = 0; start + pageBytes <= bytes.length; start += pageBytes) {
    const at = start === 0 ? fileHeaderBytes : start;
    const kind = pageKinds.find((known) => known === bytes[at]);
    if (kind !== undefined) {
      pages.push({ at, start, isInterior: kind <= 5, cells: bytes.readUInt16BE(at + 3) });
    }
  }
  return { pageBytes, pages };
}

const cellPointersAt = ({ at, isInterior }: Page): number => at + (isInterior ? 12 : 8);

const changePageHeader: Mutation = (bytes, { random }) => {
  const { pages, pageBytes } = pagesOf(bytes);
  if (pages.length === 0) return undefined;
  const { at } = random.pick(pages);
  const [offset, size] = random.pick(pageFields);
  const place = { at: at + offset, size };
  if (random.chance(0.3)) bytes[at] = random.pick(pageKinds);
  else if (random.chance(0.5)) makeOdd(bytes, place, false, random);
  else writeNumber(bytes, place, false, BigInt(random.below(bytes.length / pageBytes + 2)));
  return bytes;
};

const changeCellPointer: Mutation = (bytes, { random }) => {
  const { pages, pageBytes } = pagesOf(bytes);
  const filled = pages.filter(({ cells }) => cells > 0);
  if (filled.length === 0) return undefined;
  const page = random.pick(filled);
  const at = cellPointersAt(page) + 2 * random.below(page.cells);
  writeNumber(bytes, { at, size: 2 }, false, BigInt(random.below(pageBytes)));
  return bytes;
};

/** The head of a cell: child page or length of the payload, row number, types of the values. */
const changeCell: Mutation = (bytes, { random }) => {
  const { pages, pageBytes } = pagesOf(bytes);
  const filled = pages.filter(({ cells }) => cells > 0);
  if (filled.length === 0) return undefined;
  const page = random.pick(filled);
  const pointerAt = cellPointersAt(page) + 2 * random.below(page.cells);
  if (pointerAt + 2 > bytes.length) return undefined;
  const at = page.start + bytes.readUInt16BE(pointerAt);
  const childPage = BigInt(1 + random.below(bytes.length / pageBytes));
  if (page.isInterior && random.chance(0.7)) writeNumber(bytes, { at, size: 4 }, false, childPage);
  else writeNumber(bytes, { at: at + random.below(12), size: 1 }, false, BigInt(random.below(256)));
  return bytes;
};

const copyPage: Mutation = (bytes, { random }) => {
  const { pageBytes } = pagesOf(bytes);
  const count = Math.floor(bytes.length / pageBytes);
  const [from, to] = [random.below(count) * pageBytes, random.below(count) * pageBytes];
  bytes.copyWithin(to, from, from + pageBytes);
  return bytes;
};

const changeWord: Mutation = (bytes, { random }) => {
  const [from, to] = random.pick(words);
  const places: number[] = [];
  for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at + 1)) places.push(at);
  if (places.length === 0) return undefined;
  return overwrite(bytes, random.pick(places), Buffer.from(to));
};

const changeGeometry: Mutation = (bytes, { random }) => {
  const places: NumberPlace[] = [];
  for (let at = bytes.indexOf('GP\0'); at >= 0; at = bytes.indexOf('GP\0', at + 1)) {
    places.push(...geometryPlaces(bytes, at));
  }
  if (places.length === 0) return undefined;
  const place = random.pick(places);
  if (place.size === 1) bytes[place.at] = random.below(256);
  else if (place.size === 4 && random.chance(0.5))
    writeNumber(bytes, place, true, BigInt(random.below(18) + 1000 * random.below(4)));
  else makeOdd(bytes, place, true, random);
  return bytes;
};

export const geopackageMutations: readonly Mutation[] = [
  changeFileHeader,
  changePageHeader,
  changePageHeader,
  changeCellPointer,
  changeCell,
  changeCell,
  copyPage,
  changeWord,
  changeWord,
  changeGeometry,
  changeGeometry,
];
