import { writeFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../../src/database/tables/tables.ts';

const Collection = z.object({
  features: z.array(z.object({ properties: z.object({ kato: z.string(), name: z.string() }) })),
});

/** Names on a map, in the order of the map. */
export function namesOnMap(text: string): string[] {
  return Collection.parse(JSON.parse(text)).features.map(({ properties }) => properties.name);
}

/** A digest of all units and their version. */
export async function fingerprintOf(db: Database): Promise<string> {
  const { rows } = await sql<{ fingerprint: string }>`
    select (select version from districts_version) || ' ' || count(*) || ' ' ||
      md5(string_agg(d::text, '' order by kato_code)) as fingerprint from districts d`.execute(db);
  return rows[0]?.fingerprint ?? '';
}

export type Unit = Readonly<Record<string, unknown>>;

/** Writes a file with a clockwise square of 1° for each unit; a greater `shift` moves the squares north. */
export async function writeUnits(path: string, units: readonly Unit[], shift = 0): Promise<string> {
  const square = (west: number) => {
    const [south, north] = [45 + shift, 46 + shift];
    return [
      [west, south],
      [west, north],
      [west + 1, north],
      [west + 1, south],
      [west, south],
    ] as const;
  };
  const features = units.map((properties, index) => ({
    type: 'Feature',
    properties,
    geometry:
      'geometry' in properties
        ? properties['geometry']
        : { type: 'Polygon', coordinates: [square(50 + index)] },
  }));
  await writeFile(path, JSON.stringify({ type: 'FeatureCollection', features }));
  return path;
}
