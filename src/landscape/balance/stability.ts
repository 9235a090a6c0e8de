import { type Language, translate } from '../../messages/languages/translate.ts';
import { zoningWords } from '../../messages/zoning/english.ts';
import { createStabilityOf, type Stability as Kind } from '../../../common/landscape/stability.ts';
import { variantsOf } from '../../../common/landscape/variants.ts';
import { codeOfCell, type ZoningCase, zoningCodes } from '../../../common/landscape/zoning.ts';
import { headOf, writtenCase } from './balance.ts';
import { stabilityColours } from './cell-colours.ts';
import { type CellTable, type Land, shareOf, sumOf } from './land.ts';
import type { Stability } from './stability-schema.ts';

/** Titles of the classes, by number. */
export const stabilityTitles = {
  1: zoningWords.keptByAll,
  2: zoningWords.movedByThresholds,
  3: zoningWords.movedByOrder,
  4: zoningWords.movedByBoth,
} as const;

const kinds = [1, 2, 3, 4] as const;

/** Finds the land that keeps its code when thresholds change, when the order changes, and in both cases. */
export function stabilityOf(
  table: CellTable,
  { runId, zoning, language }: { runId: string; zoning: ZoningCase; language: Language },
): Stability {
  const kindOf = createStabilityOf(zoning);
  const found = table.cells.map(kindOf);
  const codes = table.cells.map((cell) => codeOfCell(cell, zoning));
  const valid = variantsOf(zoning).filter((variant) => variant.zoning !== undefined);
  const figuresOf = (land: Land, isOwn: (place: number) => boolean = () => true) => {
    const zoned = sumOf(land, isOwn);
    const kept = (...wanted: readonly Kind[]) => {
      const ha = sumOf(land, (place) => isOwn(place) && wanted.some((kind) => kind === found[place]));
      return { ha, share: shareOf(ha, zoned) };
    };
    return { zoned_ha: zoned, thresholds: kept(1, 3), order: kept(1, 2), both: kept(1) };
  };
  return {
    ...headOf(runId, table),
    params: writtenCase(zoning),
    cases: {
      thresholds: valid.filter(({ kind }) => kind === 'threshold').length,
      order: valid.filter(({ kind }) => kind === 'order').length,
    },
    ...figuresOf(table.raster),
    codes: zoningCodes
      .filter((code) => codes.includes(code))
      .map((code) => ({ code, ...figuresOf(table.raster, (place) => codes[place] === code) })),
    units: table.units.map((land) => ({ ...land.unit, ...figuresOf(land) })),
    legend: kinds.map((kind) => ({
      value: kind,
      title: translate(stabilityTitles[kind], language),
      color: stabilityColours[kind],
      ha: sumOf(table.raster, (place) => found[place] === kind),
    })),
  };
}
