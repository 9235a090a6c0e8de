import { z } from 'zod';
import { enqueueJob } from '../jobs/enqueue.ts';
import type { Database } from '../database/tables/tables.ts';
import { type AlsoWrite, inTransaction, nextUpdatedAt } from '../database/transaction.ts';
import { type FieldErrors, invalidFields } from '../lib/errors.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';
import { parseBody } from '../validation/parse-body.ts';
import { AttributeColumn, MappingInput, parseYearColumns, type YearColumn } from '../table/mapping-schema.ts';
import { datasetProblems, mappingFaults, mappingProblems } from '../messages/datasets/english.ts';
import { filesOfDataset } from '../datasets/files.ts';
import type { DatasetRow } from '../datasets/schema.ts';

/**
 * Stores a mapping and enqueues the extraction: awaiting_mapping or ready → extracting. Of several concurrent calls, one succeeds.
 * @throws {Problem} in this order: `not_found`, `invalid` for the body, `invalid` for another file type, `conflict` for another status,
 * `invalid` for columns that the dataset does not have.
 */
export async function submitMapping(
  { db, messageQueue }: { readonly db: Database; readonly messageQueue: MessageQueue },
  id: string,
  body: unknown,
  alsoWrite?: AlsoWrite<DatasetRow>,
): Promise<DatasetRow> {
  const { row, jobId } = await inTransaction(db, async (trx) => {
    const dataset = await trx
      .selectFrom('datasets')
      .select(['file_type', 'status', 'kato_column', 'attribute_columns', 'unit', 'year_columns'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (dataset === undefined) throw datasetProblems.notFound();
    const mapping = parseBody(MappingInput, body);
    if (dataset.file_type !== 'vector_with_kato') throw mappingProblems.wrongFileType();
    if (dataset.status !== 'awaiting_mapping' && dataset.status !== 'ready')
      throw mappingProblems.wrongStatus(dataset);
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
        ...unitOf(dataset, mapping.year_columns),
        updated_at: nextUpdatedAt,
      }))
      .where('id', '=', id)
      .returningAll()
      .returning(filesOfDataset)
      .executeTakeFirstOrThrow();
    const job = await enqueueJob(trx, 'extract-observations', id);
    await alsoWrite?.(trx, mapped);
    return { row: mapped, jobId: job };
  });
  await messageQueue.notify(jobId, 'datasets');
  return row;
}

/** The unit that all mapped columns have; undefined if one has another or none. */
function commonUnit(columns: readonly YearColumn[]): string | undefined {
  const units = new Set(columns.map(({ unit }) => unit));
  return units.size === 1 ? [...units][0] : undefined;
}

/** The dataset takes the unit of its mapping, unless a person gave it another one. */
function unitOf(
  { unit, year_columns: before }: { readonly unit: string | null; readonly year_columns: string | null },
  columns: readonly YearColumn[],
): { readonly unit?: string } {
  const common = commonUnit(columns);
  const isOwn = unit !== null && unit !== '' && unit !== commonUnit(parseYearColumns(before));
  return common === undefined || isOwn ? {} : { unit: common };
}

/** Finds the mapped columns that a dataset lacks, each with the most similar existing one; both lists may be long. */
export function findUnknownColumns(mapping: MappingInput, columns: readonly AttributeColumn[]): FieldErrors {
  const names = new Set(columns.map(({ name }) => name));
  const unknown = [
    { field: 'kato_column', column: mapping.kato_column },
    ...mapping.year_columns.map(({ column }, index) => ({ field: `year_columns.${index}.column`, column })),
    ...mapping.year_columns.flatMap(({ remarks_column: column }, index) =>
      column === undefined ? [] : [{ field: `year_columns.${index}.remarks_column`, column }],
    ),
  ].filter(({ column }) => !names.has(column));
  const similar = new Map(unknown.length === 0 ? [] : [...names].map((name) => [fold(name), name]));
  const first = unknown.find(({ column }) => !similar.has(fold(column)));
  return Object.fromEntries(
    unknown.map(({ field, column }) => {
      const meant = similar.get(fold(column));
      if (meant !== undefined) return [field, mappingFaults.misspeltColumn(meant)];
      return [
        field,
        field === first?.field ? mappingFaults.unknownAmong([...names]) : mappingFaults.unknownColumn,
      ];
    }),
  );
}

/** Removes frequent differences: case and blanks. */
function fold(name: string): string {
  return name.toLowerCase().replaceAll(/\s+/g, '');
}
