import writeExcelFile from 'write-excel-file/node';
import type { Language } from '../messages/languages/translate.ts';
import { translate } from '../messages/languages/translate.ts';
import { areaWords } from '../messages/hectares.ts';
import type { DatasetAreas } from './areas-schema.ts';
import { withoutTimes } from './zip-times.ts';

/** What the first sheet tells of the areas. */
export interface WorkbookFacts {
  /** The name of the raster. */
  readonly title: string;
  readonly countedAt: Date;
}

const hectares = '#,##0.00';
const bold = { fontWeight: 'bold' } as const;
/** What no XML can hold, in whatever form. */
// eslint-disable-next-line no-control-regex
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/**
 * Writes areas as a workbook of two sheets: what they are, and the table. Codes and names are text cells, which no program takes for formulas or
 * numbers; hectares are numbers, shown with two decimals and not rounded. Equal areas give equal bytes.
 */
export async function areasWorkbook(
  areas: DatasetAreas,
  { title, countedAt }: WorkbookFacts,
  language: Language,
): Promise<Buffer> {
  const say = (word: keyof typeof areaWords) => translate(areaWords[word], language);
  const text = (value: string) => ({
    value: value.toWellFormed().replaceAll(unwritable, '\ufffd'),
    type: String,
  });
  const head = (value: string) => ({ ...text(value), ...bold, wrap: true });
  const number = (value: number) => ({ value, type: Number, format: hectares });
  const { classes } = areas;
  const about = [
    [head(say('title'))],
    [head(say('raster')), text(title)],
    [head(say('dataset')), text(areas.dataset_id)],
    [head(say('digest')), text(areas.digest ?? '')],
    [head(say('counted')), text(countedAt.toISOString())],
    [head(say('units')), text(say(areas.by))],
    [head(say('version')), text(String(areas.districts_version))],
    [head(say('method')), text(say('methodText'))],
    [head(say('sum')), text(say('sumText'))],
    [head(say('reading')), text(say('readingText'))],
  ];
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
  ) => [
    number(row.area_ha),
    ...classes.map(({ value }) => number(row.classes[value] ?? 0)),
    number(row.no_data_ha),
    ...(row.outside_raster_ha === undefined ? [] : [number(row.outside_raster_ha)]),
  ];
  const nameOf = (row: DatasetAreas['rows'][number]) =>
    ({ ru: row.name, kk: row.name_kk ?? row.name, en: row.name_en ?? row.name })[language];
  const table = [
    columns.map(head),
    ...areas.rows.map((row) => [text(row.kato), text(nameOf(row)), text(say(row.level)), ...cells(row)]),
    [null, head(say('total')), null, ...cells(areas.total)],
    [null, head(say('outsideUnits')), null, ...cells(areas.outside_units)],
    [null, head(say('overlap')), null, ...cells(areas.overlap)],
    [null, head(say('wholeRaster')), null, ...cells(areas.raster)],
  ];
  const wide = (width: number) => ({ width });
  const file = await writeExcelFile([
    { data: about, sheet: say('aboutSheet'), columns: [wide(28), wide(110)] },
    {
      data: table,
      sheet: say('areasSheet'),
      columns: [wide(12), wide(32), wide(12), ...columns.slice(3).map(() => wide(18))],
      stickyRowsCount: 1,
      stickyColumnsCount: 2,
    },
  ]).toBuffer();
  return withoutTimes(file);
}
