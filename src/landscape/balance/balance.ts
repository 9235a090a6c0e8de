import { method } from '../../areas/by-unit.ts';
import { type Language, translate } from '../../messages/languages/translate.ts';
import { zoningWords } from '../../messages/zoning/english.ts';
import { isContested } from '../../../common/landscape/cells.ts';
import { codeOfCell, type ZoningCase, zoneOfCode, zoningCodes } from '../../../common/landscape/zoning.ts';
import type { Balance, BalanceLand, OrderShare } from './balance-schema.ts';
import { type CellTable, type Land, shareOf, sumOf } from './land.ts';

/** Returns the first members of every answer about the land of a run. */
export function headOf(runId: string, { by, districtsVersion }: Pick<CellTable, 'by' | 'districtsVersion'>) {
  return {
    run_id: runId,
    unit: 'ha',
    method,
    by,
    districts_version: districtsVersion,
  } as const;
}

/** Returns parameters in the form of answers. */
export function writtenCase(zoning: ZoningCase) {
  return { ...zoning, tie_priority: [...zoning.tie_priority] };
}

interface BalanceOf {
  readonly runId: string;
  readonly runCase: ZoningCase;
  readonly zoning: ZoningCase;
  readonly language: Language;
}

/** Evaluates a case for the land of a run. */
export function balanceOf(table: CellTable, { runId, runCase, zoning, language }: BalanceOf): Balance {
  const codes = table.cells.map((cell) => codeOfCell(cell, zoning));
  const landOf = (land: Land): BalanceLand => ({
    area_ha: land.area_ha,
    not_allocable_ha: land.not_allocable_ha,
    no_data_ha: land.no_data_ha,
    ha: [...land.ha],
    zones: [1, 2, 3].map((zone) => sumOf(land, (place) => zoneOfCode(codes[place] ?? 0) === zone)),
    functional: zoningCodes.map((code) => sumOf(land, (place) => codes[place] === code)),
  });
  return {
    ...headOf(runId, table),
    run_params: writtenCase(runCase),
    params: writtenCase(zoning),
    cells: table.cells.map(({ s, e, mask }) => [s, e, mask]),
    codes: [...zoningCodes],
    units: table.units.map((land) => ({
      ...land.unit,
      outside_raster_ha: land.outside_raster_ha,
      ...landOf(land),
    })),
    raster: landOf(table.raster),
    outside_units: landOf(table.outside),
    chosen_by_order: orderShareOf(table, language),
  };
}

/** Computes the share of the land on which the order determines the sector: the sentence below every legend, report and sheet. */
export function orderShareOf({ cells, raster }: CellTable, language: Language): OrderShare {
  const contested = sumOf(raster, (place) => isContestedAt(cells, place));
  const share = shareOf(
    contested,
    sumOf(raster, () => true),
  );
  const sentence = share === null ? null : translate(zoningWords.chosenByOrder(share), language);
  return { share, sentence };
}

export function isContestedAt(cells: CellTable['cells'], place: number): boolean {
  const cell = cells[place];
  return cell !== undefined && isContested(cell);
}
