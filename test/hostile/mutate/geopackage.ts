import { makeOdd, type Mutation, type NumberPlace, numbersOf, writeNumber } from './mutation.ts';
import type { Random } from './random.ts';

const headerFields = [
  ...numbersOf(1, 18, 19, 20, 21, 22, 23),
  ...numbersOf(2, 16),
  ...numbersOf(4, 24, 28, 32, 36, 40, 44, 52, 56, 60, 64, 68, 92, 96),
];
const pageFields = [...numbersOf(2, 1, 3, 5), ...numbersOf(1, 7), ...numbersOf(4, 8)];
const fileHeaderBytes = 100;

/** Words of schemas and of GeoPackage's own tables; replacements are padded with blanks. */
const words = [
  ['CREATE TABLE', 'CREATE VIEW'],
  ['CREATE TRIGGER', 'CREATE TABLE'],
  ['CREATE VIRTUAL TABLE', 'CREATE TABLE'],
  ['PRIMARY KEY', 'UNIQUE'],
  ['AUTOINCREMENT', 'WITHOUT ROWID'],
  ['INTEGER', 'BLOB'],
  ['NOT NULL', 'NULL'],
  ['gpkg_geometry_columns', 'gpkg_geometry_column5'],
  ['table_name', 'table_nane'],
  ['features', 'tiles'],
  ['geom', 'fid,'],
  ['POINT', 'TIN'],
  ['EPSG', 'ESRI'],
  ['GEOGCS', 'PROJCS'],
] as const;

/** Writes an odd number, or one that may be the number of a page, a type or a count. */
function change(bytes: Buffer, place: NumberPlace, most: number, random: Random): Buffer {
  if (random.chance(0.4)) return makeOdd(bytes, place, false, random);
  return writeNumber(bytes, place, false, BigInt(random.below(most)));
}

const changeFileHeader: Mutation = (bytes, { random }) => change(bytes, random.pick(headerFields), 5, random);

function pageBytesOf(bytes: Buffer): number {
  const said = bytes.length < fileHeaderBytes ? 0 : bytes.readUInt16BE(16);
  return said === 1 ? 65_536 : Math.max(512, said);
}

/** Changes the header of a b-tree page, the pointer to one of its cells, or the head of the cell. */
const changePage: Mutation = (bytes, { random }) => {
  const pageBytes = pageBytesOf(bytes);
  const starts = Array.from(
    { length: Math.floor(bytes.length / pageBytes) },
    (_, index) => index * pageBytes,
  );
  const trees = starts.filter((start) => [2, 5, 10, 13].includes(bytes[start || fileHeaderBytes] ?? 0));
  if (trees.length === 0) return undefined;
  const start = random.pick(trees);
  const at = start || fileHeaderBytes;
  const [isInterior, cells] = [(bytes[at] ?? 0) <= 5, bytes.readUInt16BE(at + 3)];
  const pointerAt = at + (isInterior ? 12 : 8) + 2 * random.below(cells);
  const what = random.below(4);
  if (what === 0) return bytes.fill(random.pick([2, 5, 10, 13]), at, at + 1);
  if (what === 1 || pointerAt + 2 > bytes.length) {
    const { at: offset, size } = random.pick(pageFields);
    return change(bytes, { at: at + offset, size }, starts.length + 2, random);
  }
  if (what === 2) return change(bytes, { at: pointerAt, size: 2 }, pageBytes, random);
  const cellAt = start + bytes.readUInt16BE(pointerAt);
  if (isInterior) return change(bytes, { at: cellAt, size: 4 }, starts.length + 2, random);
  return change(bytes, { at: cellAt + random.below(12), size: 1 }, 256, random);
};

const copyPage: Mutation = (bytes, { random }) => {
  const pageBytes = pageBytesOf(bytes);
  const [from, to] = [0, 0].map(() => random.below(bytes.length / pageBytes) * pageBytes);
  bytes.copyWithin(to ?? 0, from ?? 0, (from ?? 0) + pageBytes);
  return bytes;
};

/** One of the places where a text occurs. */
function placeOf(bytes: Buffer, text: string, random: Random): number | undefined {
  const places: number[] = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) places.push(at);
  return places.length === 0 ? undefined : random.pick(places);
}

const changeWord: Mutation = (bytes, { random }) => {
  const [from, to] = random.pick(words);
  const at = placeOf(bytes, from, random);
  if (at === undefined) return undefined;
  bytes.write(to.padEnd(from.length), at);
  return bytes;
};

/** Bytes of the envelope by its type, which is three bits of the flags. */
const envelopeBytes = [0, 32, 48, 48, 64, 0, 0, 0] as const;

/** Changes a number of a geometry: flags, reference system, envelope or the head of its WKB. */
const changeGeometry: Mutation = (bytes, { random }) => {
  const at = placeOf(bytes, 'GP\0', random);
  if (at === undefined) return undefined;
  const wkb = at + 8 + (envelopeBytes[((bytes[at + 3] ?? 0) >> 1) % 8] ?? 0);
  const [bytesAt, longsAt, doublesAt] = [
    [at + 2, at + 3, wkb],
    [at + 4, wkb + 1, wkb + 5, wkb + 9],
    [at + 8, wkb + 5, wkb + 13, wkb + 21],
  ] as const;
  const kind = BigInt(random.below(18) + 1000 * random.below(4));
  if (random.chance(0.2)) return writeNumber(bytes, { at: wkb + 1, size: 4 }, true, kind);
  const place = random.pick([
    ...numbersOf(1, ...bytesAt),
    ...numbersOf(4, ...longsAt),
    ...numbersOf(8, ...doublesAt),
  ]);
  return makeOdd(bytes, place, true, random);
};

export const geopackageMutations: readonly Mutation[] = [
  [changeFileHeader, ...Array<Mutation>(5).fill(changePage)],
  [copyPage, changeWord, changeWord, changeGeometry, changeGeometry],
].flat();
