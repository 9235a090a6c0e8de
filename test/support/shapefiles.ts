/** The three files of a shapefile. */
export interface ShapefileParts {
  readonly shp: Buffer;
  readonly shx: Buffer;
  readonly dbf: Buffer;
}

export interface Points {
  readonly points: readonly (readonly [x: number, y: number])[];
  /** The value of each point in the one text column NAME, already encoded. */
  readonly texts: readonly Uint8Array[];
  /** The byte of the .dbf that says how its text is encoded; 0 says nothing. */
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
  const head = Buffer.alloc(65);
  head.set([3, 126, 1, 1]);
  head.writeUInt32LE(texts.length, 4);
  head.writeUInt16LE(head.length, 8);
  head.writeUInt16LE(1 + columnBytes, 10);
  head.writeUInt8(languageByte, 29);
  head.write('NAME', 32, 'latin1');
  head.write('C', 43, 'latin1');
  head.writeUInt8(columnBytes, 48);
  head.writeUInt8(0x0d, 64);
  const rows = texts.map((text) => {
    const row = Buffer.alloc(1 + columnBytes, ' ');
    row.set(text, 1);
    return row;
  });
  return Buffer.concat([head, ...rows, Buffer.from([0x1a])]);
}
