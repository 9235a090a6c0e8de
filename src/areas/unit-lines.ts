import type { Database } from '../database/tables/tables.ts';
import { beginSnapshot } from '../database/transaction.ts';
import type { AreaUnit } from '../geo/engine.ts';
import { readDistrictsVersion } from '../database/districts-version.ts';

/** Bounds what is in memory at once; a unit may be megabytes. */
const unitsPerPage = 4;

/** The administrative units are others by now than those that were asked for. */
export class UnitsChanged extends Error {
  override readonly name = 'UnitsChanged';
}

/**
 * Yields the lines of a file of all administrative units, in the order of their codes, from one snapshot.
 * @throws {UnitsChanged} when they have another version.
 */
export async function* districtLines(db: Database, version: number): AsyncGenerator<string> {
  const trx = await beginSnapshot(db);
  try {
    if ((await readDistrictsVersion(trx)) !== version) throw new UnitsChanged();
    for (let last = ''; ;) {
      const units = await trx
        .selectFrom('districts')
        .select(['kato_code', 'level', 'geometry'])
        .where('kato_code', '>', last)
        .orderBy('kato_code')
        .limit(unitsPerPage)
        .execute();
      for (const { kato_code: code, level, geometry } of units) {
        yield lineOf(code, level, geometry);
        last = code;
      }
      if (units.length < unitsPerPage) return;
    }
  } finally {
    await trx.rollback().execute();
  }
}

/** @param geometry JSON text. */
export function lineOf(id: AreaUnit['id'], set: AreaUnit['set'], geometry: string): string {
  const head = JSON.stringify({ id, set }).slice(0, -1);
  // Between its members JSON may have line breaks, and nowhere else.
  return `${head},"geometry":${geometry.replaceAll(/[\r\n]+/g, ' ')}}\n`;
}
