import { areasOf } from '../../areas/area-counts.ts';
import { readUnits } from '../../areas/by-unit.ts';
import type { PendingResult } from '../../jobs/results.ts';
import { Problem } from '../../lib/errors.ts';
import { runCaseOf } from '../balance/case-query.ts';
import type { CountedLand, ZonedRuns } from '../balance/zoned-runs.ts';
import type { LandscapeRun } from '../runs/schema.ts';
import { isFromSameLand, pairsOfBalance } from './balance-pairs.ts';
import type { AreaLevels } from '../../areas/areas-schema.ts';
import type { RunComparison } from './compare-schema.ts';
import type { ComparedRasters } from './compared-runs.ts';
import { type CountedPairs, pairsOf } from './matrix.ts';

interface Dependencies {
  readonly areas: Parameters<typeof areasOf>[0];
  readonly zonedRuns: Pick<ZonedRuns, 'land'>;
}

interface Wanted {
  readonly a: LandscapeRun;
  readonly b: LandscapeRun;
  readonly rasters: Pick<ComparedRasters, 'node' | 'graphVersions'> & {
    readonly views: readonly Pick<ComparedRasters['views'][number], 'storedCogKey'>[];
  };
  readonly by: AreaLevels;
}

/** The land of two runs by pairs of classes; `read` fetches the figures. */
export interface CountedChange {
  readonly isPending: false;
  readonly countedFrom: RunComparison['counted_from'];
  read(): Promise<{ readonly counted: CountedPairs; readonly districtsVersion: number }>;
}

/**
 * Returns the land of two runs by pairs of classes, or has it counted: from the balance if both zonings follow from the same land,
 * otherwise from the pixels of both rasters.
 * @throws {Problem} when they cannot be counted.
 */
export async function countChange(
  dependencies: Dependencies,
  wanted: Wanted,
): Promise<CountedChange | PendingResult> {
  const { a, b, rasters, by } = wanted;
  const land = await landOf(dependencies, wanted);
  if (land?.isPending === true) return land;
  if (land !== undefined)
    return {
      isPending: false,
      countedFrom: 'balance',
      async read() {
        const table = await land.read();
        const counted = pairsOfBalance(table, runCaseOf(a.params), runCaseOf(b.params));
        return { counted, districtsVersion: table.districtsVersion };
      },
    };
  const cogs = rasters.views.map(({ storedCogKey }) => storedCogKey);
  const areas = await areasOf(dependencies.areas, { cogs });
  if (areas.isPending) return areas;
  const { districtsVersion } = areas;
  return {
    isPending: false,
    countedFrom: 'pixels',
    async read() {
      const names = await readUnits(dependencies.areas.db);
      return { counted: pairsOf(await areas.read(), { by, names }), districtsVersion };
    },
  };
}

/**
 * Returns the land; undefined if the zonings do not follow from the same land, or its rasters were deleted: then the pixels of the
 * zonings are counted.
 */
async function landOf(
  { zonedRuns }: Dependencies,
  { a, b, rasters, by }: Wanted,
): Promise<CountedLand | PendingResult | undefined> {
  const [versionOfA, versionOfB] = rasters.graphVersions;
  if (versionOfA !== versionOfB || !isFromSameLand(rasters.node, a, b)) return undefined;
  try {
    return await zonedRuns.land(a.id, by);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
