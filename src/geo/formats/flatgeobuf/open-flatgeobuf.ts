import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import gdal from 'gdal-async';
import { MiB } from '../../../lib/units.ts';
import {
  featureProblems,
  flatGeobufProblems,
  flatGeobufRemedies,
  vectorProblems,
} from '../../../messages/vector/english.ts';
import { checkColumnNames, maxTableCells } from '../../engine.ts';
import { indexBytes, indexNodeSize, magicBytes, maxFeatureColumns } from '../../flatgeobuf/layout.ts';
import { readRoot, type TableReader, WrongFlatGeobuf } from '../../flatgeobuf/table-reader.ts';
import { quietly } from '../../gdal/last-error.ts';
import { cellJson, type Declared, type StoredCell } from '../geojson/cell-json.ts';
import type { SourceCrs, SourceFeature, VectorFile } from '../features/geometry.ts';
import { BrokenWkb, decodeGeometry, kindName } from '../ogr/wkb.ts';
import { geometryAsWkb } from './geometry.ts';

/** Names of many columns take most of a header. */
const maxHeaderBytes = 8 * MiB;
/** A longer feature and its results do not fit into memory. */
const maxFeatureBytes = 200 * MiB;
const chunkBytes = MiB;
/** A number of a column, and a value of one byte. */
const leastCellBytes = 3;

/** Fields of the tables in a file: https://github.com/flatgeobuf/flatgeobuf/tree/master/src/fbs. */
const headerFields = { name: 0, geometryType: 2, hasHeights: 3, columns: 7, count: 8, nodeSize: 9, crs: 10 };
const crsFields = { authority: 0, code: 1, wkt: 4 };
const featureFields = { geometry: 0, values: 1, columns: 2 };

interface Column {
  readonly name: string;
  /** JSON text before its value. */
  readonly head: string;
  readonly declared: Declared;
  /** Size of a value; undefined for texts and bytes, which begin with their length. */
  readonly bytes: number | undefined;
  readonly read: (bytes: Buffer, at: number, length: number) => StoredCell;
}

const texts: Column['read'] = (bytes, at, length) => bytes.toString('utf8', at, at + length);

/** Column types by number. */
const columnTypes: readonly Omit<Column, 'name' | 'head'>[] = [
  { declared: 'other', bytes: 1, read: (bytes, at) => BigInt(bytes.readInt8(at)) },
  { declared: 'other', bytes: 1, read: (bytes, at) => BigInt(bytes.readUInt8(at)) },
  { declared: 'boolean', bytes: 1, read: (bytes, at) => (bytes.readUInt8(at) === 0 ? 0n : 1n) },
  { declared: 'other', bytes: 2, read: (bytes, at) => BigInt(bytes.readInt16LE(at)) },
  { declared: 'other', bytes: 2, read: (bytes, at) => BigInt(bytes.readUInt16LE(at)) },
  { declared: 'other', bytes: 4, read: (bytes, at) => BigInt(bytes.readInt32LE(at)) },
  { declared: 'other', bytes: 4, read: (bytes, at) => BigInt(bytes.readUInt32LE(at)) },
  { declared: 'other', bytes: 8, read: (bytes, at) => bytes.readBigInt64LE(at) },
  { declared: 'other', bytes: 8, read: (bytes, at) => bytes.readBigUInt64LE(at) },
  { declared: 'other', bytes: 4, read: (bytes, at) => shortest(bytes.readFloatLE(at)) },
  { declared: 'other', bytes: 8, read: (bytes, at) => bytes.readDoubleLE(at) },
  { declared: 'other', bytes: undefined, read: texts },
  { declared: 'json', bytes: undefined, read: texts },
  { declared: 'time', bytes: undefined, read: texts },
  { declared: 'other', bytes: undefined, read: (bytes, at, length) => bytes.subarray(at, at + length) },
];
const textTypes: ReadonlySet<Column['read']> = new Set([texts]);

/** Returns the shortest decimal number that is this number of 32 bits. */
function shortest(value: number): number {
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}

interface Header {
  readonly name: string;
  readonly geometryType: number;
  readonly hasHeights: boolean;
  readonly columns: readonly Column[];
  /** 0 if the writer did not know it. */
  readonly count: number;
  readonly crs: SourceCrs;
  readonly featuresAt: number;
}

/**
 * Opens a FlatGeobuf of any writer. Its features are read in the order of the file; the index, which may lie, is not used. Every offset
 * and length is compared with the bytes before use.
 * @throws {Problem}
 */
