import { sql } from 'kysely';
import { freshestFirst } from '../catalogue/freshness.ts';
import { createRowLoader } from '../database/row-loader.ts';
import type { Database } from '../database/tables/tables.ts';
import { datasetProblems } from '../messages/datasets/english.ts';
import { filesOfDataset } from './files.ts';
import { conditionOf, type DatasetFilter } from './filter.ts';
import type { DatasetRow } from './schema.ts';

/** @throws {Problem} `not_found` */
export async function getDataset(db: Database, id: string): Promise<DatasetRow> {
  return found(await selectDatasets(db).where('id', '=', id).executeTakeFirst());
}

function selectDatasets(db: Database) {
  return db.selectFrom('datasets').selectAll().select(filesOfDataset);
}

/**
 * Creates a reader for one process, which answers concurrent reads with one statement.
 * @returns a function that reads a dataset by id and throws {Problem} `not_found`
 */
export function createDatasetReader(db: Database): (id: string) => Promise<DatasetRow> {
  const load = createRowLoader<DatasetRow>((ids) =>
    selectDatasets(db)
      .where('id', '=', sql<string>`any(${ids}::uuid[])`)
      .execute(),
  );
  return async (id) => found(await load(id));
}

/** Returns the row. @throws {Problem} `not_found` without one. */
export function found<T>(row: T | undefined): T {
  if (row === undefined) throw datasetProblems.notFound();
  return row;
}

/** Returns the freshest matching dataset of a group. @throws {Problem} `not_found` */
export async function getFreshestDataset(
  db: Database,
  groupId: string,
  filter: Pick<DatasetFilter, 'status' | 'file_type'>,
): Promise<DatasetRow> {
  const row = await selectDatasets(db)
    .where(conditionOf({ ...filter, dg_id: groupId }))
    .orderBy(freshestFirst)
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) throw datasetProblems.noneFreshest();
  return row;
}
