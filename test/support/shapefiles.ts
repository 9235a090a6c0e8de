/** The three files of a shapefile. */
export interface ShapefileParts {
  readonly shp: Buffer;
  readonly shx: Buffer;
  readonly dbf: Buffer;
}

const pointKind = 1;
const recordBytes = 20;

/** A shapefile of one point whose only attribute is `name`, a text of 20 bytes. */
export function pointShapefile(lon: number, lat: number, name: string): ShapefileParts {
  const record = Buffer.alloc(recordBytes);
  record.writeInt32LE(pointKind, 0);
  record.writeDoubleLE(lon, 4);
  record.writeDoubleLE(lat, 12);
  const number = bigEndian(1, recordBytes / 2);
  return {
    shp: Buffer.concat([fileHead(lon, lat, 8 + recordBytes), number, record]),
    shx: Buffer.concat([fileHead(lon, lat, 8), bigEndian(50, recordBytes / 2)]),
    dbf: table(name),
  };
}

function fileHead(lon: number, lat: number, bodyBytes: number): Buffer {
  const head = Buffer.alloc(100);
  head.writeInt32BE(9994, 0);
  head.writeInt32BE((head.length + bodyBytes) / 2, 24);
  head.writeInt32LE(1000, 28);
  head.writeInt32LE(pointKind, 32);
  [lon, lat, lon, lat].forEach((value, index) => head.writeDoubleLE(value, 36 + index * 8));
  return head;
}

function bigEndian(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeInt32BE(value, index * 4));
  return bytes;
}

function table(name: string): Buffer {
  const fieldBytes = 20;
  const head = Buffer.alloc(65);
  head.set([3, 126, 1, 1]);
  head.writeUInt32LE(1, 4);
  head.writeUInt16LE(head.length, 8);
  head.writeUInt16LE(1 + fieldBytes, 10);
  head.write('NAME', 32, 'latin1');
  head.write('C', 43, 'latin1');
  head.writeUInt8(fieldBytes, 48);
  head.writeUInt8(0x0d, 64);
  return Buffer.concat([head, Buffer.from(` ${name.padEnd(fieldBytes)}\u001a`, 'latin1')]);
}
