import type { TableForm } from '../http/files/table-forms.ts';
import { areaWords } from '../messages/hectares.ts';
import { type Language, translate } from '../messages/languages/translate.ts';
import type { DatasetAreas } from './areas-schema.ts';
import {
  aboutUnits,
  hectaresColumn,
  type UnitBook,
  unitFile,
  type UnitTable,
  type WorkbookFacts,
} from './unit-files.ts';

/** Land of a unit; `outside_raster_ha` is missing for land of the raster. */
type Row = DatasetAreas['raster'] & Partial<DatasetAreas['total']>;

/** Lays areas out as a table, hectares not rounded; a class that does not occur in a unit has 0. */
export function areasTable({ classes, rows }: DatasetAreas, language: Language): UnitTable<Row> {
  const say = (word: keyof typeof areaWords) => translate(areaWords[word], language);
  return {
    language,
    rows,
    columns: [
      hectaresColumn('area_ha', say('area'), ({ area_ha: area }) => area),
      ...classes.map(({ value, title }) =>
        hectaresColumn<Row>(
          `class_${value}_ha`,
          `${value}${title === null ? '' : ` · ${title}`}, ${say('unit')}`,
          (row) => row.classes[value] ?? 0,
        ),
      ),
      hectaresColumn('no_data_ha', say('noData'), ({ no_data_ha: noData }) => noData),
      hectaresColumn(
        'outside_raster_ha',
        say('outsideRaster'),
        ({ outside_raster_ha: outside = null }) => outside,
      ),
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
  const bookOf = (): UnitBook<Row> => ({
    title: say('title'),
    sheet: say('areasSheet'),
    about: [
      ...aboutUnits(areas, facts, language),
      [say('sum'), say('sumText')],
      [say('reading'), say('readingText')],
    ],
    foot: [
      [say('total'), areas.total],
      [say('outsideUnits'), areas.outside_units],
      [say('overlap'), areas.overlap],
      [say('wholeRaster'), areas.raster],
    ],
  });
  return await unitFile(form, areas, { ...areasTable(areas, language), bookOf });
}
