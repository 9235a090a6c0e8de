import type { Database } from '../database/tables/tables.ts';
import { beginSnapshot } from '../database/transaction.ts';
import type { AreaUnit } from '../geo/engine.ts';
import { readDistrictsVersion } from '../database/districts-version.ts';

/** Bounds the memory in use; one unit may have megabytes. */
const unitsPerPage = 4;

/** The administrative units have changed since they were requested. */
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

/** Writes one unit as a line of JSON. @param geometry JSON text. */
export function lineOf(id: AreaUnit['id'], set: AreaUnit['set'], geometry: string): string {
  const head = JSON.stringify({ id, set }).slice(0, -1);
  // JSON text may contain line breaks, but only between its members.
  return `${head},"geometry":${geometry.replaceAll(/[\r\n]+/g, ' ')}}\n`;
}
