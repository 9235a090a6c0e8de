import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { ServiceClient } from '../service-client.ts';
import { readGeoPackage, readZippedDbf, type StoredTable } from './stored-tables.ts';

const maxTroubles = 5;

/** Lists values of a GeoPackage or a zipped shapefile that differ in the properties of its vector. */
export async function changedValues(
  path: string,
  { id, client, geoJson }: { readonly id: string; readonly client: ServiceClient; readonly geoJson: string },
): Promise<readonly string[]> {
  const { layer, warnings } = await client.report(id);
  const stored = await storedTable(path, layer ?? '').catch(() => undefined);
  if (stored === undefined) return [];
  // A warning names the columns that were left out.
  const isWhole = !warnings.includes('columns_left_out');
  return changedCells(stored, geoJson).filter((trouble) => isWhole || !trouble.includes('has no property'));
}

/** Reads the cells independently of the service. @throws when the file is damaged */
async function storedTable(path: string, layer: string): Promise<StoredTable | undefined> {
  switch (extname(path).toLowerCase()) {
    case '.gpkg':
      return readGeoPackage(path, layer);
    case '.zip':
      return await readZippedDbf(await readFile(path));
    default:
      return undefined;
  }
}

/** Lists the cells whose value in the properties of a vector differs from that in the file. */
export function changedCells({ columns, rows }: StoredTable, geoJson: string): readonly string[] {
  const found = propertiesIn(geoJson, rows.length);
  if (found === undefined) return [];
  // Names with non-ASCII characters, and duplicate names, differ in the properties.
  const compared = [...columns.entries()].filter(
    ([index, name]) =>
      /^[!-~]+$/.test(name) && columns.indexOf(name) === index && columns.lastIndexOf(name) === index,
  );
  const troubles: string[] = [];
  for (const [row, cells] of rows.entries()) {
    const properties = found[row];
    for (const [index, name] of compared) {
      const cell = cells[index];
      if (cell === undefined || properties === undefined) continue;
      if (!Object.hasOwn(properties, name)) troubles.push(`row ${row + 1} has no property "${name}"`);
      else if (!isSame(cell, properties[name]))
        troubles.push(
          `row ${row + 1}: "${name}" is ${JSON.stringify(properties[name])}, in the file ${cell ?? 'missing'}`,
        );
      if (troubles.length === maxTroubles) return troubles;
    }
  }
  return troubles;
}

type Properties = Readonly<Record<string, unknown>>;

/** Returns the properties of each row; undefined for a vector without georeference, which has none. */
function propertiesIn(geoJson: string, rows: number): readonly Properties[] | undefined {
  const {
    features,
  }: {
    features: readonly { readonly properties: Properties & { readonly rows?: readonly Properties[] } }[];
  } = JSON.parse(geoJson);
  const [feature] = features;
  if (feature === undefined) return undefined;
  return rows === 1 ? [feature.properties] : feature.properties.rows;
}

/**
 * Returns whether values are equal: numbers and dates may be formatted differently, booleans may be letters or digits, and structures may
 * be JSON text.
 */
function isSame(cell: string | null, property: unknown): boolean {
  if (cell === null || property === null) return cell === property;
  const text = cell.trim();
  switch (typeof property) {
    case 'number':
      return text !== '' && Number(text) === property;
    case 'boolean':
      return (property ? /^(?:1|[TtYy]|true)$/ : /^(?:0|[FfNn]|false)$/).test(text);
    case 'string':
      return property.trim() === text || (isDate.test(property) && digitsOf(property) === digitsOf(text));
    default:
      return JSON.stringify(property) === text.replaceAll(/\s/g, '');
  }
}

const isDate = /^\d{4}-\d\d-\d\d/;
const digitsOf = (date: string): string => date.replaceAll(/\.0+(?=Z?$)|\D/g, '');
