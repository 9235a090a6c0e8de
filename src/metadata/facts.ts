import type { Database } from '../database/tables/tables.ts';
import { getDataset } from '../datasets/queries.ts';
import { readReport } from '../datasets/report.ts';
import type { DatasetRow } from '../datasets/schema.ts';
import { nodeWords } from '../landscape/groups/graph-words.ts';
import { readLineage } from '../landscape/runs/lineage.ts';
import type { Language } from '../messages/languages/translate.ts';
import type { MetadataFields } from './schema.ts';
import { noFields, readMetadata, readWithFeatures } from './stored.ts';

/** The organisation responsible for datasets that name none. */
export interface Publisher {
  readonly organisation: string | undefined;
  readonly email: string | undefined;
  /** The URL of a licence, or the conditions of use as a text. */
  readonly licence: string | undefined;
}

/** West, south, east, north in degrees; west > east across 180°. */
export type Box = readonly [number, number, number, number];

/** The facts for the record of a dataset. */
export interface RecordFacts {
  readonly dataset: Pick<
    DatasetRow,
    | 'id'
    | 'name'
    | 'unit'
    | 'file_type'
    | 'status'
    | 'filename'
    | 'size_bytes'
    | 'start_date'
    | 'end_date'
    | 'created_at'
    | 'updated_at'
  >;
  readonly abstract: string | null;
  readonly category: { readonly code: string; readonly name: string };
  readonly group: { readonly id: string; readonly name: string } | null;
  readonly box: Box | null;
  /** `EPSG:n`, otherwise WKT; null when the data do not lie on the earth, or have not been read yet. */
  readonly crs: string | null;
  readonly grid: Grid | null;
  /** True if the single features of a vector were written. */
  readonly hasFeatures: boolean;
  readonly organisation: string | null;
  readonly email: string | null;
  readonly licence: string | null;
  readonly fields: MetadataFields;
  /** The time of the last change of the dataset or its record. */
  readonly changedAt: Date;
  /** The node, its title and the run that made an output. */
  readonly made: { readonly node: string; readonly runId: string; readonly title: string } | null;
  readonly sources: readonly Source[];
  /** Warns of invented values; null without any. */
  readonly warning: string | null;
}

interface Grid {
  readonly columns: number;
  readonly rows: number;
  /** Size of a pixel; null if the unit is neither metre nor degree. */
  readonly resolution: { readonly size: number; readonly unit: 'm' | 'deg' } | null;
}

interface Source {
  readonly name: string;
  readonly sha256: string | null;
}

interface FactsOptions {
  readonly db: Database;
  readonly publisher: Publisher;
  /** Finds the extent of a ready vector or table by KATO; null without geometry. */
  readonly boxOfVector: (id: string) => Promise<Box | null>;
}

/** Limit of uploads that the record of an output names as its sources. */
const maxSources = 50;

/** Reads the facts of one dataset. @throws {Problem} `not_found` */
export async function readFacts(
  { db, publisher, boxOfVector }: FactsOptions,
  id: string,
  language: Language,
): Promise<RecordFacts> {
  const dataset = await getDataset(db, id);
  const [report, own, lineage, filed, withFeatures] = await Promise.all([
    readReport(db, id),
    readMetadata(db, [id]),
    readLineage(db, id, language),
    readPlace(db, id),
    readWithFeatures(db, [id]),
  ]);
  const { fields, changedAt } = own.get(id) ?? { fields: noFields, changedAt: dataset.updated_at };
  const [first, ...others] = lineage.steps;
  const [node, runId] = [first?.node ?? null, first?.run_id ?? null];
  const words = node === null ? undefined : nodeWords(language, node);
  const raster = report?.raster ?? undefined;
  const isRaster = dataset.file_type === 'raster';
  const crs = isRaster ? (raster?.crs ?? null) : dataset.status === 'ready' ? 'EPSG:4326' : null;
  const isReadyVector = !isRaster && dataset.status === 'ready';
  return {
    dataset,
    abstract: textOf(dataset.description) ?? words?.reading ?? null,
    ...filed,
    box: isReadyVector ? await boxOfVector(id) : crs === null ? null : boxOf(dataset.bbox),
    crs,
    grid:
      raster === undefined
        ? null
        : { columns: raster.width, rows: raster.height, resolution: resolutionOf(raster) },
    ...responsibleFor(fields, publisher),
    fields,
    changedAt: changedAt > dataset.updated_at ? changedAt : dataset.updated_at,
    hasFeatures: withFeatures.has(id),
    made: node === null || runId === null ? null : { node, runId, title: words?.title ?? node },
    sources: others
      .filter((step) => step.node === null)
      .slice(0, maxSources)
      .map(({ name, filename, dataset_id, sha256 }) => ({
        name: [name ?? dataset_id, filename].filter((text) => text !== null && text !== '').join(', '),
        sha256,
      })),
    warning: lineage.warning,
  };
}

/** Returns the organisation responsible for a dataset, and its licence: its own, otherwise those of the service. */
export function responsibleFor(fields: MetadataFields, publisher: Publisher) {
  return {
    organisation: textOf(fields.organisation) ?? publisher.organisation ?? null,
    email: fields.email ?? publisher.email ?? null,
    licence: textOf(fields.licence) ?? publisher.licence ?? null,
  };
}

export function boxOf(numbers: readonly number[] | null): Box | null {
  if (numbers?.length !== 4) return null;
  const [west = 0, south = 0, east = 0, north = 0] = numbers;
  return [west, south, east, north];
}

/** Returns a text; null for a blank text. */
function textOf(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text;
}

async function readPlace(db: Database, id: string): Promise<Pick<RecordFacts, 'category' | 'group'>> {
  const row = await db
    .selectFrom('datasets')
    .innerJoin('categories', 'categories.id', 'datasets.category_id')
    .leftJoin('dataset_groups', 'dataset_groups.id', 'datasets.dg_id')
    .select([
      'categories.code',
      'categories.name',
      'dataset_groups.id as dg_id',
      'dataset_groups.name as dg_name',
    ])
    .where('datasets.id', '=', id)
    .executeTakeFirst();
  const { dg_id: groupId = null, dg_name: groupName = null } = row ?? {};
  return {
    category: { code: row?.code ?? '', name: row?.name ?? '' },
    group: groupId === null ? null : { id: groupId, name: groupName ?? '' },
  };
}

function resolutionOf({
  resolution,
  proj,
}: {
  readonly resolution: readonly number[] | null;
  readonly proj?: string | null | undefined;
}) {
  const size = Math.abs(resolution?.[0] ?? 0);
  if (size === 0 || typeof proj !== 'string') return null;
  if (proj.includes('+proj=longlat')) return { size, unit: 'deg' as const };
  return /\+units=(?!m\b)|\+to_meter/.test(proj) ? null : { size, unit: 'm' as const };
}
