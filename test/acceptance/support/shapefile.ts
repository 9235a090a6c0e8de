import { hostileZip } from '../../support/hostile-zip.ts';

export interface Shapefile {
  readonly points: readonly (readonly [x: number, y: number])[];
  /** The value of each point in the one text column, already encoded. */
  readonly texts: readonly Uint8Array[];
  /** The byte of the .dbf that says how its text is encoded; 0 says nothing. */
  readonly languageByte?: number;
  /** Further files by extension, such as `.prj`. */
  readonly more?: Readonly<Record<string, string>>;
}

/** The bytes of a text of Russian and ASCII letters in windows-1251. */
export function windows1251(text: string): Buffer {
  return Buffer.from(
    [...text].map((letter) => {
      const code = letter.codePointAt(0) ?? 0;
      return code < 0x80 ? code : code - 0x410 + 0xc0;
    }),
  );
}

type Files = Readonly<Record<string, Uint8Array | string>>;

/** The files of a shapefile of points with the text column NAME by extension; no .shx, which readers can do without. */
export function shapefileOf({ points, texts, languageByte = 0, more = {} }: Shapefile): Files {
  return { '.shp': shp(points), '.dbf': dbf(texts, languageByte), ...more };
}

/** An archive of these files by name. */
export function zipFileOf(files: Files, name = 'layer.zip'): File {
  const zip = hostileZip(Object.entries(files).map(([member, bytes]) => ({ name: member, bytes })));
  return new File([Uint8Array.from(zip)], name);
}

/** `files` under names that begin with `stem`. */
export function named(stem: string, files: Files): Files {
  return Object.fromEntries(Object.entries(files).map(([extension, bytes]) => [stem + extension, bytes]));
}

function shp(points: Shapefile['points']): Buffer {
  const recordBytes = 8 + 20;
  const file = Buffer.alloc(100 + points.length * recordBytes);
  file.writeInt32BE(9994, 0);
  file.writeInt32BE(file.length / 2, 24);
  file.writeInt32LE(1000, 28);
  file.writeInt32LE(1, 32); // points
  for (const [index, [x, y]] of points.entries()) {
    const at = 100 + index * recordBytes;
    file.writeInt32BE(index + 1, at);
    file.writeInt32BE(10, at + 4);
    file.writeInt32LE(1, at + 8);
    file.writeDoubleLE(x, at + 12);
    file.writeDoubleLE(y, at + 20);
  }
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const bounds = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  for (const [index, bound] of bounds.entries()) file.writeDoubleLE(bound, 36 + index * 8);
  return file;
}

const columnBytes = 60;

function dbf(texts: readonly Uint8Array[], languageByte: number): Buffer {
  const head = Buffer.alloc(32 + 32 + 1);
  head.writeUInt8(3, 0);
  head.set([124, 1, 1], 1);
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
