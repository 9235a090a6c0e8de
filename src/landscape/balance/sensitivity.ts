import { type Language, translate } from '../../messages/languages/translate.ts';
import { zoningWords } from '../../messages/zoning/english.ts';
import { type Variant, variantsOf } from '../../../common/landscape/variants.ts';
import { codeOfCell, type ZoningCase, zoneOfCode } from '../../../common/landscape/zoning.ts';
import { headOf, writtenCase } from './balance.ts';
import { type CellTable, type Land, shareOf, sumOf } from './land.ts';
import type { Sensitivity, SensitivityCase, SensitivityChange } from './sensitivity-schema.ts';

/** Changes each parameter of a case by one step. */
export function sensitivityOf(
  table: CellTable,
  { runId, zoning, language }: { runId: string; zoning: ZoningCase; language: Language },
): Sensitivity {
  const before = table.cells.map((cell) => codeOfCell(cell, zoning));
  const tried = variantsOf(zoning).map((variant) => ({
    variant,
    moves: movesOf(table.cells, before, variant),
  }));
  const zoned = sumOf(table.raster, () => true);
  return {
    ...headOf(runId, table),
    params: writtenCase(zoning),
    zoned_ha: zoned,
    cases: tried.map(({ variant, moves }) => {
      const raster = changeOn(table.raster, moves);
      return {
        ...namesOf(variant, language),
        params: variant.zoning === undefined ? null : writtenCase(variant.zoning),
        inert: raster?.changed_ha === 0,
        changed_share: raster && shareOf(raster.changed_ha, zoned),
        raster,
      };
    }),
    units: table.units.map((land) => ({
      ...land.unit,
      zoned_ha: sumOf(land, () => true),
      changes: tried.map(({ moves }) => changeOn(land, moves)),
    })),
  };
}

/** A cell whose code a variant changes: its index in the table, and its zones before and after. */
interface Move {
  readonly place: number;
  readonly from: number;
  readonly to: number;
}

function movesOf(cells: CellTable['cells'], before: readonly number[], { zoning }: Variant) {
  return (
    zoning &&
    cells.flatMap((cell, place): Move[] => {
      const [code = 0, after] = [before[place], codeOfCell(cell, zoning)];
      return after === code ? [] : [{ place, from: zoneOfCode(code), to: zoneOfCode(after) }];
    })
  );
}

function changeOn({ ha }: Land, moves: readonly Move[] | undefined): SensitivityChange | null {
  if (moves === undefined) return null;
  const sum = (isWanted: (move: Move) => boolean) =>
    moves.reduce((total, move) => (isWanted(move) ? total + (ha[move.place] ?? 0) : total), 0);
  return {
    changed_ha: sum(() => true),
    zones: [1, 2, 3].map((zone) => ({
      zone,
      gained_ha: sum(({ from, to }) => from !== to && to === zone),
      lost_ha: sum(({ from, to }) => from !== to && from === zone),
    })),
  };
}

type Names = Pick<SensitivityCase, 'kind' | 'param' | 'from' | 'to' | 'sectors' | 'invalid'>;

function namesOf(variant: Variant, language: Language): Names {
  if (variant.kind === 'order') {
    const { kind, sectors } = variant;
    return { kind, param: 'tie_priority', from: null, to: null, sectors: [...sectors], invalid: null };
  }
  const { kind, param, from, to, zoning } = variant;
  const invalid = zoning === undefined ? translate(zoningWords.beyondClasses(to), language) : null;
  return { kind, param, from, to, sectors: null, invalid };
}
