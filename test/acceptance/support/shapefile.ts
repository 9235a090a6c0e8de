import { hostileZip } from '../../support/hostile-zip.ts';
import { dbfOf as writeDbf, type FieldOfDbf, type Points, shapefileOf } from '../../support/shapefiles.ts';

/** The bytes of a text of Russian and ASCII letters in windows-1251. */
export function windows1251(text: string): Buffer {
  return Buffer.from(
    [...text].map((letter) => {
      const code = letter.codePointAt(0) ?? 0;
      return code < 0x80 ? code : code - 0x410 + 0xc0;
    }),
  );
}

/** Files by name. */
type Files = Readonly<Record<string, Uint8Array | string>>;

/** An archive of these files. */
export function zipFileOf(files: Files, name = 'layer.zip'): File {
  const zip = hostileZip(Object.entries(files).map(([member, bytes]) => ({ name: member, bytes })));
  return new File([Uint8Array.from(zip)], name);
}

/** The files of a shapefile, without the .shx, which readers can do without, and further ones by extension. */
export function layerFiles(stem: string, points: Points, more: Files = {}): Files {
  const { shp, dbf } = shapefileOf(points);
  const files = Object.entries({ '.shp': shp, '.dbf': dbf, ...more });
  return Object.fromEntries(files.map(([extension, bytes]) => [stem + extension, bytes]));
}

/** A column of a .dbf. */
export type DbfColumn = Omit<FieldOfDbf, 'name'> & { readonly name: string };

/** Writes a .dbf whose cells are these bytes or ASCII letters; texts are padded at their left for N and F, else at their right. */
export function dbfOf(
  columns: readonly DbfColumn[],
  rows: readonly (readonly (string | Uint8Array)[])[],
): Buffer {
  const cellOf = (cell: string | Uint8Array, { type, length }: DbfColumn) => {
    if (typeof cell !== 'string') return cell;
    return Buffer.from(/[NF]/.test(type) ? cell.padStart(length) : cell, 'latin1');
  };
  return writeDbf({
    fields: columns.map(({ name, ...column }) => ({ ...column, name: Buffer.from(name) })),
    rows: rows.map((row) => ({ cells: columns.map((column, index) => cellOf(row[index] ?? '', column)) })),
  });
}
