import { listed, quoted } from '../../lib/readable.ts';
import { conflict, invalid, sentences } from '../base/define.ts';

/** The first or the second of two registers. */
type Side = 'a' | 'b';
const nth = (side: Side) => ({ a: 'first', b: 'second' })[side];

/** Reasons not to compare two registers. */
export const registerProblems = sentences('registers', {
  noValues: invalid(
    (name: string) =>
      `${quoted(name)} is a vector, which has no values by unit: choose a table by KATO or a raster of classes`,
  ),
  onlyTables: invalid(
    (parameter: string, name: string) => `${parameter} is for tables, and ${quoted(name)} is a raster`,
  ),
  onlyRasters: invalid(
    (parameter: string, name: string) => `${parameter} is for rasters, and ${quoted(name)} is a table`,
  ),
  noSuchDate: invalid(
    (name: string, date: string, dates: readonly string[]) =>
      `the table ${quoted(name)} has no values of ${date}; it has ${listed(dates)}`,
  ),
  noSuchClass: invalid(
    (name: string, value: number, values: readonly string[]) =>
      `the raster ${quoted(name)} has no class ${value}; it has ${listed(values)}`,
  ),
  unitsDiffer: invalid(
    (a: string, b: string) =>
      `one register is in ${quoted(a)} and the other in ${quoted(b)}: send a_factor or b_factor, the number by which the values of one register have to be multiplied, such as 1000 for thousand hectares`,
  ),
  notHectares: invalid(
    (name: string, unit: string, parameter: string) =>
      `the table ${quoted(name)} is in ${quoted(unit)} and a raster in hectares: send ${parameter}, the number of hectares in one of its units, such as 1000 for thousand hectares`,
  ),
  unitUnknown: invalid(
    (name: string, parameter: string) =>
      `the table ${quoted(name)} does not name its unit of measurement: send ${parameter}, the number by which its values have to be multiplied, or 1`,
  ),
  tooManyCodes: invalid(
    (name: string, most: number) =>
      `the table ${quoted(name)} has more than ${most} codes, too many to compare`,
  ),
  noMap: conflict(() => 'none of the compared units has borders, so there is no map of the differences'),
});

/** Reasons for differences that the service can know. */
export const registerReasons = sentences('register_reason', {
  dates: (a: string, b: string) => `The first register is of ${a}, the second of ${b}.`,
  noDate: (side: Side) => `The ${nth(side)} register has no date.`,
  factor: (side: Side, unit: string, factor: string) =>
    `The values of the ${nth(side)} register${unit === '' ? '' : `, in ${quoted(unit)},`} were multiplied by ${factor}, as requested.`,
  bordersOfToday: (side: Side, version: number) =>
    `The hectares of the ${nth(side)} register were counted within the borders of today, version ${version} of the units; a table may refer to other borders.`,
  classesLeft: (side: Side, names: readonly string[]) =>
    `Of the ${nth(side)} register, these classes were not chosen: ${listed(names)}.`,
  outsideUnits: (side: Side, hectares: string) =>
    `Of the ${nth(side)} register, ${hectares} ha of the chosen classes lie in no unit of this level.`,
  unknownCodes: (side: Side, codes: readonly string[]) =>
    `The ${nth(side)} register has codes that name no unit: ${listed(codes)}.`,
  notListed: (side: Side) => `The ${nth(side)} register does not list the unit.`,
  noNumber: (side: Side, text: string) =>
    text === ''
      ? `The ${nth(side)} register has an empty cell.`
      : `The ${nth(side)} register has ${quoted(text)} in place of a number.`,
  noBorders: (side: Side) =>
    `The service has no borders of the unit, so the ${nth(side)} register could not be counted in it.`,
  outsideRaster: (side: Side, hectares: string) =>
    `${hectares} ha of the unit lie outside the raster of the ${nth(side)} register.`,
  noData: (side: Side, hectares: string) =>
    `The raster of the ${nth(side)} register has no data on ${hectares} ha of the unit.`,
  notChosen: (side: Side, hectares: string) =>
    `Of the ${nth(side)} register, ${hectares} ha are in classes that were not chosen.`,
  landChanged: (date: string) => `The borders of the unit changed on ${date}, between the two registers.`,
  otherCode: (side: Side, code: string, date: string) =>
    `The ${nth(side)} register lists the unit under its code of before ${date}, ${code}.`,
  ended: (date: string, codes: readonly string[]) =>
    codes.length === 0
      ? `The unit ended on ${date}.`
      : `The unit ended on ${date}; its land belongs to ${listed(codes)}.`,
  began: (side: Side, date: string) =>
    `The unit exists since ${date}, after the day of the ${nth(side)} register.`,
});

export const registerWords = sentences('register_word', {
  title: 'Registers side by side',
  sheet: 'Differences',
  comparison: (a: string, b: string) => `${a} and ${b}`,
  sideOf: (side: Side) => ({ a: 'First register', b: 'Second register' })[side],
  inUnit: (text: string, unit: string) => (unit === '' ? text : `${text}, ${unit}`),
  ha: 'ha',
  difference: 'Difference: second less first',
  differenceShort: 'Difference',
  share: 'Share of the first',
  reasons: 'Reasons that are known',
  shareColumn: 'Difference as a share of the first',
  bothTotal: 'Units in both',
  onlyA: 'Only in the first',
  onlyB: 'Only in the second',
  only: (side: Side) => `Only in the ${nth(side)} register`,
  alike: 'no difference',
  within: (bound: string) => `less than ${bound} either way`,
  moreThan: (from: string, to: string) => `second more by ${from} to ${to}`,
  lessThan: (from: string, to: string) => `second less by ${from} to ${to}`,
  moreFrom: (from: string) => `second more by ${from} or more`,
  lessFrom: (from: string) => `second less by ${from} or more`,
  dataset: (side: Side) => ({ a: 'First register, dataset id', b: 'Second register, dataset id' })[side],
  period: (side: Side) => ({ a: 'First register, date', b: 'Second register, date' })[side],
  classes: (side: Side) => ({ a: 'First register, classes', b: 'Second register, classes' })[side],
  allClasses: 'all',
  measure: (side: Side) => ({ a: 'First register, unit', b: 'Second register, unit' })[side],
  multiplied: (unit: string, factor: string) => `${unit}, multiplied by ${factor}`,
  units: 'Units',
  version: 'Version of the units',
  reading: 'How to read it',
  readingText:
    'A difference does not mean that a register is wrong: each has its own date, borders, classes and method. The reasons are those that the service can know; others are possible.',
  whole: 'Reasons that concern all units',
  largest: 'The largest differences',
  table: 'All units, the largest difference first',
  map: 'Map of the differences',
  noMap: 'None of the compared units has borders.',
  inBoth: (units: number) =>
    units === 1 ? 'One unit is in both registers.' : `${units} units are in both registers.`,
  onlyIn: (side: Side, units: number, sum: string) =>
    `${units === 1 ? 'One unit is' : `${units} units are`} only in the ${nth(side)} register, together ${sum}.`,
});

/** The sentences of this folder that have translations, by the area that prefixes their codes. */
export const english = {
  registers: registerProblems,
  register_reason: registerReasons,
  register_word: registerWords,
};
