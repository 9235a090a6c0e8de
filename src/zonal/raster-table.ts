import type { ValuesResult } from '../geo/protocol.ts';
import { makeDataset } from '../datasets/made/made-dataset.ts';
import { getDataset } from '../datasets/queries.ts';
import { findMissingReferences } from '../datasets/references.ts';
import type { DatasetRow } from '../datasets/schema.ts';
import type { UploadDependencies } from '../datasets/upload/upload.ts';
import { invalidFields } from '../lib/errors.ts';
import { zonalProblems } from '../messages/areas/english.ts';
import { maxNameCharacters } from '../validation/fields.ts';
import { refuseSenseless, type ZonalAsked } from './zonal-answers.ts';
import type { ZonalTableInput } from './zonal-schema.ts';
import { createZonalTable, periodOf } from './zonal-table.ts';

/** Returns the source of a table of statistics, as stored in its `meta`. */
export function originOf(
  { by, stats, minValidShare, valuesAre }: ZonalAsked,
  more: { readonly districtsVersion: number } & (
    | { readonly rasterId: string }
    | { readonly groupId: string; readonly rasters: number }
  ),
) {
  const { districtsVersion, ...of } = more;
  const from = 'rasterId' in of ? { dataset_id: of.rasterId } : { group_id: of.groupId, rasters: of.rasters };
  return {
    zonal: {
      ...from,
      by,
      stats,
      min_valid_share: minValidShare,
      values_are: valuesAre,
      districts_version: districtsVersion,
      method: 'geodesic WGS 84, coverage fraction',
    },
  };
}

/** Returns the name of a table for which the client gave none. */
export function tableName(of: string, { stats }: Pick<ZonalAsked, 'stats'>): string {
  const end = ` · ${stats[0] ?? ''}`;
  return `${[...of].slice(0, maxNameCharacters - end.length).join('')}${end}`;
}

/** Returns the unit of the values of a table. */
export function tableUnit(unit: string | null, { stats }: Pick<ZonalAsked, 'stats'>): string | null {
  return stats[0] === 'valid_share' ? null : unit;
}

/**
 * Prepares a table of statistics of a ready raster; the returned function makes the table from the figures.
 * @throws {Problem} `not_found`; `conflict` for a raster without dates; `invalid` for a sum of values that are not counts, or for unknown
 * references.
 */
export async function makeRasterTable(
  dependencies: UploadDependencies,
  rasterId: string,
  input: ZonalTableInput,
): Promise<(figures: ValuesResult, districtsVersion: number) => Promise<DatasetRow>> {
  const { by, values_are: valuesAre, min_valid_share: minValidShare } = input;
  const asked: ZonalAsked = { by, stats: [...new Set(input.stats)], minValidShare, valuesAre };
  refuseSenseless(asked);
  const missing = await findMissingReferences(dependencies.db, input);
  if (Object.keys(missing).length > 0) throw invalidFields(missing);
  const raster = await getDataset(dependencies.db, rasterId);
  const period = periodOf(raster);
  if (period === undefined) throw zonalProblems.noDates();
  return async (figures, districtsVersion) => {
    const table = createZonalTable(asked);
    table.add(period, figures);
    const { content, mapped } = await table.finish();
    const made = {
      filename: `zonal-${asked.stats[0] ?? ''}.geojson`,
      mapped,
      fields: {
        fileType: 'vector_with_kato',
        name: input.name ?? tableName(raster.name, asked),
        categoryId: input.category_id ?? raster.category_id,
        groupId: input.dg_id ?? null,
        description: input.description ?? null,
        unit: tableUnit(raster.unit, asked),
        startDate: raster.start_date,
        endDate: raster.end_date,
        meta: originOf(asked, { rasterId, districtsVersion }),
      },
    } as const;
    return await makeDataset(dependencies, made, content);
  };
}
