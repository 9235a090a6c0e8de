import type { CellTable, Land } from '../balance/land.ts';
import {
  codeOfCell,
  notAllocableCode,
  type ZoningCase,
  zoningCode,
} from '../../../common/landscape/zoning.ts';
import type { GraphNode } from '../model/node.ts';
import type { LandscapeRun } from '../runs/schema.ts';
import { inputsThatDiffer } from './differences.ts';
import type { CountedPairs, CountedPart } from './matrix.ts';

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
