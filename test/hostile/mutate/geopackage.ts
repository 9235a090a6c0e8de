import { makeOdd, type Mutation, type NumberPlace, numbersOf, writeNumber } from './mutation.ts';
import type { Random } from './random.ts';

const headerFields = [
  ...numbersOf(1, 18, 19, 20, 21, 22, 23),
  ...numbersOf(2, 16),
  ...numbersOf(4, 24, 28, 32, 36, 40, 44, 52, 56, 60, 64, 68, 92, 96),
];
const pageFields = [...numbersOf(2, 1, 3, 5), ...numbersOf(1, 7), ...numbersOf(4, 8)];
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
  const place = random.pick(headerFields);
  if (random.chance(0.5)) return makeOdd(bytes, place, false, random);
  return writeNumber(bytes, place, false, BigInt(random.below(5)));
};

interface Cell {
  readonly page: Page;
  readonly pageBytes: number;
  readonly pointerAt: number;
}

interface Page {
  /** Place of its b-tree header. */
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

const changePageHeader: Mutation = (bytes, { random }) => {
  const { pages, pageBytes } = pagesOf(bytes);
  if (pages.length === 0) return undefined;
  const { at } = random.pick(pages);
  const { at: offset, size } = random.pick(pageFields);
  const place = { at: at + offset, size };
  if (random.chance(0.3)) return bytes.fill(random.pick(pageKinds), at, at + 1);
  if (random.chance(0.5)) return makeOdd(bytes, place, false, random);
  return writeNumber(bytes, place, false, BigInt(random.below(bytes.length / pageBytes + 2)));
};

/** A mutation of one cell, given its page and the place of the pointer to it. */
const ofCell =
  (change: (bytes: Buffer, cell: Cell, random: Random) => Buffer | undefined): Mutation =>
  (bytes, { random }) => {
    const { pages, pageBytes } = pagesOf(bytes);
    const filled = pages.filter(({ cells }) => cells > 0);
    if (filled.length === 0) return undefined;
    const page = random.pick(filled);
    const pointerAt = page.at + (page.isInterior ? 12 : 8) + 2 * random.below(page.cells);
    return change(bytes, { page, pageBytes, pointerAt }, random);
  };

const changeCellPointer = ofCell((bytes, { pointerAt, pageBytes }, random) =>
  writeNumber(bytes, { at: pointerAt, size: 2 }, false, BigInt(random.below(pageBytes))),
);

/** The head of a cell: child page or length of the payload, row number, types of the values. */
const changeCell = ofCell((bytes, { page, pageBytes, pointerAt }, random) => {
  if (pointerAt + 2 > bytes.length) return undefined;
  const at = page.start + bytes.readUInt16BE(pointerAt);
  const childPage = BigInt(1 + random.below(bytes.length / pageBytes));
  if (page.isInterior && random.chance(0.7)) return writeNumber(bytes, { at, size: 4 }, false, childPage);
  return writeNumber(bytes, { at: at + random.below(12), size: 1 }, false, BigInt(random.below(256)));
});

const copyPage: Mutation = (bytes, { random }) => {
  const { pageBytes } = pagesOf(bytes);
  const count = Math.floor(bytes.length / pageBytes);
  const [from, to] = [random.below(count) * pageBytes, random.below(count) * pageBytes];
  bytes.copyWithin(to, from, from + pageBytes);
  return bytes;
};

/** Where a text occurs. */
function placesOf(bytes: Buffer, text: string): readonly number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) places.push(at);
  return places;
}

const changeWord: Mutation = (bytes, { random }) => {
  const [from, to] = random.pick(words);
  const places = placesOf(bytes, from);
  if (places.length === 0) return undefined;
  bytes.write(to, random.pick(places));
  return bytes;
};

const changeGeometry: Mutation = (bytes, { random }) => {
  const places = placesOf(bytes, 'GP\0').flatMap((at) => geometryPlaces(bytes, at));
  if (places.length === 0) return undefined;
  const place = random.pick(places);
  if (place.size === 1) return writeNumber(bytes, place, true, BigInt(random.below(256)));
  if (place.size === 4 && random.chance(0.5))
    return writeNumber(bytes, place, true, BigInt(random.below(18) + 1000 * random.below(4)));
  return makeOdd(bytes, place, true, random);
};

/** Bytes of the envelope by its kind, three bits of the flags. */
const envelopeBytes = [0, 32, 48, 48, 64, 0, 0, 0] as const;

/** The numbers of a GeoPackage geometry that begins at `at`: flags, reference system, envelope and the head of its WKB. */
function geometryPlaces(bytes: Buffer, at: number): readonly NumberPlace[] {
  const envelope = envelopeBytes[((bytes[at + 3] ?? 0) >> 1) % 8] ?? 0;
  const wkb = at + 8 + envelope;
  return [
    ...numbersOf(1, at + 2, at + 3, wkb),
    ...numbersOf(4, at + 4, wkb + 1, wkb + 5, wkb + 9),
    ...numbersOf(8, ...(envelope > 0 ? [at + 8] : []), wkb + 5, wkb + 13, wkb + 21),
  ];
}

export const geopackageMutations: readonly Mutation[] = [
  [changeFileHeader, changePageHeader, changePageHeader, changeCellPointer, changeCell, changeCell],
  [copyPage, changeWord, changeWord, changeGeometry, changeGeometry],
].flat();
