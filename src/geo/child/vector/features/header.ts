import {
  type Column,
  columnTypes,
  geometryTypes,
  type GeometryTypeName,
  indexNodeSize,
} from '../../../flatgeobuf/layout.ts';
import type { Box } from './hilbert.ts';

/** A field of a FlatBuffers table: a number with its size in bytes, or a referenced value. */
type Field =
  | { readonly bytes: 1 | 2 | 4 | 8; readonly value: number }
  | { readonly text: string }
  | { readonly doubles: readonly number[] }
  | { readonly fields: readonly (Field | undefined)[] }
  | { readonly tables: readonly (readonly (Field | undefined)[])[] };

export interface HeaderFacts {
  readonly columns: readonly Column[];
  readonly features: number;
  /** Undefined if no feature has a geometry. */
  readonly extent: Box | undefined;
  readonly geometryType: GeometryTypeName;
  readonly hasHeights: boolean;
}

/** Encodes the header of a file with its length: WGS 84, longitude first. */
export function encodeHeader({ columns, features, extent, geometryType, hasHeights }: HeaderFacts): Buffer {
  const builder = createBuilder();
  builder.root([
    { text: 'features' },
    extent && { doubles: extent },
    { bytes: 1, value: geometryTypes[geometryType] },
    hasHeights ? { bytes: 1, value: 1 } : undefined,
    undefined, // no measures or times
    undefined,
    undefined,
    { tables: columns.map(({ name, type }) => [{ text: name }, { bytes: 1, value: columnTypes[type] }]) },
    { bytes: 8, value: features },
    { bytes: 2, value: features === 0 ? 0 : indexNodeSize },
    { fields: [{ text: 'EPSG' }, { bytes: 4, value: 4326 }, { text: 'WGS 84' }] },
  ]);
  return builder.finish();
}

/** Creates a small buffer in forward order: referenced values follow their table. */
function createBuilder() {
  let buffer = Buffer.alloc(1024);
  let length = 8; // total length and root offset
  const reserve = (bytes: number, alignment: number, offset = 0): number => {
    const at = Math.ceil((length + offset) / alignment) * alignment - offset;
    length = at + bytes;
    if (length > buffer.length) buffer = Buffer.concat([buffer, Buffer.alloc(length)]);
    return at;
  };
  const lead = (from: number, to: number) => buffer.writeUInt32LE(to - from, from);

  function text(value: string): number {
    const bytes = Buffer.from(value);
    const at = reserve(4 + bytes.length + 1, 4);
    buffer.writeUInt32LE(bytes.length, at);
    bytes.copy(buffer, at + 4);
    return at;
  }

  function doubles(values: readonly number[]): number {
    const at = reserve(4 + 8 * values.length, 8, 4);
    buffer.writeUInt32LE(values.length, at);
    values.forEach((value, index) => buffer.writeDoubleLE(value, at + 4 + 8 * index));
    return at;
  }

  function tables(list: readonly (readonly (Field | undefined)[])[]): number {
    const at = reserve(4 + 4 * list.length, 4);
    buffer.writeUInt32LE(list.length, at);
    list.forEach((fields, index) => lead(at + 4 + 4 * index, table(fields)));
    return at;
  }

  function table(fields: readonly (Field | undefined)[]): number {
    const listBytes = 4 + 2 * fields.length;
    const list = reserve(listBytes, 2);
    const start = reserve(4, 8);
    buffer.writeInt32LE(start - list, start);
    const places = fields.map((field) => {
      if (field === undefined) return 0;
      const bytes = 'bytes' in field ? field.bytes : 4;
      return reserve(bytes, bytes);
    });
    buffer.writeUInt16LE(listBytes, list);
    buffer.writeUInt16LE(length - start, list + 2);
    fields.forEach((field, index) => {
      const place = places[index] ?? 0;
      if (field === undefined) return;
      buffer.writeUInt16LE(place - start, list + 4 + 2 * index);
      if ('bytes' in field) number(field.value, field.bytes, place);
      else lead(place, follow(field));
    });
    return start;
  }

  function number(value: number, bytes: 1 | 2 | 4 | 8, at: number): void {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at);
    else buffer.writeUIntLE(value, at, bytes);
  }

  function follow(field: Exclude<Field, { readonly bytes: number }>): number {
    if ('text' in field) return text(field.text);
    if ('doubles' in field) return doubles(field.doubles);
    return 'fields' in field ? table(field.fields) : tables(field.tables);
  }

  return {
    root(fields: readonly (Field | undefined)[]): void {
      lead(4, table(fields));
    },
    finish(): Buffer {
      reserve(0, 8);
      buffer.writeUInt32LE(length - 4, 0);
      return buffer.subarray(0, length);
    },
  };
}
