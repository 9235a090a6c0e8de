import type { Language } from '../messages/languages/translate.ts';
import { translate } from '../messages/languages/translate.ts';
import { unitName } from '../messages/languages/unit-name.ts';
import { areaWords } from '../messages/hectares.ts';
import type { DatasetAreas } from './areas-schema.ts';
import { unitWorkbook } from './unit-workbook.ts';

/** The facts about the count that the last sheet lists. */
export interface WorkbookFacts {
  /** The name of the raster. */
  readonly title: string;
  readonly countedAt: Date;
}

/** A cell that shows two decimals of hectares, which are not rounded. */
export const hectaresCell = (value: number) => ({ value, style: 'hectares' }) as const;
const headCell = (value: string) => ({ value, style: 'head' }) as const;

/** Writes areas as a workbook. */
export async function areasWorkbook(
  areas: DatasetAreas,
  facts: WorkbookFacts,
  language: Language,
): Promise<Buffer> {
  const say = (word: keyof typeof areaWords) => translate(areaWords[word], language);
  const { classes } = areas;
  const columns = [
    say('code'),
    say('name'),
    say('level'),
    say('area'),
    ...classes.map(
      ({ value, title: name }) => `${value}${name === null ? '' : ` · ${name}`}, ${say('unit')}`,
    ),
    say('noData'),
    say('outsideRaster'),
  ];
  const cells = (
    row: Omit<DatasetAreas['total'], 'outside_raster_ha'> & { readonly outside_raster_ha?: number },
  ) =>
    [
      row.area_ha,
      ...classes.map(({ value }) => row.classes[value] ?? 0),
      row.no_data_ha,
      ...(row.outside_raster_ha === undefined ? [] : [row.outside_raster_ha]),
    ].map(hectaresCell);
  return await unitWorkbook({
    title: say('title'),
    about: [
      ...aboutUnits(areas, facts, language),
      [say('sum'), say('sumText')],
      [say('reading'), say('readingText')],
    ],
    sheets: { about: say('aboutSheet'), table: say('areasSheet') },
    columns,
    rows: [
      ...areas.rows.map((row) => [...unitCells(row, language), ...cells(row)]),
      [null, headCell(say('total')), null, ...cells(areas.total)],
      [null, headCell(say('outsideUnits')), null, ...cells(areas.outside_units)],
      [null, headCell(say('overlap')), null, ...cells(areas.overlap)],
      [null, headCell(say('wholeRaster')), null, ...cells(areas.raster)],
    ],
  });
}

/** Returns what was counted over which units, and how, for the last sheet. */
export function aboutUnits(
  counted: Pick<DatasetAreas, 'dataset_id' | 'digest' | 'by' | 'districts_version'>,
  { title, countedAt }: WorkbookFacts,
  language: Language,
): (readonly [name: string, text: string])[] {
  const say = (word: keyof typeof areaWords) => translate(areaWords[word], language);
  return [
    [say('raster'), title],
    [say('dataset'), counted.dataset_id],
    [say('digest'), counted.digest ?? ''],
    [say('counted'), countedAt.toISOString()],
    [say('units'), say(counted.by)],
    [say('version'), String(counted.districts_version)],
    [say('method'), say('methodText')],
  ];
}

/** Returns the cells of code, name and level of a unit. */
export function unitCells(
  row: Pick<DatasetAreas['rows'][number], 'kato' | 'name' | 'name_kk' | 'name_en' | 'level'>,
  language: Language,
) {
  const code = { value: row.kato, style: 'code' } as const;
  return [code, unitName(row, language), translate(areaWords[row.level], language)];
}
