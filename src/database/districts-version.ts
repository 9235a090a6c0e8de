import type { Database } from './tables/tables.ts';

/**
 * Reads the versions of the districts and of their history, which both only grow: a collection begun afterwards is at least as
 * new. What depends on both goes by their sum.
 */
export async function readVersions(db: Database) {
  const versions = db.selectFrom('districts_version').select(['version', 'history']);
  return await versions.executeTakeFirstOrThrow();
}

/** Reads the version of the districts: a collection begun afterwards is at least as new. */
export async function readDistrictsVersion(db: Database): Promise<number> {
  return (await readVersions(db)).version;
}
