import { nextUpdatedAt } from '../../database/transaction.ts';
import { spooled } from '../kato-map/spool.ts';
import { extentColumns } from '../../datasets/extent/extents.ts';
import { measured } from '../../datasets/extent/geojson-extent.ts';
import { filesOfDataset, findFile, replaceFiles } from '../../datasets/files.ts';
import { storeForms } from '../../datasets/geojson-forms.ts';
import { ColumnFormats } from '../../table/columns.ts';
import { checkFeatureTexts, katoGeoJson } from '../kato-map/kato-geojson.ts';
import { readDistrictsVersion } from '../../database/districts-version.ts';
import { parseYearColumns } from '../../table/mapping-schema.ts';
import { classifiedOf, matchOf } from '../match/code-tally.ts';
import { createMatchTally, type StoredMatch } from '../match/match-tally.ts';
import { continueReport, readReport, reportOf, writeReport } from '../../datasets/report.ts';
import {
  codeWarnings,
  conversionWarnings,
  separatorWarnings,
  createRepairTally,
  borderWarnings,
  districtWarnings,
  readDistrictCodes,
  repairWarnings,
  repeatedCodeWarnings,
} from '../../table/row-warnings.ts';
import { createUnpivot, type UnpivotedRow } from '../../table/unpivot.ts';
import type { Attempt } from '../../jobs/handler.ts';
import { type CopiedObservations, copyObservations } from './copy-observations.ts';
import {
  type ImportDiagnostics,
  fetchInput,
  type ProcessingDependencies,
} from '../../datasets/input-file.ts';
import { jsonText, openReadRows, openStoredRows, type OpenTable } from '../match/stored-rows.ts';

type Unpivot = ReturnType<typeof createUnpivot>;
type RowAndNumber = [row: UnpivotedRow | undefined, rowNumber: number];
type MappedDataset = NonNullable<Awaited<ReturnType<typeof readMappedDataset>>>;

/**
 * Unpivots a mapped table into a new set of observations and writes its GeoJSON, then switches the dataset to both
 * atomically: extracting → ready. Until then, and on failure, the dataset keeps its previous content.
 */
export async function extractObservations(
  dependencies: ProcessingDependencies,
  attempt: Attempt,
  diagnostics: ImportDiagnostics,
): Promise<void> {
  const dataset = await readMappedDataset(dependencies, attempt.refId);
  if (dataset === undefined) return; // deleted, or already done
  const { setId, rows, match } = await copyTable(dependencies, attempt, dataset, diagnostics);
  const matchKey = await attempt.store('match', '.json', jsonText(match));
  const districtsVersion = await readDistrictsVersion(dependencies.db);
  const { pieces, extent } = measured(katoGeoJson(dependencies.db, setId, dataset.yearColumns));
  const forms = { kind: 'geojson', madeFrom: districtsVersion } as const;
  const files = await diagnostics.time(
    'geojson',
    async () => await storeForms(dependencies.objectStore, await spooled(pieces), attempt, forms),
  );
  const findings = diagnostics.findings();
  await attempt.publish(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('datasets')
      .set({
        status: 'ready',
        observation_set_id: setId,
        ...extentColumns(extent()),
        parse_error: null,
        failure: null,
        updated_at: nextUpdatedAt,
      })
      .where('id', '=', attempt.refId)
      .where('status', '=', 'extracting')
      .where('mapping_version', '=', dataset.mappingVersion)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    // Series are written from the new observations on request; a new mapping is rare and reads the file again.
    await replaceFiles(trx, attempt.refId, [...files, { kind: 'match', key: matchKey }], ['series', 'rows']);
    const report = reportOf(attempt.refId, { engine: dependencies.engine.version, findings, rows });
    await writeReport(trx, continueReport(await readReport(trx, attempt.refId), report));
  });
}

/** Writes the observations of the table, not yet visible, and diagnostics of its rows. */
async function copyTable(
  dependencies: ProcessingDependencies,
  attempt: Attempt,
  dataset: MappedDataset,
  diagnostics: ImportDiagnostics,
): Promise<CopiedObservations & { readonly match: StoredMatch }> {
  await using table = await openTable(dependencies, attempt, dataset, diagnostics);
  const districts = await readDistrictCodes(dependencies.db);
  const tally = createMatchTally(dataset, districts);
  const repairs = createRepairTally();
  const unpivot = withRowListener(createUnpivot(table.columns, dataset), (row, rowNumber) => {
    tally.add(row, rowNumber);
    if (row !== undefined) repairs.add(row);
  });
  const source = { ...dataset, rows: table.rows, unpivot };
  const copied = await diagnostics.time(
    'copy',
    async () => await copyObservations(dependencies.pool, attempt, source),
  );
  await checkFeatureTexts(dependencies.db, copied.setId, copied.textCharacters);
  const match = tally.result();
  const matched = matchOf(match.codes, districts);
  const classified = classifiedOf(match.codes, districts);
  diagnostics.warn([
    ...separatorWarnings(dataset.formats),
    ...conversionWarnings(dataset.yearColumns),
    ...codeWarnings(dataset.katoColumn, copied.rows),
    ...repairWarnings(dataset.katoColumn, repairs.result()),
    ...districtWarnings(dataset.katoColumn, matched, classified),
    ...borderWarnings(dataset.katoColumn, classified),
    ...repeatedCodeWarnings(dataset.katoColumn, matched),
  ]);
  return { ...copied, match };
}

/** Opens the rows that were stored when the file was read; reads the file again if they are missing. */
async function openTable(
  dependencies: ProcessingDependencies,
  attempt: Attempt,
  dataset: MappedDataset,
  diagnostics: ImportDiagnostics,
): Promise<OpenTable> {
  const rowsKey = findFile(dataset.files, 'rows');
  if (rowsKey !== null) {
    const stored = await openStoredRows(dependencies.objectStore, rowsKey);
    if (stored !== undefined) return stored;
  }
  const task = await diagnostics.time('fetch', async () => await fetchInput(dependencies, attempt, dataset));
  const table = await dependencies.engine.readTable(task);
  diagnostics.found(table.findings);
  return openReadRows(table, attempt.signal);
}

/** Passes each row to `listener`; undefined for a row without a code. */
function withRowListener(unpivot: Unpivot, listener: (...row: RowAndNumber) => void): Unpivot {
  return (cells, rowNumber) => {
    const row = unpivot(cells, rowNumber);
    listener(row, rowNumber);
    return row;
  };
}

async function readMappedDataset({ db }: ProcessingDependencies, datasetId: string) {
  const row = await db
    .selectFrom('datasets')
    .select(['filename', 'mapping_version', 'kato_column', 'year_columns', 'column_formats'])
    .select(filesOfDataset)
    .where('id', '=', datasetId)
    .where('status', '=', 'extracting')
    .executeTakeFirst();
  if (row === undefined || row.kato_column === null) return undefined;
  return {
    ...row,
    mappingVersion: row.mapping_version,
    katoColumn: row.kato_column,
    yearColumns: parseYearColumns(row.year_columns),
    formats: ColumnFormats.parse(JSON.parse(row.column_formats ?? '[]')),
  };
}
