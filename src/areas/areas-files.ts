import type { TableForm } from '../http/files/table-forms.ts';
import { areaWords } from '../messages/areas/english.ts';
import { type Language, translate } from '../messages/languages/translate.ts';
import type { DatasetAreas } from './areas-schema.ts';
import { hectaresColumn, unitFile, type UnitTable, type WorkbookFacts } from './unit-files.ts';

/** Land of a unit; `outside_raster_ha` is missing for land of the raster. */
type Row = DatasetAreas['raster'] & Partial<DatasetAreas['total']>;

/** Lays areas out as a table, hectares not rounded; a class that does not occur in a unit has 0. */
export function areasTable({ classes, rows }: DatasetAreas, language: Language): UnitTable<Row> {
  const say = (word: keyof typeof areaWords) => translate(areaWords[word], language);
  return {
    language,
    rows,
    columns: [
      hectaresColumn('area_ha', say('area'), (row) => row.area_ha),
      ...classes.map(({ value, title }) =>
        hectaresColumn<Row>(
          `class_${value}_ha`,
          `${value}${title === null ? '' : ` · ${title}`}, ${say('unit')}`,
          (row) => row.classes[value] ?? 0,
        ),
      ),
      hectaresColumn('no_data_ha', say('noData'), (row) => row.no_data_ha),
      hectaresColumn('outside_raster_ha', say('outsideRaster'), (row) => row.outside_raster_ha ?? null),
    ],
  };
}

/** Writes areas in a form. */
export async function areasFile(
  form: TableForm,
  areas: DatasetAreas,
  facts: WorkbookFacts,
  language: Language,
): Promise<Buffer> {
  const say = (word: keyof typeof areaWords) => translate(areaWords[word], language);
  const book = {
    title: say('title'),
    sheet: say('areasSheet'),
    facts,
    about: [[say('sum'), say('sumText')]],
    foot: [
      [say('total'), areas.total],
      [say('outsideUnits'), areas.outside_units],
      [say('overlap'), areas.overlap],
      [say('wholeRaster'), areas.raster],
    ],
  } as const;
  return await unitFile(form, areas, { ...areasTable(areas, language), book });
}
