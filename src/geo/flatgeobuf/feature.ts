import type { Column } from './layout.ts';
import { type Geometry, readGeometry } from './geometry.ts';
import type { FeatureFile } from './open-file.ts';
import { readRoot, type TableReader, WrongFlatGeobuf } from './table-reader.ts';

export interface Feature {
  readonly geometry: Geometry | undefined;
  /** JSON texts of its values by column number; absent for missing values. */
  readonly values: ReadonlyMap<number, string>;
}

/** Reads a feature whose bytes start with its length. @throws {WrongFlatGeobuf} if they are not a feature of this file. */
export function readFeature(bytes: Buffer, { columns, geometryType }: FeatureFile): Feature {
  if (bytes.length < 4 || bytes.readUInt32LE(0) !== bytes.length - 4)
    throw new WrongFlatGeobuf('a feature has another length');
  const own = bytes.subarray(4);
  const table = readRoot(own);
  const geometry = table.table(0);
  return {
    geometry: geometry && readGeometry(own, geometry, geometryType),
    values: readValues(own, table, columns),
  };
}

function readValues(
  bytes: Buffer,
  table: TableReader,
  columns: readonly Column[],
): ReadonlyMap<number, string> {
  const { start, length } = table.list(1, 1) ?? { start: 0, length: 0 };
  const own = bytes.subarray(start, start + length);
  const values = new Map<number, string>();
  for (let at = 0; at < own.length;) {
    if (at + 2 > own.length) throw new WrongFlatGeobuf('a value ends too early');
    const number = own.readUInt16LE(at);
    const column = columns[number];
    if (column === undefined) throw new WrongFlatGeobuf('a value is of no column');
    const read = readValue(own, at + 2, column.type);
    values.set(number, read.json);
    at = read.end;
  }
  return values;
}

const fixedBytes = { Bool: 1, Int: 4, Long: 8, Double: 8 } as const;

function readValue(
  bytes: Buffer,
  at: number,
  type: Column['type'],
): { readonly json: string; readonly end: number } {
  const room = (length: number) => {
    if (at + length > bytes.length) throw new WrongFlatGeobuf('a value ends too early');
    return at + length;
  };
  if (type === 'String' || type === 'Json') {
    const start = room(4);
    const end = room(4 + bytes.readUInt32LE(at));
    const text = bytes.toString('utf8', start, end);
    return { json: type === 'String' ? JSON.stringify(text) : wholeJson(text), end };
  }
  const end = room(fixedBytes[type]);
  switch (type) {
    case 'Bool':
      return { json: bytes[at] === 0 ? 'false' : 'true', end };
    case 'Int':
      return { json: String(bytes.readInt32LE(at)), end };
    case 'Long':
      return { json: String(bytes.readBigInt64LE(at)), end };
    default:
      return { json: JSON.stringify(bytes.readDoubleLE(at)), end };
  }
}

/** Text that is not JSON becomes a JSON string, so that every answer is valid JSON. */
function wholeJson(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}
