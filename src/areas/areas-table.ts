import type { DatasetAreas } from './areas-schema.ts';
import type { Language } from '../messages/languages/translate.ts';
import { unitName } from '../messages/languages/unit-name.ts';
import type { UnitTable } from './unit-table.ts';

/** Lays the rows of areas out as a table, hectares not rounded; a class that does not occur in a unit has 0. */
export function areasTable({ classes, rows }: DatasetAreas, language: Language): UnitTable {
  return {
    columns: [
      { name: 'kato', type: 'text' },
      { name: 'name', type: 'text' },
      { name: 'level', type: 'text' },
      { name: 'area_ha', type: 'number' },
      ...classes.map(({ value }) => ({ name: `class_${value}_ha`, type: 'number' }) as const),
      { name: 'no_data_ha', type: 'number' },
      { name: 'outside_raster_ha', type: 'number' },
    ],
    rows: rows.map((row) => [
      row.kato,
      unitName(row, language),
      row.level,
      row.area_ha,
      ...classes.map(({ value }) => row.classes[value] ?? 0),
      row.no_data_ha,
      row.outside_raster_ha,
    ]),
  };
}
