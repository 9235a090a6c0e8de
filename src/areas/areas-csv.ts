import type { DatasetAreas } from './areas-schema.ts';
import { csvText } from '../lib/csv-text.ts';

/** Writes the rows of areas as CSV, hectares not rounded; a class that does not occur in a unit has 0. */
export function areasCsv({ classes, rows }: Pick<DatasetAreas, 'classes' | 'rows'>): string {
  const head = [
    'kato',
    'name',
    'level',
    'area_ha',
    ...classes.map(({ value }) => `class_${value}_ha`),
    'no_data_ha',
    'outside_raster_ha',
  ];
  const lines = rows.map((row) => [
    row.kato,
    row.name,
    row.level,
    row.area_ha,
    ...classes.map(({ value }) => row.classes[value] ?? 0),
    row.no_data_ha,
    row.outside_raster_ha,
  ]);
  return csvText([head, ...lines]);
}