export function openFlatGeobuf(path: string): VectorFile {
  const header = withFile(path, readHeader);
  const { name, geometryType, columns, count, crs } = header;
  const layer = name === '' ? basename(path, '.fgb') : name;
  return {
    source: {
      driver: 'FlatGeobuf',
      layer,
      layers: [
        {
          name: layer,
          features: count === 0 ? null : count,
          geometry_types: geometryType === 0 ? [] : [kindName(geometryType)],
        },
      ],
      encoding: 'UTF-8',
      encoding_from: 'format',
    },
    crs,
    columns: columns.map((column) => column.name),
    features: ({ geometry }) => readFeatures(path, header, geometry),
  };
}

function withFile<T>(path: string, use: (file: ForwardReader) => T): T {
  const file = openForward(path);
  try {
    return use(file);
  } finally {
    file.close();
  }
}

/** @throws {Problem} if the header is damaged. */
function readHeader(file: ForwardReader): Header {
  const magic = file.take(magicBytes.length);
  if (magic?.subarray(0, 7).equals(magicBytes.subarray(0, 7)) !== true)
    throw flatGeobufProblems.otherVersion();
  const headerBytes = file.take(4)?.readUInt32LE();
  if (headerBytes === undefined || headerBytes > maxHeaderBytes) throw flatGeobufProblems.brokenHeader();
  const bytes = file.take(headerBytes);
  if (bytes === undefined) throw flatGeobufProblems.brokenHeader();
  try {
    const table = readRoot(bytes);
    const count = table.long(headerFields.count) ?? 0;
    const nodeSize = table.short(headerFields.nodeSize) ?? indexNodeSize;
    // A node of one child would never reach a root.
    if (nodeSize === 1) throw new WrongFlatGeobuf('its index has no end');
    // The index of so many features is larger than the file; counting its levels would take memory.
    if (count > file.sizeBytes) throw new WrongFlatGeobuf('it has fewer bytes than features');
    const featuresAt =
      magicBytes.length + 4 + headerBytes + (nodeSize === 0 ? 0 : indexBytes(count, nodeSize));
    if (featuresAt > file.sizeBytes) throw new WrongFlatGeobuf('it ends within its index');
    return {
      name: table.text(headerFields.name) ?? '',
      geometryType: table.byte(headerFields.geometryType) ?? 0,
      hasHeights: table.byte(headerFields.hasHeights) === 1,
      columns: readColumns(table),
      count,
      crs: readCrs(table.table(headerFields.crs)),
      featuresAt,
    };
  } catch (error) {
    throw error instanceof WrongFlatGeobuf ? flatGeobufProblems.brokenHeader().because(error) : error;
  }
}

/** @throws {Problem} if their names are too long in total: columns may share the bytes of a name. */
function readColumns(header: TableReader): readonly Column[] {
  const columns: Column[] = [];
  let characters = 0;
  for (const column of header.tables(headerFields.columns)) {
    const type = columnTypes[column.byte(1) ?? 0];
    if (type === undefined) throw new WrongFlatGeobuf('a column is of an unknown type');
    if (columns.length === maxFeatureColumns) throw new WrongFlatGeobuf('it has too many columns');
    const name = column.text(0) ?? '';
    characters += name.length;
    checkColumnNames(characters);
    columns.push({ name, head: `${columns.length === 0 ? '{' : ','}${JSON.stringify(name)}:`, ...type });
  }
  return columns;
}

/**
 * Reads the reference system; its WKT counts before its code.
 * @throws {Problem} if it is stated, but not known here.
 */
