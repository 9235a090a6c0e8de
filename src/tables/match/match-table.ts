import { filesOfDataset, findFile, type NewFile, replaceFiles } from '../../datasets/files.ts';
import { createMatchTally } from './match-tally.ts';
import { createTableFacts } from './table-facts.ts';
import { ColumnFormats } from '../../table/columns.ts';
import { parseYearColumns } from '../../table/mapping-schema.ts';
import { readDistrictCodes } from '../../table/row-warnings.ts';
import { createUnpivot } from '../../table/unpivot.ts';
import type { Attempt } from '../../jobs/handler.ts';
import { fetchInput, type ProcessingDependencies } from '../../datasets/input-file.ts';
import { jsonText, openReadRows, openStoredRows } from './stored-rows.ts';

type Table = NonNullable<Awaited<ReturnType<typeof readDataset>>>;

/**
 * Finds the facts about the columns of a table, and for a ready one the match of its codes, where these were not
 * stored: for older tables, made ones, and those from a process of the previous release. The dataset and its time of
 * change stay the same. Safe to interrupt and repeat.
 */
export async function matchTable(dependencies: ProcessingDependencies, attempt: Attempt): Promise<void> {
  const dataset = await readDataset(dependencies, attempt.refId);
  if (dataset === undefined) return; // deleted
  await using table = await openTable(dependencies, attempt, dataset);
  const districts = await readDistrictCodes(dependencies.db);
  const facts = createTableFacts(table.columns, districts);
  const { mapping } = dataset;
  const tally = mapping && createMatchTally(mapping, districts);
  const unpivot = mapping && createUnpivot(table.columns, mapping);
  let rowNumber = 0;
  for await (const row of table.rows) {
    facts.add(row);
    tally?.add(unpivot?.(row, rowNumber), rowNumber);
    rowNumber += 1;
  }
  const files: NewFile[] = [
    { kind: 'facts', key: await attempt.store('facts', '.json', jsonText(facts.result())) },
  ];
  if (tally !== undefined)
    files.push({ kind: 'match', key: await attempt.store('match', '.json', jsonText(tally.result())) });
  await attempt.publish(async (trx) => {
    const now = await trx
      .selectFrom('datasets')
      .select(['status', 'mapping_version'])
      .where('id', '=', attempt.refId)
      .forUpdate()
      .executeTakeFirst();
    const isCurrent = now?.status === 'ready' && now.mapping_version === dataset.mapping_version;
    if (now === undefined) return;
    await replaceFiles(
      trx,
      attempt.refId,
      files.filter(({ kind }) => kind !== 'match' || isCurrent),
    );
  });
}

/** Leaves a table unchanged; the failed job shows that it could not be read again. */
export async function leaveUnmatched(): Promise<void> {}

async function openTable(dependencies: ProcessingDependencies, attempt: Attempt, { files, filename }: Table) {
  const rowsKey = findFile(files, 'rows');
  const stored = rowsKey === null ? undefined : await openStoredRows(dependencies.objectStore, rowsKey);
  if (stored !== undefined) return stored;
  const task = await fetchInput(dependencies, attempt, { files, filename });
  return openReadRows(await dependencies.engine.readTable(task), attempt.signal);
}

async function readDataset({ db }: ProcessingDependencies, datasetId: string) {
  const row = await db
    .selectFrom('datasets')
    .select(['filename', 'status', 'mapping_version', 'kato_column', 'year_columns', 'column_formats'])
    .select(filesOfDataset)
    .where('id', '=', datasetId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { kato_column: katoColumn } = row;
  const mapping =
    row.status !== 'ready' || katoColumn === null
      ? undefined
      : {
          katoColumn,
          yearColumns: parseYearColumns(row.year_columns),
          formats: ColumnFormats.parse(JSON.parse(row.column_formats ?? '[]')),
        };
  return { ...row, mapping };
}
