import { sql } from 'kysely';
import { z } from 'zod';
import type { Database, Transaction } from '../database/tables/tables.ts';
import {
  type Findings,
  RasterSource,
  Sentence,
  VectorSource,
  Warning,
  type WarningCode,
} from '../geo/findings.ts';
import { exampleReport } from '../lib/examples.ts';
import { Guid } from '../validation/fields.ts';
import { datasetProblems } from '../messages/datasets/english.ts';

const Count = z.int().min(0);
const TableRows = z.object({
  read: Count.describe('Number of rows in the table'),
  skipped: Count.nullable().describe(
    'Number of rows without a code; null until the rows have been extracted',
  ),
});

/** Older reports have no `proj`. */
const StoredRaster = RasterSource.partial({ proj: true });

export const ImportReport = z
  .object({
    dataset_id: Guid.describe('Id of the dataset'),
    engine: z.string().describe('Name and version of the library that read the file, such as `GDAL 3.6.2`'),
    source: VectorSource.nullable().describe(
      'Findings in a vector file or table; null for rasters, and if the file could not be opened',
    ),
    rows: TableRows.nullable().describe('Row counts; only for `vector_with_kato`'),
    raster: StoredRaster.nullable().describe(
      'Findings in a raster; null for vectors, and if the file could not be opened',
    ),
    timings: z.record(z.string(), z.number()).describe('Duration of the last run of each step, in seconds'),
    failure: Sentence.nullable()
      .optional()
      .describe('`parse_error` as code and facts; null without an error, or if only its text is known'),
    warnings: z.array(Warning).describe('Warnings to read with care; none of them stopped the import'),
  })
  .meta({
    id: 'ImportReport',
    description: 'The findings in the file of a dataset, and the choices of the service',
    examples: [exampleReport],
  });
export type ImportReport = z.infer<typeof ImportReport>;

/** Part of a report from one job. */
export interface ReportedJob {
  readonly engine: string;
  readonly findings: Findings;
  readonly rows: ImportReport['rows'];
}

/** Codes of warnings about rows that depend on the mapping. */
const codesOfMapping: readonly WarningCode[] = [
  'rows_without_code',
  'codes_without_district',
  'units_without_border',
];

/** Creates the report of a job that reads a file from the beginning. */
export function reportOf(datasetId: string, { engine, findings, rows }: ReportedJob): ImportReport {
  return { dataset_id: datasetId, engine, ...findings, rows };
}

/**
 * Merges the report of a later job: parts that it lacks stay; its warnings replace those with their codes and those of
 * the previous extraction.
 */
export function continueReport(before: ImportReport | undefined, now: ImportReport): ImportReport {
  if (before === undefined) return now;
  const replaced = new Set<WarningCode>([...codesOfMapping, ...now.warnings.map(({ code }) => code)]);
  return {
    ...now,
    source: now.source ?? before.source,
    raster: now.raster ?? before.raster,
    rows: now.rows ?? (before.rows && { ...before.rows, skipped: null }),
    timings: { ...before.timings, ...now.timings },
    warnings: [...before.warnings.filter(({ code }) => !replaced.has(code)), ...now.warnings],
  };
}

/** Stores a report; it replaces the previous one of the dataset. */
export async function writeReport(trx: Transaction, report: ImportReport): Promise<void> {
  const row = {
    engine: report.engine,
    source: json(report.source),
    rows: json(report.rows),
    raster: json(report.raster),
    timings: JSON.stringify(report.timings),
    warnings: JSON.stringify(report.warnings),
    updated_at: sql<Date>`now()`,
  };
  await trx
    .insertInto('import_reports')
    .values({ dataset_id: report.dataset_id, ...row })
    .onConflict((conflict) => conflict.column('dataset_id').doUpdateSet(row))
    .execute();
}

/** Reads the report of a dataset; undefined before its file has been examined. @throws {Problem} `not_found` */
export async function readReport(
  db: Database | Transaction,
  datasetId: string,
): Promise<ImportReport | undefined> {
  const row = await db
    .selectFrom('datasets')
    .leftJoin('import_reports', 'import_reports.dataset_id', 'datasets.id')
    .select(['datasets.id', 'failure', 'engine', 'source', 'rows', 'raster', 'timings', 'warnings'])
    .where('datasets.id', '=', datasetId)
    .executeTakeFirst();
  if (row === undefined) throw datasetProblems.notFound();
  if (row.engine === null) return undefined;
  const { id, engine, ...texts } = row;
  const parts = Object.entries(texts).map(([part, text]) => [part, JSON.parse(text ?? 'null')] as const);
  return ImportReport.parse({ dataset_id: id, engine, ...Object.fromEntries(parts) });
}

/** @throws {Problem} `not_found` if the dataset does not exist or its file has not been examined yet. */
export async function getReport(db: Database, datasetId: string): Promise<ImportReport> {
  const report = await readReport(db, datasetId);
  if (report === undefined) throw datasetProblems.noReport();
  return report;
}

function json(part: object | null): string | null {
  return part === null ? null : JSON.stringify(part);
}
