import { sql } from 'kysely';
import type { Database, Transaction } from '../database/tables/tables.ts';
import { beginSnapshot } from '../database/transaction.ts';
import type { AreaUnit } from '../geo/engine.ts';
import { readDistrictsVersion } from '../database/districts-version.ts';

/** Bounds the memory in use: one unit may have megabytes, or thousands of them a few kilobytes each. */
const charactersPerPage = 512 * 1024;

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
    for (const codes of await readPages(trx)) {
      const units = await trx
        .selectFrom('districts')
        .select(['kato_code', 'level', 'geometry'])
        .where('kato_code', '=', sql<string>`any(${codes})`)
        .orderBy('kato_code')
        .execute();
      for (const { kato_code: code, level, geometry } of units) yield lineOf(code, level, geometry);
    }
  } finally {
    await trx.rollback().execute();
  }
}

/** Returns the codes of all units in pages, each of one unit or of a bounded length. */
async function readPages(trx: Transaction): Promise<readonly (readonly string[])[]> {
  const units = await trx
    .selectFrom('districts')
    .select(['kato_code', sql<number>`length(geometry)`.as('length')])
    .orderBy('kato_code')
    .execute();
  const pages: string[][] = [];
  let left = 0;
  for (const { kato_code: code, length } of units) {
    if (length > left || pages.length === 0) {
      pages.push([]);
      left = charactersPerPage;
    }
    pages.at(-1)?.push(code);
    left -= length;
  }
  return pages;
}

/** Writes one unit as a line of JSON. @param geometry JSON text. */
export function lineOf(id: AreaUnit['id'], set: AreaUnit['set'], geometry: string): string {
  const head = JSON.stringify({ id, set }).slice(0, -1);
  // JSON text may contain line breaks, but only between its members.
  return `${head},"geometry":${geometry.replaceAll(/[\r\n]+/g, ' ')}}\n`;
}
