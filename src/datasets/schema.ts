import { z } from 'zod';
import type { Selectable } from 'kysely';
import type { Tables } from '../database/tables/tables.ts';
import { listOfNumbers } from '../geo/findings.ts';
import { parseVerbatim } from '../json/verbatim-json.ts';
import { CalendarDate, Guid, timestamps, timestampsOf } from '../validation/fields.ts';
import { exampleDataset, exampleReference, exampleSummary } from '../lib/examples.ts';
import { type DatasetFile, findFile, originalOf } from './files.ts';
import { AttributeColumn, YearColumn } from '../table/mapping-schema.ts';

export const FileType = z
  .enum(['vector_with_kato', 'vector', 'raster'])
  .describe(
    '`vector`: features with geometry; `vector_with_kato`: a table of units by their KATO codes; `raster`: a grid of pixels',
  );
export type FileType = z.infer<typeof FileType>;

export const DatasetStatus = z
  .enum(['pending', 'processing', 'parsing', 'awaiting_mapping', 'extracting', 'ready', 'failed'])
  .describe(
    'Processing state: `awaiting_mapping` waits for `POST /datasets/{id}/mapping`, `ready` and `failed` are final',
  );

const Progress = z
  .number()
  .min(0)
  .max(1)
  .optional()
  .describe('Processed share of the file while `status` is `processing`; absent if unknown');

export const DatasetSummary = z
  .object({
    id: Guid.describe('Id of the dataset'),
    category_id: Guid.describe('Category of the dataset'),
    dg_id: Guid.nullable().describe('Dataset group, if any'),
    start_date: CalendarDate.nullable().describe('First day of the period that the data describe'),
    end_date: CalendarDate.nullable().describe(
      'Last day of the period; determines the freshest dataset of a group',
    ),
    name: z.string().describe('Name; by default the file name'),
    description: z.string().nullable().describe('Free text; null without one'),
    unit: z.string().nullable().describe('Unit of the values, such as `people`; null without one'),
    file_type: FileType,
    size_bytes: z.int().min(0).describe('Size of the original file'),
    status: DatasetStatus,
    ...timestamps,
  })
  .meta({ id: 'DatasetSummary', description: 'A dataset in lists', examples: [exampleSummary] });
export type DatasetSummary = z.infer<typeof DatasetSummary>;

const Reference = z
  .object({
    address: z.string().describe('Address of the file'),
    state: z
      .enum(['unchanged', 'changed', 'unreachable'])
      .describe('What the last look at the file has found; a changed file is not read'),
    reason: z.string().nullable().describe('Why it is changed or unreachable, in one sentence'),
    checked_at: z.iso.datetime().describe('Time of the last look'),
    copying: z.boolean().describe('True while the service copies the file; afterwards `reference` is absent'),
  })
  .meta({
    id: 'DatasetReference',
    description: 'A file that stays on another server',
    examples: [exampleReference],
  });

export const Dataset = z
  .object({
    ...DatasetSummary.shape,
    filename: z.string().describe('Original file name'),
    storage_key: z.string().describe('Object-store key of the original file'),
    cog_storage_key: z.string().nullable().describe('Set for rasters once the COG exists'),
    sld_storage_key: z.string().nullable().describe('Object-store key of its own style (SLD), if uploaded'),
    sld_filename: z.string().nullable().describe('File name of its own style'),
    sld_content_type: z.string().nullable().describe('Media type with which its own style was uploaded'),
    content_type: z.string().describe('Media type of the original file'),
    meta: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('Metadata of the user, preserved digit by digit'),
    automated: z.boolean().describe('True if the upload declared that a program sent it'),
    attribute_columns: z
      .array(AttributeColumn)
      .nullable()
      .describe('Columns of a `vector_with_kato` in the order of the file; null until they are detected'),
    kato_column: z.string().nullable().describe('Column of the KATO codes; null while it is not mapped'),
    year_columns: z.array(YearColumn).nullable().describe('Mapped columns; null while it is not mapped'),
    parse_error: z.string().nullable().describe('Reason of the failure if `status` is `failed`'),
    bbox: z
      .tuple([z.number(), z.number(), z.number(), z.number()])
      .meta(listOfNumbers)
      .optional()
      .describe('[minX, minY, maxX, maxY]; only for processed rasters'),
    progress: Progress,
    reference: Reference.optional().describe('Only of a file that stays on another server'),
  })
  .meta({
    id: 'Dataset',
    description: 'A dataset without its geometry and properties, which are in its GeoJSON',
    examples: [exampleDataset],
  });
