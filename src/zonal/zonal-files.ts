import { aboutUnits, hectaresCell, unitCells, type WorkbookFacts } from '../areas/areas-workbook.ts';
import type { UnitTable } from '../areas/unit-table.ts';
import { unitWorkbook } from '../areas/unit-workbook.ts';
import { areaWords } from '../messages/hectares.ts';
import { type Language, translate } from '../messages/languages/translate.ts';
import { unitName } from '../messages/languages/unit-name.ts';
import { zonalWords } from '../messages/zonal.ts';
import type { DatasetZonal, ZonalStat } from './zonal-schema.ts';

/** Lays statistics out as a table, not rounded. */
export function zonalTable({ stats, rows }: DatasetZonal, language: Language): UnitTable {
  return {
    columns: [
      { name: 'kato', type: 'text' },
      { name: 'name', type: 'text' },
      { name: 'level', type: 'text' },
      { name: 'area_ha', type: 'number' },
      { name: 'valid_ha', type: 'number' },
      ...stats.map((name) => ({ name, type: 'number' }) as const),
      { name: 'reason', type: 'text' },
    ],
    rows: rows.map((row) => [
      row.kato,
      unitName(row, language),
      row.level,
      row.area_ha,
      row.valid_ha,
      ...stats.map((stat) => row.values[stat] ?? null),
      row.reason,
    ]),
  };
}

/** Writes statistics as a workbook. */
export async function zonalWorkbook(
  zonal: DatasetZonal,
  facts: WorkbookFacts,
  language: Language,
): Promise<Buffer> {
  const say = (word: Exclude<keyof typeof zonalWords, 'quantile'>) => translate(zonalWords[word], language);
  const sayArea = (word: keyof typeof areaWords) => translate(areaWords[word], language);
  const reasons = { no_values: say('noValues'), below_min_valid_share: say('belowMinimum') };
  const { stats, value_unit: unit } = zonal;
  const heads = stats.map((stat) => {
    const title = statTitle(stat, language);
    return unit === null || stat === 'valid_share' ? title : `${title}, ${unit}`;
  });
  return await unitWorkbook({
    title: say('title'),
    about: [
      ...aboutUnits(zonal, facts, language),
      [say('valuesAre'), say(zonal.values_are)],
      [say('minimum'), String(zonal.min_valid_share)],
      [say('statistics'), say('statisticsText')],
      [sayArea('reading'), sayArea('readingText')],
    ],
    sheets: { about: sayArea('aboutSheet'), table: say('sheet') },
    columns: [
      sayArea('code'),
      sayArea('name'),
      sayArea('level'),
      sayArea('area'),
      say('valid'),
      ...heads,
      say('reason'),
    ],
    rows: zonal.rows.map((row) => [
      ...unitCells(row, language),
      hectaresCell(row.area_ha),
      hectaresCell(row.valid_ha),
      ...stats.map((stat) => row.values[stat] ?? null),
      row.reason === null ? null : reasons[row.reason],
    ]),
  });
}

/** Returns what a statistic is called. */
export function statTitle(stat: ZonalStat, language: Language): string {
  switch (stat) {
    case 'mean':
    case 'min':
    case 'max':
    case 'sd':
    case 'sum':
      return translate(zonalWords[stat], language);
    case 'valid_share':
      return translate(zonalWords.validShare, language);
    default:
      return translate(zonalWords.quantile(Number(stat.slice(1))), language);
  }
}
