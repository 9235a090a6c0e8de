import type { CellTable, Land } from '../balance/land.ts';
import { codeOfCell, notAllocableCode, type ZoningCase } from '../../../common/landscape/zoning.ts';
import type { GraphNode } from '../model/node.ts';
import type { LandscapeRun } from '../runs/schema.ts';
import { inputsThatDiffer } from './differences.ts';
import type { CountedPairs, CountedPart } from './matrix.ts';
import { squareMetresPerHectare } from '../../../common/formats/hectares.ts';

/**
 * Returns whether the zonings of two runs follow from the same land: nothing that they depend on differs but thresholds and the order of
 * sectors. @param node that is compared; zones of permitted use also stand where land cannot be allotted, which the balance does not tell apart.
 */
export function isFromSameLand(node: GraphNode, a: LandscapeRun, b: LandscapeRun): boolean {
  return node.code === zoningCode && inputsThatDiffer(node, a, b).every(({ matters }) => !matters);
}

const zoningCode = '34';

/** Finds the classes that both cases give each cell of the land. */
export function pairsOfBalance(
  { cells, raster, units, outsideUnits, by }: CellTable,
  a: ZoningCase,
  b: ZoningCase,
): CountedPairs {
  const pairs = [
    ...cells.map((cell) => ({ a: codeOfCell(cell, a), b: codeOfCell(cell, b) })),
    { a: notAllocableCode, b: notAllocableCode },
    { a: null, b: null },
  ];
  const [notAllocable, none] = [cells.length, cells.length + 1];
  const partOf = ({ ha, notAllocableHa, noDataHa }: Omit<Land, 'areaHa'>): CountedPart => ({
    areas: [
      ...ha.map((hectares, pair) => ({ pair, area: hectares * squareMetresPerHectare })),
      { pair: notAllocable, area: notAllocableHa * squareMetresPerHectare },
      { pair: none, area: noDataHa * squareMetresPerHectare },
    ].filter(({ area }) => area > 0),
  });
  return {
    pairs,
    whole: partOf(raster),
    units:
      by === 'all'
        ? []
        : units.map((land) => ({
            id: land.unit.kato,
            area: land.areaHa * squareMetresPerHectare,
            outside: land.outsideHa * squareMetresPerHectare,
            ...partOf(land),
          })),
    rest: partOf(outsideUnits),
  };
}
