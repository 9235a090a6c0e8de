import type { DatasetAreas } from './areas-schema.ts';

/** Spreadsheets take a text that begins so for a formula. */
const formula = /^[=+\-@\t\r]/;
const special = /[",\r\n]/;

/** Writes the rows of areas as CSV (RFC 4180), hectares not rounded; a class that does not occur in a unit has 0. */
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
    text(row.kato),
    text(row.name),
    row.level,
    row.area_ha,
    ...classes.map(({ value }) => row.classes[value] ?? 0),
    row.no_data_ha,
    row.outside_raster_ha,
  ]);
  return [head, ...lines].map((cells) => `${cells.join(',')}\r\n`).join('');
}

function text(value: string): string {
  const safe = formula.test(value) ? `'${value}` : value;
  return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
