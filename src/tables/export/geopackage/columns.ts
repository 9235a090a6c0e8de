import type { ColumnType } from '../../../geo/flatgeobuf/layout.ts';

/** A column of a layer: what the file calls it, and what the GeoPackage does. */
export interface PackageColumn {
  readonly name: string;
  readonly written: string;
  readonly type: ColumnType;
}

export interface PackageColumns {
  readonly columns: readonly PackageColumn[];
  /** The names of the two columns that are not of the file. */
  readonly fid: string;
  readonly geometry: string;
}

/** Characters that SQL text, or a table of attributes, has no place for. */
// eslint-disable-next-line no-control-regex
const unwritable = /[\u0000-\u001F\u007F]/g;

/**
 * Names the columns of a layer. Those of the file keep their names, but for one that differs from another by case alone, which SQL takes for the same,
 * and for an empty one; `fid` and `geom` give way to them.
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

/** Programs that read it compare letters without case, some of them only those of ASCII. */
const keyOf = (name: string): string => name.toLowerCase();

/** Names of types in the standard; a JSON value is text. */
const sqlTypes = {
  Bool: 'BOOLEAN',
  Int: 'MEDIUMINT',
  Long: 'INTEGER',
  Double: 'DOUBLE',
  String: 'TEXT',
  Json: 'TEXT',
} as const satisfies Record<ColumnType, string>;

/** Returns how a column is declared. */
export function declarationOf({ written, type }: PackageColumn): string {
  return `"${written.replaceAll('"', '""')}" ${sqlTypes[type]}`;
}

/** Returns a value, of which there is the JSON text, as SQLite stores it. */
export function cellOf(type: ColumnType, json: string | undefined): string | number | bigint | null {
  if (json === undefined) return null;
  switch (type) {
    case 'Bool':
      return json === 'true' ? 1 : 0;
    case 'Int':
    case 'Long':
      return BigInt(json);
    case 'Double':
      // What no JSON has, such as an infinite number, is null.
      return json === 'null' ? null : Number(json);
    case 'String':
      return String(JSON.parse(json));
    default:
      return json;
  }
}
