import { hectaresColumn, unitFile, type WorkbookFacts } from '../areas/unit-files.ts';
import type { TableForm } from '../http/files/table-forms.ts';
import { areaWords, zonalWords } from '../messages/areas/english.ts';
import { type Language, translate } from '../messages/languages/translate.ts';
import type { DatasetZonal, ZonalRow, ZonalStat } from './zonal-schema.ts';

/** Writes statistics in a form, not rounded. */
export async function zonalFile(
  form: TableForm,
  zonal: DatasetZonal,
  facts: WorkbookFacts,
  language: Language,
): Promise<Buffer> {
  const say = (word: Exclude<keyof typeof zonalWords, 'quantile'>) => translate(zonalWords[word], language);
  const sayArea = (word: keyof typeof areaWords) => translate(areaWords[word], language);
  const reasons = { no_values: say('noValues'), below_min_valid_share: say('belowMinimum') };
  const { stats, rows, value_unit: unit } = zonal;
  const statColumn = (stat: ZonalStat) => {
    const title = statTitle(stat, language);
    return {
      name: stat,
      title: unit === null || stat === 'valid_share' ? title : `${title}, ${unit}`,
      type: 'number',
      valueOf: ({ values }: ZonalRow) => values[stat] ?? null,
    } as const;
  };
  const columns = [
    hectaresColumn('area_ha', sayArea('area'), ({ area_ha: area }: ZonalRow) => area),
    hectaresColumn('valid_ha', say('valid'), ({ valid_ha: valid }: ZonalRow) => valid),
    ...stats.map(statColumn),
    {
      name: 'reason',
      title: say('reason'),
      type: 'text',
      valueOf: ({ reason }: ZonalRow) => reason,
      cellOf: ({ reason }: ZonalRow) => reason && reasons[reason],
    } as const,
  ];
  const book = {
    title: say('title'),
    sheet: say('sheet'),
    facts,
    about: [
      [say('valuesAre'), say(zonal.values_are)],
      [say('minimum'), String(zonal.min_valid_share)],
      [say('statistics'), say('statisticsText')],
    ],
    foot: [],
  } as const;
  return await unitFile(form, zonal, { language, columns, rows, book });
}

/** Returns the title of a statistic. */
function statTitle(stat: ZonalStat, language: Language): string {
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
