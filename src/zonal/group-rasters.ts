import { sql } from 'kysely';
import type { Database } from '../database/tables/tables.ts';
import { periodName, periodOf, type RasterPeriod } from './zonal-table.ts';

/** A ready raster of a group. */
export interface GroupRaster {
  readonly id: string;
  readonly name: string;
  readonly unit: string | null;
  readonly category_id: string;
  readonly start_date: string | null;
  readonly end_date: string | null;
  readonly cog: string;
}

export type DatedRaster = GroupRaster & { readonly period: RasterPeriod };

/** The rasters of a group, sorted by their use in a table. */
export interface SortedRasters {
  /** In chronological order; of rasters with the same dates, the newest. */
  readonly chosen: readonly DatedRaster[];
  readonly withoutDates: readonly GroupRaster[];
  readonly replaced: readonly GroupRaster[];
  /** The newest raster, with or without dates. */
  readonly newest: GroupRaster | undefined;
}

export async function readGroupRasters(db: Database, groupId: string): Promise<SortedRasters> {
  const rasters = await db
    .selectFrom('datasets')
    .innerJoin('dataset_files as file', (join) =>
      join.onRef('file.dataset_id', '=', 'datasets.id').on('file.kind', '=', 'cog'),
    )
    .select([
      'datasets.id',
      'datasets.name',
      'datasets.unit',
      'datasets.category_id',
      'datasets.start_date',
      'datasets.end_date',
      'file.object_key as cog',
    ])
    .where('datasets.dg_id', '=', groupId)
    .where('datasets.file_type', '=', 'raster')
    .where('datasets.status', '=', 'ready')
    .orderBy(sql`datasets.created_at desc, datasets.id`)
    .execute();
  const chosen = new Map<string, DatedRaster>();
  const withoutDates: GroupRaster[] = [];
  const replaced: GroupRaster[] = [];
  for (const raster of rasters) {
    const period = periodOf(raster);
    if (period === undefined) withoutDates.push(raster);
    else if (chosen.has(periodName(period))) replaced.push(raster);
    else chosen.set(periodName(period), { ...raster, period });
  }
  // Ordered by start, then by end: in maps, a later column takes precedence over earlier ones.
  const ordered = [...chosen.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { chosen: ordered.map(([, raster]) => raster), withoutDates, replaced, newest: rasters[0] };
}
