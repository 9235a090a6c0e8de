import { z } from 'zod';
import type { Selectable } from 'kysely';
import type { DatasetsTable } from '../database/tables.ts';
import { parseVerbatim } from '../verbatim-json.ts';
import { CalendarDate } from './calendar-date.ts';
import { Guid } from './fields.ts';
import { AttributeColumn, YearColumn } from './mapping-schema.ts';

export const FileType = z.enum(['vector_with_kato', 'vector', 'raster']);
export type FileType = z.infer<typeof FileType>;

export const DatasetStatus = z.enum([
  'pending',
  'processing',
  'parsing',
  'awaiting_mapping',
  'extracting',
  'ready',
  'failed',
]);

/** An item of dataset lists. */
export const DatasetSummary = z
  .object({
    id: Guid,
    category_id: Guid,
    dg_id: Guid.nullable().describe('Dataset group, if any'),
    start_date: CalendarDate.nullable(),
    end_date: CalendarDate.nullable().describe('Inclusive; drives the freshest-in-group rule'),
    name: z.string(),
    description: z.string().nullable(),
    unit: z.string().nullable(),
    file_type: FileType,
    size_bytes: z.int().min(0),
    status: DatasetStatus,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'DatasetSummary' });
export type DatasetSummary = z.infer<typeof DatasetSummary>;

export const Dataset = z
  .object({
    ...DatasetSummary.shape,
    filename: z.string().describe('Original file name'),
    storage_key: z.string().describe('Object-store key of the original file'),
    cog_storage_key: z.string().nullable().describe('Set for rasters once the COG exists'),
    sld_storage_key: z.string().nullable(),
    sld_filename: z.string().nullable(),
    sld_content_type: z.string().nullable(),
    content_type: z.string(),
    meta: z.record(z.string(), z.unknown()).nullable().describe('As the user supplied it, digit by digit'),
    automated: z.boolean(),
    attribute_columns: z.array(AttributeColumn).nullable(),
    kato_column: z.string().nullable(),
    year_columns: z.array(YearColumn).nullable(),
    parse_error: z.string().nullable().describe('Failure reason when status is failed'),
    bbox: z
      .tuple([z.number(), z.number(), z.number(), z.number()])
      .optional()
      .describe('[minX, minY, maxX, maxY]; only for rasters that have been read'),
  })
  .meta({ id: 'Dataset' });
export type Dataset = z.infer<typeof Dataset>;

export const DatasetStatusView = z
  .object({ id: Guid, status: DatasetStatus, parse_error: z.string().nullable() })
  .meta({ id: 'DatasetStatusView' });

export type DatasetRow = Selectable<DatasetsTable>;

/** The columns that a summary is made of: lists need not read the heavy ones. */
export const summaryColumns = DatasetSummary.keyof().options;
export type SummaryRow = Pick<DatasetRow, (typeof summaryColumns)[number]>;

export function toDatasetSummary(row: SummaryRow): DatasetSummary {
  return {
    id: row.id,
    category_id: row.category_id,
    dg_id: row.dg_id,
    start_date: row.start_date,
    end_date: row.end_date,
    name: row.name,
    description: row.description,
    unit: row.unit,
    file_type: row.file_type,
    size_bytes: row.size_bytes,
    status: row.status,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function toDataset(row: DatasetRow): Dataset {
  const bbox = Dataset.shape.bbox.parse(row.bbox ?? undefined);
  return {
    ...toDatasetSummary(row),
    filename: row.filename,
    storage_key: row.storage_key,
    cog_storage_key: row.cog_storage_key,
    sld_storage_key: row.sld_storage_key,
    sld_filename: row.sld_filename,
    sld_content_type: row.sld_content_type,
    content_type: row.content_type,
    meta: row.meta === null ? null : parseVerbatim(row.meta),
    automated: row.automated,
    attribute_columns: fromJson(z.array(AttributeColumn), row.attribute_columns),
    kato_column: row.kato_column,
    year_columns: fromJson(z.array(YearColumn), row.year_columns),
    parse_error: row.parse_error,
    ...(bbox === undefined ? {} : { bbox }),
  };
}

function fromJson<T>(schema: z.ZodType<T>, text: string | null): T | null {
  return text === null ? null : schema.parse(JSON.parse(text));
}