function readCrs(crs: TableReader | undefined): SourceCrs {
  const wkt = crs?.text(crsFields.wkt) ?? '';
  const code = crs?.signed(crsFields.code) ?? 0;
  const isStated = code > 0 || (wkt !== '' && !/^\w+\["Undefined /.test(wkt));
  if (!isStated) return { kind: 'none', remedy: flatGeobufRemedies.noReferenceSystem, isStated };
  const authority = crs?.text(crsFields.authority) ?? 'EPSG';
  const known =
    wktOf(() => gdal.SpatialReference.fromWKT(wkt)) ??
    wktOf(() => gdal.SpatialReference.fromUserInput(`${authority}:${code}`));
  if (known === undefined) throw vectorProblems.noTransformation();
  return { kind: 'wkt', wkt: known };
}

function wktOf(read: () => gdal.SpatialReference): string | undefined {
  return quietly(() => {
    const srs = read();
    return srs.isGeographic() || srs.isProjected() ? srs.toWKT() : undefined;
  });
}

function* readFeatures(
  path: string,
  header: Header,
  withGeometry: boolean,
): Generator<SourceFeature, void, void> {
  const file = openForward(path, header.featuresAt);
  try {
    let number = 0;
    for (; !file.isAtEnd(); number += 1) {
      if (header.count > 0 && number === header.count) throw flatGeobufProblems.moreThanNamed(header.count);
      const length = file.take(4)?.readUInt32LE();
      const bytes = length === undefined || length > maxFeatureBytes ? undefined : file.take(length);
      if (bytes === undefined) throw featureProblems.unreadable(number + 1);
      // Features of a few bytes with thousands of columns would become a text without end.
      if (
        (number + 1) * header.columns.length > maxTableCells &&
        bytes.length < leastCellBytes * header.columns.length
      )
        throw vectorProblems.tooManyCells(
          header.columns.length,
          Math.floor(maxTableCells / header.columns.length),
        );
      yield readFeature(bytes, header, { number: number + 1, withGeometry });
    }
    if (header.count > number) throw flatGeobufProblems.otherCount(number, header.count);
  } finally {
    file.close();
  }
}

/** @throws {Problem} */
function readFeature(
  bytes: Buffer,
  header: Header,
  { number, withGeometry }: { readonly number: number; readonly withGeometry: boolean },
): SourceFeature {
  try {
    const feature = readRoot(bytes);
    if ((feature.list(featureFields.columns, 4)?.length ?? 0) > 0)
      throw flatGeobufProblems.ownColumns(number);
    const geometry = withGeometry ? feature.table(featureFields.geometry) : undefined;
    return {
      properties: propertiesOf(bytes, feature, { columns: header.columns, number }),
      geometry: geometry && geometryOf(bytes, geometry, header),
    };
  } catch (error) {
    if (error instanceof WrongFlatGeobuf || error instanceof BrokenWkb)
      throw featureProblems.unreadable(number).because(error);
    throw error;
  }
}

/** Returns all properties in the order of the columns as JSON; a missing value is null. */
function propertiesOf(
  bytes: Buffer,
  feature: TableReader,
  { columns, number }: { readonly columns: readonly Column[]; readonly number: number },
): Buffer {
  const { start, length } = feature.list(featureFields.values, 1) ?? { start: 0, length: 0 };
  const own = bytes.subarray(start, start + length);
  const cells = new Map<number, string>();
  // A writer may add one byte, in which no number of a column fits.
  for (let at = 0; at + 1 < own.length;) {
    const index = own.readUInt16LE(at);
    const column = columns[index];
    if (column === undefined) throw new WrongFlatGeobuf('a value is of no column');
    at += 2;
    if (column.bytes === undefined && at + 4 > own.length)
      throw new WrongFlatGeobuf('a value ends too early');
    const valueBytes = column.bytes ?? own.readUInt32LE(at);
    if (column.bytes === undefined) at += 4;
    if (at + valueBytes > own.length) throw new WrongFlatGeobuf('a value ends too early');
    if (textTypes.has(column.read) && !isUtf8(own.subarray(at, at + valueBytes)))
      throw featureProblems.notUtf8(number);
    cells.set(index, cellJson(column.read(own, at, valueBytes), column.declared));
    at += valueBytes;
  }
  if (columns.length === 0) return Buffer.from('{}');
  return Buffer.from(`${columns.map(({ head }, index) => head + (cells.get(index) ?? 'null')).join('')}}`);
}

/** Reads the geometry by way of WKB, so that curves, solids and heights become what they become in a GeoPackage. */
function geometryOf(
  bytes: Buffer,
  table: TableReader,
  { geometryType, hasHeights }: Header,
): SourceFeature['geometry'] {
  return decodeGeometry(geometryAsWkb(bytes, table, { fileType: geometryType, hasHeights }));
}

type ForwardReader = ReturnType<typeof openForward>;

/** Opens a file that is read from a position to its end, in chunks. */
function openForward(path: string, start = 0) {
  const file = openSync(path, 'r');
  const sizeBytes = fstatSync(file).size;
  let [chunk, chunkAt, at] = [Buffer.alloc(0), start, start];

  function fill(wanted: number): void {
    const bytes = Buffer.allocUnsafe(Math.min(Math.max(wanted, chunkBytes), sizeBytes - at));
    for (let filled = 0; filled < bytes.length;) {
      const read = readSync(file, bytes, filled, bytes.length - filled, at + filled);
      if (read === 0) throw new Error('the file became shorter while it was read');
      filled += read;
    }
    [chunk, chunkAt] = [bytes, at];
  }

  return {
    sizeBytes,
    isAtEnd: () => at >= sizeBytes,
    /** Returns the next bytes, which stay as they are; undefined if the file has fewer. */
    take(length: number): Buffer | undefined {
      if (at + length > sizeBytes) return undefined;
      if (at + length > chunkAt + chunk.length) fill(length);
      const bytes = chunk.subarray(at - chunkAt, at - chunkAt + length);
      at += length;
      return bytes;
    },
    close: () => closeSync(file),
  };
}
