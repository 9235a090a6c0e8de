import { type FileHandle, open } from 'node:fs/promises';
import { sourceProblems } from '../../../messages/sources/english.ts';
import type { ArrayDimension, ArrayFile, ArrayType, AttributeValue, FileArray } from '../array-file.ts';

/** Types of the classic format by number, with their sizes in bytes. */
const types: Readonly<Record<number, { readonly type: ArrayType; readonly bytes: number }>> = {
  1: { type: 'Int8', bytes: 1 },
  2: { type: 'other', bytes: 1 },
  3: { type: 'Int16', bytes: 2 },
  4: { type: 'Int32', bytes: 4 },
  5: { type: 'Float32', bytes: 4 },
  6: { type: 'Float64', bytes: 8 },
  7: { type: 'Byte', bytes: 1 },
  8: { type: 'UInt16', bytes: 2 },
  9: { type: 'UInt32', bytes: 4 },
  10: { type: 'Int64', bytes: 8 },
  11: { type: 'other', bytes: 8 },
};
const charType = 2;
const [dimensionTag, variableTag, attributeTag] = [10, 11, 12];
const maxNames = 20_000;
const maxDimensions = 64;
const maxHeaderBytes = 64 * 2 ** 20;

/** Place of the values of a variable. */
interface Layout {
  readonly begin: number;
  readonly bytes: number;
  readonly numericType: number;
  /** Bytes from one record to the next; undefined without a record dimension. */
  readonly recordBytes: number | undefined;
}

/**
 * Opens a file of the classic format: CDF-1, CDF-2 with 64-bit offsets, and CDF-5.
 * Source: NetCDF Classic Format Specification, Unidata; CDF-5, Argonne National Laboratory.
 * @throws {Problem} for a damaged file.
 */
export async function openClassicNetcdf(path: string): Promise<ArrayFile> {
  const file = await open(path);
  try {
    return await readClassicNetcdf(file);
  } catch (error) {
    await file.close();
    if (error instanceof RangeError) throw sourceProblems.damaged().because(error);
    throw error;
  }
}

async function readClassicNetcdf(file: FileHandle): Promise<ArrayFile> {
  const { size: fileBytes } = await file.stat();
  const header = await readStart(file, fileBytes);
  const cursor = createCursor(header);
  const { dimensions, attributes, variables, records } = readHeader(cursor, fileBytes);
  const layouts = new Map<FileArray, Layout>();
  // A single variable with records is not padded.
  const recordVariables = variables.filter(({ isRecord }) => isRecord);
  const recordBytes = recordVariables.reduce(
    (sum, { ownBytes }) => sum + (recordVariables.length === 1 ? ownBytes : padded(ownBytes)),
    0,
  );
  const recordCount = records ?? countStreamed(recordVariables, recordBytes, fileBytes);
  const arrays = variables.map(({ name, numericType, dimensionIds, isRecord, begin, ...variable }) => {
    const array: FileArray = {
      path: `/${name}`,
      type: types[numericType]?.type ?? 'other',
      dimensions: dimensionIds.map((id): ArrayDimension => {
        const dimension = dimensions[id];
        if (dimension === undefined) throw new RangeError('a dimension is missing');
        return dimension.size === 0 ? { ...dimension, size: recordCount } : dimension;
      }),
      attributes: variable.attributes,
    };
    layouts.set(array, {
      begin,
      bytes: types[numericType]?.bytes ?? 1,
      numericType,
      recordBytes: isRecord ? recordBytes : undefined,
    });
    return array;
  });
  return {
    arrays,
    attributes,
    async read(array, origin, span) {
      const layout = layouts.get(array);
      if (layout === undefined) throw new Error(`${array.path} is of another file`);
      return await readBox(file, array, layout, { origin, span });
    },
    close: async () => await file.close(),
  };
}

/** Number of records in a file that was written as a stream, and states none. */
function countStreamed(
  variables: readonly { readonly begin: number }[],
  recordBytes: number,
  fileBytes: number,
): number {
  const begin = Math.min(...variables.map((variable) => variable.begin));
  return recordBytes === 0 ? 0 : Math.max(0, Math.floor((fileBytes - begin) / recordBytes));
}

async function readStart(file: FileHandle, fileBytes: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.min(fileBytes, maxHeaderBytes));
  const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
  return bytes.subarray(0, bytesRead);
}

