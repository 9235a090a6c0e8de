import { z } from 'zod';
import { nextUpdatedAt } from '../database/next-updated-at.ts';
import { enqueueJob } from '../jobs/enqueue.ts';
import type { Database } from '../database/tables.ts';
import { inTransaction } from '../database/transaction.ts';
import { invalidFields, Problem } from '../common/errors.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';
import { parseBody } from '../validation/parse-body.ts';
import { AttributeColumn, MappingInput } from './table/mapping-schema.ts';
import { nextStepOf } from './next-step.ts';
import { noSuchDataset } from './queries.ts';
import type { DatasetRow } from './schema.ts';
import { findUnknownColumns } from './table/unknown-columns.ts';

export interface MappingDependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
}

/**
 * Stores a mapping and enqueues the extraction: awaiting_mapping or ready → extracting. Of several at once one succeeds.
 * @throws {Problem} in this order: `not_found`, `invalid` for the body, `invalid` for another file type, `conflict` for
 * another status, `invalid` for columns that the dataset does not have.
 */
export async function submitMapping(
  dependencies: MappingDependencies,
  id: string,
  body: unknown,
): Promise<DatasetRow> {
  const { row, jobId } = await inTransaction(dependencies.db, async (trx) => {
    const dataset = await trx
      .selectFrom('datasets')
      .select(['file_type', 'status', 'attribute_columns'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (dataset === undefined) throw noSuchDataset();
    const mapping = parseBody(MappingInput, body);
    if (dataset.file_type !== 'vector_with_kato') {
      throw new Problem('invalid', 'only a vector_with_kato dataset can be mapped');
    }
    if (dataset.status !== 'awaiting_mapping' && dataset.status !== 'ready') {
      throw new Problem(
        'conflict',
        `a dataset cannot be mapped while it is ${dataset.status}${nextStepOf(dataset.status)}`,
      );
    }
    const columns = z.array(AttributeColumn).parse(JSON.parse(dataset.attribute_columns ?? '[]'));
    const unknownColumns = findUnknownColumns(mapping, columns);
    if (Object.keys(unknownColumns).length > 0) throw invalidFields(unknownColumns);
    const mapped = await trx
      .updateTable('datasets')
      .set((eb) => ({
        status: 'extracting',
        kato_column: mapping.kato_column,
        year_columns: JSON.stringify(mapping.year_columns),
        mapping_version: eb('mapping_version', '+', 1),
        updated_at: nextUpdatedAt,
      }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return { row: mapped, jobId: await enqueueJob(trx, 'extract-observations', id) };
  });
  await dependencies.messageQueue.notify(jobId);
  return row;
}
