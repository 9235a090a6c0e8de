import type { Transaction } from '../database/tables/tables.ts';
import { flatGeobufProblems } from '../messages/standards/english.ts';
import type { WrittenFeatures } from '../geo/flatgeobuf/layout.ts';
import { findFile } from './files.ts';
import type { RecentDataset } from './recent-datasets.ts';

/** Stores the features written while their file was read; replaces those of an earlier reading. */
export async function addFeatures(
  trx: Transaction,
  datasetId: string,
  written: WrittenFeatures | undefined,
): Promise<void> {
  const row = rowOf(written);
  await trx
    .insertInto('vector_features')
    .values({ dataset_id: datasetId, ...row })
    .onConflict((conflict) => conflict.column('dataset_id').doUpdateSet(row))
    .execute();
}

/** Stores the features written by a job; false if the dataset is gone or already has features. */
export async function storeFeatures(
  trx: Transaction,
  datasetId: string,
  written: WrittenFeatures | undefined,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('vector_features')
    .set(rowOf(written))
    .where('dataset_id', '=', datasetId)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function rowOf(written: WrittenFeatures | undefined) {
  if (written === undefined) return { state: 'none', features: null, box: null } as const;
  const { count, box } = written;
  return { state: 'made', features: count, box: box === null ? null : [...box] } as const;
}

/**
 * Returns the key of the FlatGeobuf of a vector.
 * @throws {Problem} `invalid` for another type, `conflict` before it is ready, `not_found` if there is none, or not yet.
 */
export function getFlatGeobufKey({
  file_type: fileType,
  status,
  files,
}: Pick<RecentDataset, 'file_type' | 'status' | 'files'>): string {
  if (fileType !== 'vector') throw flatGeobufProblems.noFeatures();
  if (status !== 'ready') throw flatGeobufProblems.noFeaturesYet(status);
  const key = findFile(files, 'fgb');
  if (key === null) throw flatGeobufProblems.featuresNotMade();
  return key;
}