export type Dataset = z.infer<typeof Dataset>;

export const DatasetStatusView = z
  .object({
    id: Guid.describe('Id of the dataset'),
    status: DatasetStatus,
    parse_error: Dataset.shape.parse_error,
    progress: Progress,
  })
  .meta({
    id: 'DatasetStatusView',
    description: 'The processing status of a dataset',
    examples: [{ id: exampleDataset.id, status: 'awaiting_mapping', parse_error: null }],
  });

/** Only searches need the extent. */
export type DatasetRow = Omit<Selectable<Tables['datasets']>, 'extent' | 'extent_known'> & {
  readonly files: readonly DatasetFile[];
};

/** Columns of a summary: lists do not read the large ones. */
export const summaryColumns = DatasetSummary.keyof().options;
export type SummaryRow = Pick<DatasetRow, (typeof summaryColumns)[number]>;

/** Builds the summary field by field in the order of the schema; constraints of the columns have validated the values. */
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
    ...timestampsOf(row),
  };
}

const AttributeColumns = Dataset.shape.attribute_columns;
const YearColumns = Dataset.shape.year_columns;

/** Builds the dataset for answers, with every digit of the user's `meta`. */
export function toDataset(row: DatasetRow): Dataset {
  const { attribute_columns: columns, year_columns: years, files } = row;
  return {
    ...toDatasetSummary(row),
    filename: row.filename,
    storage_key: originalOf(files),
    cog_storage_key: findFile(files, 'cog'),
    sld_storage_key: findFile(files, 'sld'),
    sld_filename: row.sld_filename,
    sld_content_type: row.sld_content_type,
    content_type: row.content_type,
    meta: row.meta === null ? null : parseVerbatim(row.meta),
    automated: row.automated,
    attribute_columns: columns === null ? null : AttributeColumns.parse(JSON.parse(columns)),
    kato_column: row.kato_column,
    year_columns: years === null ? null : YearColumns.parse(JSON.parse(years)),
    parse_error: row.parse_error,
    bbox: bboxOf(row.bbox),
    progress: progressOf(row),
    reference: referenceOf(files),
  };
}

function referenceOf(files: readonly DatasetFile[]): Dataset['reference'] {
  const { reference } = files.find(({ kind }) => kind === 'original') ?? {};
  if (reference === undefined) return undefined;
  const { address, state, reason, checkedAt, isCopying } = reference;
  const { english = null } = reason === null ? {} : StoredReason.parse(JSON.parse(reason));
  return {
    address,
    state,
    reason: english,
    checked_at: new Date(checkedAt).toISOString(),
    copying: isCopying,
  };
}

/** A message as it is stored. */
export const StoredReason = z.object({
  english: z.string(),
  sentence: z.object({ code: z.string(), facts: z.array(z.unknown()) }).optional(),
});

function bboxOf(numbers: readonly number[] | null): Dataset['bbox'] {
  return numbers === null ? undefined : Dataset.shape.bbox.parse(numbers);
}

/** Returns the progress of a dataset for answers. */
export function progressOf({
  status,
  progress,
}: Pick<DatasetRow, 'status' | 'progress'>): Dataset['progress'] {
  return status === 'processing' && progress !== null ? progress : undefined;
}