/** Reads a header from its first byte on. @throws RangeError beyond its end. */
function createCursor(bytes: Buffer) {
  const version = bytes[3];
  let at = 4;
  const take = (length: number): Buffer => {
    if (length < 0 || at + length > bytes.length) throw new RangeError('the header is cut short');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const int = (): number => take(4).readUInt32BE();
  const long = (): number => {
    const value = take(8).readBigUInt64BE();
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError('a number is too large');
    return Number(value);
  };
  const count = version === 5 ? long : int;
  const length = (): number => {
    const value = count();
    if (value > maxNames) throw new RangeError('a list is too long');
    return value;
  };
  return {
    version,
    int,
    long,
    count,
    length,
    take,
    offset: version === 1 ? int : long,
    padded(size: number): Buffer {
      const taken = take(size);
      take((4 - (size % 4)) % 4);
      return taken;
    },
  };
}

type Cursor = ReturnType<typeof createCursor>;

/** Number of records that a streamed file states. */
const streaming = { int: 0xffff_ffff, long: 0xffff_ffff_ffff_ffffn };

function readHeader(cursor: Cursor, fileBytes: number) {
  const records = readRecordCount(cursor);
  const dimensions = readList(cursor, dimensionTag, () => {
    const name = readName(cursor);
    return { name: `/${name}`, size: cursor.count() };
  });
  const attributes = readAttributes(cursor);
  const variables = readList(cursor, variableTag, () => {
    const name = readName(cursor);
    const rank = cursor.length();
    if (rank > maxDimensions) throw new RangeError('an array has too many dimensions');
    const dimensionIds = Array.from({ length: rank }, () => cursor.count());
    const own = readAttributes(cursor);
    const numericType = cursor.int();
    cursor.count(); // its size, which is wrong above 4 GiB
    const begin = cursor.offset();
    if (begin > fileBytes) throw new RangeError('values lie beyond the end');
    const isRecord = dimensions[dimensionIds[0] ?? -1]?.size === 0;
    const sizes = dimensionIds.slice(isRecord ? 1 : 0).map((id) => dimensions[id]?.size ?? 0);
    const ownBytes = sizes.reduce((product, size) => product * size, types[numericType]?.bytes ?? 1);
    return { name, dimensionIds, attributes: own, numericType, begin, isRecord, ownBytes };
  });
  return { dimensions, attributes, variables, records };
}

/** Returns undefined for a streamed file. */
function readRecordCount(cursor: Cursor): number | undefined {
  if (cursor.version !== 5) {
    const count = cursor.int();
    return count === streaming.int ? undefined : count;
  }
  const count = cursor.take(8).readBigUInt64BE();
  return count === streaming.long ? undefined : Number(count);
}

function readList<T>(cursor: Cursor, tag: number, read: () => T): readonly T[] {
  const found = cursor.int();
  const length = cursor.length();
  if (found === 0 && length === 0) return [];
  if (found !== tag) throw new RangeError('a list is damaged');
  return Array.from({ length }, read);
}

function readName(cursor: Cursor): string {
  return cursor.padded(cursor.length()).toString();
}

function readAttributes(cursor: Cursor): ReadonlyMap<string, AttributeValue> {
  return new Map(
    readList(cursor, attributeTag, () => {
      const name = readName(cursor);
      const type = cursor.int();
      const size = types[type]?.bytes;
      if (size === undefined) throw new RangeError('an attribute has an unknown type');
      const bytes = cursor.padded(cursor.count() * size);
      const value: AttributeValue =
        type === charType ? bytes.toString().replace(/\0+$/, '') : [...numbersIn(bytes, type)];
      return [name, value] as const;
    }),
  );
}

/** Decodes big-endian values. */
function numbersIn(bytes: Buffer, type: number): Float64Array {
  const size = types[type]?.bytes ?? 1;
  const values = new Float64Array(Math.floor(bytes.length / size));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const read = readerOf(view, type);
  for (let index = 0; index < values.length; index += 1) values[index] = read(index * size);
  return values;
}

function readerOf(view: DataView, type: number): (at: number) => number {
  switch (type) {
    case 1:
      return (at) => view.getInt8(at);
    case 3:
      return (at) => view.getInt16(at);
    case 4:
      return (at) => view.getInt32(at);
    case 5:
      return (at) => view.getFloat32(at);
    case 6:
      return (at) => view.getFloat64(at);
    case 8:
      return (at) => view.getUint16(at);
    case 9:
      return (at) => view.getUint32(at);
    case 10:
      return (at) => Number(view.getBigInt64(at));
    case 11:
      return (at) => Number(view.getBigUint64(at));
    default:
      return (at) => view.getUint8(at);
  }
}

interface Box {
  readonly origin: readonly number[];
  readonly span: readonly number[];
}

/** Reads a box row by row along the last dimension that is not read whole. */
async function readBox(
  file: FileHandle,
  { dimensions }: FileArray,
  { begin, bytes, numericType, recordBytes }: Layout,
  { origin, span }: Box,
): Promise<Float64Array> {
  const sizes = dimensions.map(({ size }) => size);
  const strides = sizes.map((_, index) =>
    sizes.slice(index + 1).reduce((product, size) => product * size, bytes),
  );
  if (recordBytes !== undefined) strides[0] = recordBytes;
  const values = new Float64Array(span.reduce((product, count) => product * count, 1));
  // The trailing dimensions that are read whole are contiguous, without the one of records.
  let first = sizes.length;
  const isWhole = (index: number) => span[index] === sizes[index];
  while (first > 0 && (first === sizes.length || isWhole(first))) {
    if (first === 1 && recordBytes !== undefined) break;
    first -= 1;
  }
  const run = span.slice(first).reduce((product, count) => product * count, 1);
  const buffer = Buffer.alloc(run * bytes);
  const index = origin.slice(0, first);
  const tail = origin.slice(first).reduce((sum, start, k) => sum + start * (strides[first + k] ?? 0), 0);
  for (let at = 0; at < values.length; at += run) {
    const offset = index.reduce((sum, position, k) => sum + position * (strides[k] ?? 0), begin + tail);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
    if (bytesRead < buffer.length) throw sourceProblems.damaged();
    values.set(numbersIn(buffer, numericType), at);
    for (let k = first - 1; k >= 0; k -= 1) {
      index[k] = (index[k] ?? 0) + 1;
      if ((index[k] ?? 0) < (origin[k] ?? 0) + (span[k] ?? 0)) break;
      index[k] = origin[k] ?? 0;
    }
  }
  return values;
}

function padded(bytes: number): number {
  return Math.ceil(bytes / 4) * 4;
}
