/** The three files of a shapefile. */
export interface ShapefileParts {
  readonly shp: Buffer;
  readonly shx: Buffer;
  readonly dbf: Buffer;
}

export interface Points {
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Encoded value of each point in the only text column, NAME. */
  readonly texts: readonly Uint8Array[];
  /** Byte of the .dbf that names the encoding of its text; 0 names none. */
  readonly languageByte?: number;
}

const pointKind = 1;
const headBytes = 100;
const recordBytes = 20;
const columnBytes = 60;

/** A shapefile of points with one text column. */
export function shapefileOf({ points, texts, languageByte = 0 }: Points): ShapefileParts {
  const records = points.map(([x, y], index) => {
    const record = Buffer.alloc(recordBytes);
    record.writeInt32LE(pointKind, 0);
    record.writeDoubleLE(x, 4);
    record.writeDoubleLE(y, 12);
    return Buffer.concat([bigEndian(index + 1, recordBytes / 2), record]);
  });
  const places = points.map((_, index) =>
    bigEndian((headBytes + index * (8 + recordBytes)) / 2, recordBytes / 2),
  );
  return {
    shp: Buffer.concat([fileHead(points, 8 + recordBytes), ...records]),
    shx: Buffer.concat([fileHead(points, 8), ...places]),
    dbf: table(texts, languageByte),
  };
}

function fileHead(points: Points['points'], bytesOfEach: number): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeInt32BE(9994, 0);
  head.writeInt32BE((headBytes + points.length * bytesOfEach) / 2, 24);
  head.writeInt32LE(1000, 28);
  head.writeInt32LE(pointKind, 32);
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const bounds = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  bounds.forEach((bound, index) => head.writeDoubleLE(bound, 36 + index * 8));
  return head;
}

function bigEndian(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeInt32BE(value, index * 4));
  return bytes;
}

function table(texts: Points['texts'], languageByte: number): Buffer {
  const name = { name: Buffer.from('NAME'), type: 'C', length: columnBytes };
  return dbfOf({ fields: [name], rows: texts.map((text) => ({ cells: [text] })), languageByte });
}

/** A column of a .dbf. */
export interface FieldOfDbf {
  readonly name: Uint8Array;
  readonly type: string;
  readonly length: number;
  /** Decimal digits; for a text column, the number of times that 256 bytes are added to its width. */
  readonly decimals?: number;
  /** Flags of Visual FoxPro: 2 for a nullable column. */
  readonly flags?: number;
}

export interface Dbf {
  readonly fields: readonly FieldOfDbf[];
  /** Cells as bytes; shorter cells are padded with blanks. */
  readonly rows: readonly { readonly cells: readonly Uint8Array[]; readonly isDeleted?: boolean }[];
  readonly languageByte?: number;
  readonly version?: number;
}

/** Writes a .dbf byte by byte. */
export function dbfOf({ fields, rows, languageByte = 0, version = 3 }: Dbf): Buffer {
  const widths = fields.map(({ type, length, decimals = 0 }) => (type === 'C' ? decimals * 256 : 0) + length);
  const recordLength = widths.reduce((sum, width) => sum + width, 1);
  const head = Buffer.alloc(32 * (fields.length + 1) + 1);
  head.set([version, 126, 1, 1]);
  head.writeUInt32LE(rows.length, 4);
  head.writeUInt16LE(head.length, 8);
  head.writeUInt16LE(recordLength, 10);
  head.writeUInt8(languageByte, 29);
  fields.forEach(({ name, type, length, decimals = 0, flags = 0 }, index) => {
    const at = 32 * (index + 1);
    head.set(name, at);
    head.write(type, at + 11, 'latin1');
    head.set([length, decimals, flags], at + 16);
  });
  head.writeUInt8(0x0d, head.length - 1);
  const records = rows.map(({ cells, isDeleted = false }) => {
    const record = Buffer.alloc(recordLength, ' ');
    if (isDeleted) record.write('*');
    let at = 1;
    for (const [index, width] of widths.entries()) {
      record.set(cells[index] ?? [], at);
      at += width;
    }
    return record;
  });
  return Buffer.concat([head, ...records, Buffer.from([0x1a])]);
}
