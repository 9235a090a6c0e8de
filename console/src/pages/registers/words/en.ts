import { pluralsOf } from '../../../words/plural.ts';

const plural = pluralsOf('en');
const units = { one: 'unit', other: 'units' };

export const registers = {
  title: 'Registers side by side',
  lead: 'Two tables by KATO, or a table and the areas of a raster: the difference of each unit, the largest first, with the reasons that the service can know. A difference does not mean that a register is wrong.',
  side: { a: 'First register', b: 'Second register' },
  swap: 'Swap the registers',
  dataset: 'Dataset',
  none: 'choose a table or a raster',
  find: 'Find datasets',
  tables: 'Tables by KATO',
  rasters: 'Rasters',
  column: 'Column',
  ofColumn: (column: string, date: string) => `${column} – ${date}`,
  classes: 'Classes that count',
  factor: 'Multiply the values by',
  factorHint: (unit: string) =>
    `Values are in “${unit}”. Nothing is converted without a number here; 1000 makes hectares of thousand hectares.`,
  factorHintWithout:
    'The table names no unit. Nothing is converted without a number here; 1 takes the values as they are.',
  wrongFactor: 'Write a number greater than 0, such as 1000.',
  choose: 'Choose two registers.',
  loadFailed: 'The datasets could not be read.',
  failed: 'The registers could not be compared.',
  counting:
    'The service is counting the hectares of the raster. This is done once; the comparison appears here automatically.',
  totals: 'Sums',
  difference: 'Difference',
  differenceOf: 'second less first',
  ha: 'ha',
  share: 'Share of the first',
  inBoth: (count: string, value: number) => `${count} ${plural(value, units)} in both registers.`,
  onlyIn: {
    a: (count: string, value: number, sum: string) =>
      `${count} ${plural(value, units)} only in the first register, together ${sum}.`,
    b: (count: string, value: number, sum: string) =>
      `${count} ${plural(value, units)} only in the second register, together ${sum}.`,
  },
  whole: 'Reasons that concern all units',
  by: 'Units',
  levels: {
    republic: 'Country',
    region: 'Regions',
    district: 'Districts',
    okrug: 'Rural districts',
    settlement: 'Settlements',
  },
  map: 'Map of the differences',
  mapLabel: 'Map of the differences. Arrow keys move it, plus and minus zoom.',
  mapFailed: 'The borders of the units could not be loaded.',
  table: 'Unit by unit',
  tableLabel: 'Units and their differences',
  unit: 'Unit',
  reasons: 'Reasons that are known',
  noReasons: 'none',
  show: (name: string) => `Show on the map: ${name}`,
  more: (count: number) => `Show ${count} more`,
  nothing: 'Neither register has a number on this level.',
  csv: 'CSV',
  xlsx: 'Excel',
  sheet: 'Sheet for printing',
  report: 'Report',
};
