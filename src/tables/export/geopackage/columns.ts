import type { ColumnType } from '../../../geo/flatgeobuf/layout.ts';

/** A column of a layer: its name in the file and its name in the GeoPackage. */
export interface PackageColumn {
  readonly name: string;
  readonly written: string;
  readonly type: ColumnType;
}

export interface PackageColumns {
  readonly columns: readonly PackageColumn[];
  /** Names of the two columns that the GeoPackage adds. */
  readonly fid: string;
  readonly geometry: string;
}

/** Characters that SQL text, or a table of attributes, has no place for. */
// eslint-disable-next-line no-control-regex
const unwritable = /[\u0000-\u001F\u007F]/g;

/**
 * Names the columns of a layer. Columns keep their names in the file, except for empty names and for names that differ
 * from another only by case, which SQL treats as equal; `fid` and `geom` are renamed on collision.
 */
export function packageColumns(
  columns: readonly { readonly name: string; readonly type: ColumnType }[],
): PackageColumns {
  const taken = new Set<string>();
  const take = (name: string): string => {
    taken.add(keyOf(name));
    return name;
  };
  const named = columns.map(({ name, type }) => {
    const plain = name.toWellFormed().replace(unwritable, '\uFFFD') || 'column';
    let written = plain;
    for (let number = 2; taken.has(keyOf(written)); number += 1) written = `${plain}_${number}`;
    return { name, type, written: take(written) };
  });
  const beside = (wanted: string): string => {
    let name = wanted;
    while (taken.has(keyOf(name))) name = `unit_${name}`;
    return take(name);
  };
  return { columns: named, fid: beside('fid'), geometry: beside('geom') };
}

/** Readers compare names without case, some of them only for ASCII letters. */
const keyOf = (name: string): string => name.toLowerCase();

/** Type names of the standard; a JSON value is text. */
const sqlTypes = {
  Bool: 'BOOLEAN',
  Int: 'MEDIUMINT',
  Long: 'INTEGER',
  Double: 'DOUBLE',
  String: 'TEXT',
  Json: 'TEXT',
} as const satisfies Record<ColumnType, string>;

/** Returns the SQL declaration of a column. */
export function declarationOf({ written, type }: PackageColumn): string {
  return `"${written.replaceAll('"', '""')}" ${sqlTypes[type]}`;
}

/** Converts the JSON text of a value to a SQLite value. */
export function cellOf(type: ColumnType, json: string | undefined): string | number | bigint | null {
  if (json === undefined) return null;
  switch (type) {
    case 'Bool':
      return json === 'true' ? 1 : 0;
    case 'Int':
    case 'Long':
      return BigInt(json);
    case 'Double':
      // JSON has no infinite numbers: they become null.
      return json === 'null' ? null : Number(json);
    case 'String':
      return String(JSON.parse(json));
    default:
      return json;
  }
}
