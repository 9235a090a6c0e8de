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
import { datasetProblems } from '../messages/datasets.ts';

const Count = z.int().min(0);
const TableRows = z.object({
  read: Count.describe('Rows of the table'),
  skipped: Count.nullable().describe('Rows without a code; null until they have been extracted'),
});

/** Reports of before there was one have no `proj`. */
const StoredRaster = RasterSource.partial({ proj: true });

export const ImportReport = z
  .object({
    dataset_id: Guid.describe('Of the dataset'),
    engine: z.string().describe('Such as `GDAL 3.6.2`'),
    source: VectorSource.nullable().describe('Null for rasters, and when the file could not be opened'),
    rows: TableRows.nullable().describe('Only for vector_with_kato'),
    raster: StoredRaster.nullable().describe('Null for vectors, and when the file could not be opened'),
    timings: z.record(z.string(), z.number()).describe('Seconds by step, of the last time that it was taken'),
    failure: Sentence.nullable()
      .optional()
      .describe('`parse_error` as code and facts; null without an error, or if only its words are known'),
    warnings: z.array(Warning).describe('Warnings to read with care; none of them stopped the import'),
  })
  .meta({
    id: 'ImportReport',
    description: 'The findings in the file of a dataset, and the choices of the service',
    examples: [exampleReport],
  });
export type ImportReport = z.infer<typeof ImportReport>;

/** The part of a report that one job adds. */
export interface ReportedJob {
  readonly engine: string;
  readonly findings: Findings;
  readonly rows: ImportReport['rows'];
}

/** Warnings about the rows as the last mapping reads them. */
const codesOfMapping: readonly WarningCode[] = ['rows_without_code', 'codes_without_district'];

/** Makes the report of a job that reads a file for the first time, or again. */
export function reportOf(datasetId: string, { engine, findings, rows }: ReportedJob): ImportReport {
  return { dataset_id: datasetId, engine, ...findings, rows };
}

/** Continues a report: parts not seen again stay; warnings replace those of their codes and of the extraction before. */
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

/** Stores a report in the place of the dataset's earlier one. */
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

/** Reads the report of a dataset; undefined while its file has not been looked at. @throws {Problem} `not_found` */
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

/** @throws {Problem} `not_found` when there is no such dataset, or its file has not been looked at yet. */
export async function getReport(db: Database, datasetId: string): Promise<ImportReport> {
  const report = await readReport(db, datasetId);
  if (report === undefined) throw datasetProblems.noReport();
  return report;
}

function json(part: object | null): string | null {
  return part === null ? null : JSON.stringify(part);
}
