import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { underMigrationLock } from '../../database/migrate.ts';
import type { Database, Tables } from '../../database/tables.ts';
import { changeDistricts, type ChangeOptions, type DistrictCounts } from './change.ts';

const milestone = 'districts-seeded';

/** The administrative units of Kazakhstan 2024; `seeds/districts/README.md` gives their source and licence. */
const seeds = [
  { level: 'region', file: new URL('../../../seeds/districts/regions.geojsonl', import.meta.url) },
  { level: 'district', file: new URL('../../../seeds/districts/districts.geojsonl', import.meta.url) },
] as const;

const Unit = z.object({
  properties: z.object({ kato: z.string(), name: z.string(), name_kk: z.string(), name_en: z.string() }),
  geometry: z.object({ type: z.enum(['Polygon', 'MultiPolygon']), coordinates: z.unknown() }),
});

/** Fills the table of districts once in the life of a database: what an operator changes or removes stays so. */
export async function seedDistricts(db: Database): Promise<void> {
  await underMigrationLock(db, async (trx) => {
    const reached = await trx
      .insertInto('milestones')
      .values({ name: milestone })
      .onConflict((conflict) => conflict.doNothing())
      .returning('name')
      .executeTakeFirst();
    if (reached === undefined) return;
    for await (const units of readSeeds()) await trx.insertInto('districts').values(units).execute();
  });
}

/** Restores the units of a new database, all at once. Other units stay unless they are replaced. */
export async function restoreDistricts(
  dependencies: { readonly db: Database; readonly signal: AbortSignal },
  options: ChangeOptions,
): Promise<DistrictCounts> {
  const units = await Array.fromAsync(readSeeds());
  const levels = new Map(units.flat().map(({ kato_code: code, level }) => [code, level]));
  async function* batches() {
    yield* units;
  }
  return await changeDistricts(dependencies, { levels, batches }, options);
}

/** Reads the units that a new database is filled with: regions, then districts. */
async function* readSeeds(): AsyncGenerator<Tables['districts'][]> {
  for (const { level, file } of seeds) yield await readUnits(level, file);
}

async function readUnits(level: Tables['districts']['level'], file: URL): Promise<Tables['districts'][]> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  return lines.map((line) => {
    const { properties, geometry } = Unit.parse(JSON.parse(line));
    const { kato, ...names } = properties;
    return { kato_code: kato, level, ...names, geometry: JSON.stringify(geometry) };
  });
}
