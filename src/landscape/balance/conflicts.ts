import { type Language, translate } from '../../messages/languages/translate.ts';
import { zoningWords } from '../../messages/zoning/english.ts';
import { type Cell, isContested, leastContestedS, sectorsOf } from '../../../common/landscape/cells.ts';
import { leadingSectorOf, type ZoningCase, zoneOfCell } from '../../../common/landscape/zoning.ts';
import { nodeWords } from '../groups/graph-words.ts';
import { headOf, isContestedAt, orderShareOf } from './balance.ts';
import { colourOfOthers, coloursOfSets } from './cell-colours.ts';
import type { Conflicts } from './conflicts-schema.ts';
import { type CellTable, type Land, shareOf, sumOf } from './land.ts';

/** Finds the land for which several sectors compete, and the result of the order of a case. */
export function conflictsOf(
  table: CellTable,
  { runId, zoning, language }: { runId: string; zoning: ZoningCase; language: Language },
): Conflicts {
  const { cells, raster } = table;
  const isDeveloped = (place: number) => {
    const cell = cells[place];
    return cell !== undefined && zoneOfCell(cell, zoning) !== 3;
  };
  const contestedOf = (land: Land) => sumOf(land, (place) => isContestedAt(cells, place));
  const kinds = kindsOf(cells);
  const rows = kinds
    .map((kind) => ({ kind, ha: sumOf(raster, (place) => isOf(cells[place], kind)) }))
    .toSorted(
      (one, other) => other.ha - one.ha || one.kind.mask - other.kind.mask || other.kind.s - one.kind.s,
    );
  const placesOf = cells.map((cell) => rows.findIndex(({ kind }) => isOf(cell, kind)));
  const allocable = sumOf(raster, () => true);
  const developed = sumOf(raster, isDeveloped);
  const developedContested = sumOf(raster, (place) => isDeveloped(place) && isContestedAt(cells, place));
  return {
    ...headOf(runId, table),
    tie_priority: [...zoning.tie_priority],
    least_s: leastContestedS,
    allocable_ha: allocable,
    contested_ha: contestedOf(raster),
    contested_share: shareOf(contestedOf(raster), allocable),
    contested_share_of_zones: shareOf(developedContested, developed),
    chosen_by_order: orderShareOf(table, language),
    rows: rows.map(({ kind, ha }) => ({
      sectors: [...sectorsOf(kind.mask)],
      s: kind.s,
      ha,
      decided_by: 'order',
      winner: leadingSectorOf(kind, zoning),
    })),
    sets: setsOf(table, language),
    units: table.units.map((land) => {
      const own = sumOf(land, () => true);
      const contested = contestedOf(land);
      return {
        ...land.unit,
        allocable_ha: own,
        contested_ha: contested,
        contested_share: shareOf(contested, own),
        ha: sumsBy(land, placesOf, rows.length),
      };
    }),
  };
}

/** Sums the hectares of cells by row; a cell with row -1 is left out. */
function sumsBy({ ha }: Land, rowOf: readonly number[], rows: number): number[] {
  const sums = Array.from({ length: rows }, () => 0);
  for (const [place, hectares] of ha.entries()) {
    const row = rowOf[place] ?? -1;
    if (row >= 0) sums[row] = (sums[row] ?? 0) + hectares;
  }
  return sums;
}

type Kind = Pick<Cell, 's' | 'mask'>;

/** Returns the kinds of contested land that occur, regardless of sensitivity. */
function kindsOf(cells: readonly Cell[]): readonly Kind[] {
  const found = new Map<number, Kind>();
  for (const cell of cells) if (isContested(cell)) found.set(32 * cell.s + cell.mask, cell);
  return [...found.values()];
}

function isOf(cell: Cell | undefined, { s, mask }: Kind): boolean {
  return cell !== undefined && cell.s === s && cell.mask === mask;
}

const legendSets = 8;

/** Returns the masks of the sets of sectors that compete for the most land, the largest first. */
export function largestSets({ cells, raster }: CellTable): readonly number[] {
  const sums = new Map<number, number>();
  for (const [place, cell] of cells.entries())
    if (isContested(cell)) sums.set(cell.mask, (sums.get(cell.mask) ?? 0) + (raster.ha[place] ?? 0));
  return [...sums]
    .toSorted(([maskA, haA], [maskB, haB]) => haB - haA || maskA - maskB)
    .slice(0, legendSets)
    .map(([mask]) => mask);
}

function setsOf(table: CellTable, language: Language): Conflicts['sets'] {
  const { cells, raster } = table;
  const largest = largestSets(table);
  const haOf = (isWanted: (mask: number) => boolean) =>
    sumOf(raster, (place) => isContestedAt(cells, place) && isWanted(cells[place]?.mask ?? 0));
  const colours = coloursOfSets(largest);
  return [
    ...largest.map((mask) => ({
      sectors: [...sectorsOf(mask)],
      title: titleOfSet(mask, language),
      color: colours.get(mask) ?? colourOfOthers,
      ha: haOf((own) => own === mask),
    })),
    {
      sectors: null,
      title: translate(zoningWords.otherSets, language),
      color: colourOfOthers,
      ha: haOf((own) => !largest.includes(own)),
    },
  ];
}

/** Names a set of sectors, such as `Snow retention + Crop`. */
export function titleOfSet(mask: number, language: Language): string {
  const { classes = {} } = nodeWords(language, '32');
  return sectorsOf(mask)
    .map((sector) => classes[sector] ?? String(sector))
    .join(' + ');
}
