import { sql } from 'kysely';
import { z } from 'zod';
import type { Database, Transaction } from '../database/tables/tables.ts';
import { foreignKeyViolation, inTransaction } from '../database/transaction.ts';
import { writeOrigin } from '../datasets/origins.ts';
import { datasetProblems } from '../messages/datasets/english.ts';
import { parseBody } from '../validation/parse-body.ts';
import { MetadataFields, MetadataInput } from './schema.ts';

/**
 * Replaces the fields of the metadata record that people have entered. Nothing else of the dataset changes.
 * @throws {Problem} `not_found`, then `invalid` for the body.
 */
export async function writeMetadata(db: Database, datasetId: string, body: unknown): Promise<void> {
  await inTransaction(db, async (trx) => {
    const dataset = await trx
      .selectFrom('datasets')
      .select('id')
      .where('id', '=', datasetId)
      .executeTakeFirst();
    if (dataset === undefined) throw datasetProblems.notFound();
    const { origin, ...others } = parseBody(MetadataInput, body);
    const fields = JSON.stringify(others);
    await writeOrigin(trx, datasetId, origin ?? null);
    await trx
      .insertInto('dataset_metadata')
      .values({ dataset_id: datasetId, fields })
      .onConflict((conflict) =>
        conflict.column('dataset_id').doUpdateSet({ fields, changed_at: sql<Date>`now()` }),
      )
      .execute()
      .catch((error: unknown) => {
        // The dataset was deleted meanwhile.
        if (foreignKeyViolation(error) === undefined) throw error;
        throw datasetProblems.notFound().because(error);
      });
  });
}

interface StoredMetadata {
  readonly fields: MetadataFields;
  readonly changedAt: Date;
}

/** Reads the fields that people have entered in the records of datasets, by dataset id; datasets without fields are left out. */
export async function readMetadata(
  db: Database | Transaction,
  datasetIds: readonly string[],
): Promise<ReadonlyMap<string, StoredMetadata>> {
  const rows = await db
    .selectFrom('datasets')
    .leftJoin('dataset_metadata', 'dataset_metadata.dataset_id', 'datasets.id')
    .leftJoin('dataset_origins', 'dataset_origins.dataset_id', 'datasets.id')
    .select(['datasets.id', 'dataset_metadata.fields', 'origin'])
    .select(sql<Date>`greatest(dataset_metadata.changed_at, dataset_origins.changed_at)`.as('changed_at'))
    .where('datasets.id', '=', sql<string>`any(${datasetIds}::uuid[])`)
    .where((eb) => eb.or([eb('fields', 'is not', null), eb('origin', 'is not', null)]))
    .execute();
  return new Map(
    rows.map(({ id, fields, origin, changed_at: changedAt }) => {
      const texts = z.looseObject({}).parse(fields === null ? {} : JSON.parse(fields));
      return [
        id,
        { fields: MetadataFields.parse({ ...texts, ...(origin !== null && { origin }) }), changedAt },
      ];
    }),
  );
}

export const noFields: MetadataFields = MetadataFields.parse({});

/** Returns the ids of the datasets whose single features are stored as a file. */
export async function readWithFeatures(
  db: Database | Transaction,
  datasetIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('dataset_files')
    .select('dataset_id')
    .where('dataset_id', '=', sql<string>`any(${datasetIds}::uuid[])`)
    .where('kind', '=', 'fgb')
    .execute();
  return new Set(rows.map(({ dataset_id: id }) => id));
}
