import { type Column, type ColumnType, maxFeatureColumns } from '../../../flatgeobuf/layout.ts';

/** Kinds of values in a column, as bits. */
const seen = { bool: 1, int: 2, long: 4, decimal: 8, text: 16, other: 32, beyondDouble: 64 } as const;

const integer = /^-?(?:0|[1-9]\d*)$/;
const [maxInt, minLong, maxLong] = [2 ** 31 - 1, -(2n ** 63n), 2n ** 63n - 1n];
/** Maximum length of a 64-bit integer as text. */
const maxLongLetters = 20;
/** Maximum size of all column names. */
const maxNameBytes = 1024 * 1024;

/** Collects the columns of features, and determines their types after the last one. */
export function createColumns() {
  const numbers = new Map<string, number>();
  const kinds: number[] = [];
  let nameBytes = 0;
  return {
    /** Returns the number of a column; undefined above the maximum of a file. */
    numberOf(name: string): number | undefined {
      const known = numbers.get(name);
      if (known !== undefined) return known;
      nameBytes += Buffer.byteLength(name);
      if (numbers.size === maxFeatureColumns || nameBytes > maxNameBytes) return undefined;
      numbers.set(name, kinds.length);
      return kinds.push(0) - 1;
    },
    /** @param json JSON text of a value other than null. */
    see(column: number, json: Buffer): void {
      kinds[column] = (kinds[column] ?? 0) | valueKind(json);
    },
    /** Returns the columns in order of occurrence, and the names of those with mixed types. */
    finish() {
      const columns = [...numbers].map(([name, number]): Column => ({
        name,
        type: typeOf(kinds[number] ?? 0),
      }));
      const mixed = [...numbers].filter(([, number]) => isMixed(kinds[number] ?? 0)).map(([name]) => name);
      return { columns, mixed };
    },
  };
}

function valueKind(json: Buffer): number {
  switch (json[0]) {
    case 0x22:
      return seen.text;
    case 0x74: // true
    case 0x66: // false
      return seen.bool;
    case 0x5b: // [
    case 0x7b: // {
      return seen.other;
    default:
      return kindOfNumber(json.toString('latin1'));
  }
}

function kindOfNumber(text: string): number {
  if (!integer.test(text) || text === '-0') return Number.isFinite(Number(text)) ? seen.decimal : seen.other;
  if (Math.abs(Number(text)) <= maxInt) return seen.int;
  const isLong = text.length <= maxLongLetters && BigInt(text) <= maxLong && BigInt(text) >= minLong;
  if (!isLong) return seen.other;
  return Number.isSafeInteger(Number(text)) ? seen.long : seen.long | seen.beyondDouble;
}

/** A column of mixed types stores the JSON text of each value, so that no value changes. */
function typeOf(kinds: number): ColumnType {
  const { bool, int, long, decimal, text, beyondDouble } = seen;
  if (kinds === 0 || kinds === text) return 'String';
  if (kinds === bool) return 'Bool';
  if (kinds === int) return 'Int';
  if ((kinds & ~(int | long | beyondDouble)) === 0) return 'Long';
  if ((kinds & ~(int | long | decimal)) === 0) return 'Double';
  return 'Json';
}

function isMixed(kinds: number): boolean {
  return typeOf(kinds) === 'Json' && kinds !== seen.other;
}

/** Encodes a value from its JSON text in the type of its column, after the number of the column. */
export function encodeValue(column: number, type: ColumnType, json: Buffer): Buffer {
  const text = type === 'String' ? Buffer.from(stringIn(json)) : json;
  const length = { Bool: 1, Int: 4, Long: 8, Double: 8, String: 4, Json: 4 }[type];
  const head = Buffer.allocUnsafe(2 + length);
  head.writeUInt16LE(column, 0);
  switch (type) {
    case 'Bool':
      head.writeUInt8(json[0] === 0x74 ? 1 : 0, 2);
      return head;
    case 'Int':
      head.writeInt32LE(Number(json.toString('latin1')), 2);
      return head;
    case 'Long':
      head.writeBigInt64LE(BigInt(json.toString('latin1')), 2);
      return head;
    case 'Double':
      head.writeDoubleLE(Number(json.toString('latin1')), 2);
      return head;
    default:
      head.writeUInt32LE(text.length, 2);
      return Buffer.concat([head, text]);
  }
}

function stringIn(json: Buffer): string {
  const text: unknown = JSON.parse(json.toString());
  return typeof text === 'string' ? text.toWellFormed() : '';
}
