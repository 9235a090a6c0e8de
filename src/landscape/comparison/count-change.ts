import { areasOf } from '../../areas/area-counts.ts';
import { readUnits } from '../../areas/by-unit.ts';
import type { PendingResult } from '../../jobs/results.ts';
import { Problem } from '../../lib/errors.ts';
import { runCaseOf } from '../balance/case-query.ts';
import type { CountedLand, ZonedRuns } from '../balance/zoned-runs.ts';
import type { LandscapeRun } from '../runs/schema.ts';
import type { AreaLevels } from '../../areas/areas-schema.ts';
import type { RunComparison } from './compare-schema.ts';
import type { ComparedRasters } from './compared-runs.ts';
import { type CountedPairs, pairsOf, type CountedPart } from './matrix.ts';
import type { CellTable, Land } from '../balance/land.ts';
import {
  codeOfCell,
  notAllocableCode,
  type ZoningCase,
  zoningCode,
} from '../../../common/landscape/zoning.ts';
import type { GraphNode } from '../model/node.ts';
import { inputsThatDiffer } from './differences.ts';

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

/**
 * Returns whether the zonings of two runs follow from the same land: they differ only in thresholds and the order of sectors.
 * @param node the compared node; zones of permitted use also cover land not allocable, which the balance does not distinguish.
 */
export function isFromSameLand(node: GraphNode, a: LandscapeRun, b: LandscapeRun): boolean {
  return node.code === zoningCode && inputsThatDiffer(node, a, b).every(({ matters }) => !matters);
}

/** Returns the classes of each cell of the land in both cases. */
export function pairsOfBalance(
  { cells, raster, units, outside }: CellTable,
  a: ZoningCase,
  b: ZoningCase,
): CountedPairs {
  const pairs = [
    ...cells.map((cell) => ({ a: codeOfCell(cell, a), b: codeOfCell(cell, b) })),
    { a: notAllocableCode, b: notAllocableCode },
    { a: null, b: null },
  ];
  const partOf = ({ ha, not_allocable_ha: notAllocable, no_data_ha: noData }: Land): CountedPart => ({
    areas: [...ha, notAllocable, noData].flatMap((area, pair) => (area > 0 ? [[pair, area] as const] : [])),
  });
  return {
    pairs,
    raster: partOf(raster),
    outside: partOf(outside),
    units: units.map((land) => ({ ...land, ...partOf(land) })),
  };
}
