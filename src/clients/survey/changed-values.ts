import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { ServiceClient } from '../client/service-client.ts';
import { readZippedDbf } from './stored-dbf.ts';
import { readGeoPackage } from './stored-geopackage.ts';
import { changedCells, type StoredTable } from './stored-table.ts';

/** Names values of a GeoPackage or a zipped shapefile that are others in the properties of its vector. */
export async function changedValues(
  path: string,
  { id, client, geoJson }: { readonly id: string; readonly client: ServiceClient; readonly geoJson: string },
): Promise<readonly string[]> {
  const { layer, warnings } = await client.report(id);
  const stored = await storedTable(path, layer ?? '').catch(() => undefined);
  if (stored === undefined) return [];
  // Which columns were left out is in a sentence.
  const isWhole = !warnings.includes('columns_left_out');
  return changedCells(stored, geoJson).filter((trouble) => isWhole || !trouble.includes('has no property'));
}

/** Reads the cells without what the service reads them with. @throws where the file is damaged, which is then its own trouble */
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
