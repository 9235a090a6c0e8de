import type { FaultCode, Remark, RemarkCode, Role } from '../../spreadsheets/types.ts';
import { type Forms, pluralsOf } from '../plural.ts';

const plural = pluralsOf('en');
const number = new Intl.NumberFormat('en');
const counted = (count: number, forms: Forms): string => `${number.format(count)} ${plural(count, forms)}`;
const rows = (count: number): string => counted(count, { one: 'row', other: 'rows' });
const cells = (count: number): string => counted(count, { one: 'cell', other: 'cells' });
const columns = (count: number): string => counted(count, { one: 'column', other: 'columns' });

const faults: Readonly<Record<FaultCode, (where: string) => string>> = {
  empty: () => 'The file is empty.',
  oldExcel: () =>
    'This is an .xls file of Excel before 2007. Open it in Excel or LibreOffice, save it as .xlsx, and drop that file here.',
  encrypted: () =>
    'This workbook has a password. Open it, save a copy without a password, and drop that copy here.',
  otherSpreadsheet: () =>
    'This kind of spreadsheet is not read here. Save it as .xlsx or .csv, and drop that file here.',
  notSpreadsheet: () => 'This is not a spreadsheet. Steppe reads .xlsx, .csv and .tsv.',
  damaged: (where) =>
    `The spreadsheet is damaged and cannot be read${at(where)}. Open it in Excel or LibreOffice and save it once more.`,
  tooLarge: (where) =>
    `The spreadsheet is too large to be read in a browser${at(where)}. Keep the sheet that you need, and delete the others.`,
  tooManyFiles: (where) => `The workbook has more parts than any real one${at(where)}.`,
  tooTight: (where) =>
    `A part of the workbook unpacks to more than two hundred times its size, which no real one does${at(where)}. It was not read.`,
  documentType: (where) =>
    `The workbook declares a document type, which no spreadsheet program writes${at(where)}. It was not read.`,
  tooManyCells: (where) =>
    `The sheet has more cells than can be read in a browser${at(where)}. Keep the rows and columns that you need.`,
  noSheets: () => 'The workbook has no sheet with cells.',
  tooSlow: () =>
    'The spreadsheet took too long and was given up. Keep the sheet that you need, and delete the others.',
  workerFailed: () =>
    'The reading of the spreadsheet has ended early: memory did not suffice, or a part of the page did not load. Reload the page and try again.',
  noTable: (where) =>
    `There is no table on this sheet${at(where)}: no row with a header and values below it.`,
  resultTooLarge: () =>
    'The table is larger than this service takes. Keep the rows and columns that you need.',
};

const remarks: Readonly<Record<RemarkCode, (remark: Remark) => string>> = {
  noKey: () => 'No column has KATO codes or names of districts. Choose it in the header of the table.',
  codesRepaired: ({ count, text, became }) =>
    `${cells(count)} with a code changed by a program: ${text} was read as ${became}.`,
  codesWereNumbers: ({ count, text }) =>
    `${cells(count)} had a code as a number, such as ${text}; all are text now.`,
  codesShortened: ({ count, text, became }) =>
    `${cells(count)} with a code in exponent form, which may have lost digits: ${text} was read as ${became}. Check these rows.`,
  codesUnreadable: ({ count, text, row }) =>
    `${cells(count)} in the column of codes without a code, first “${text}” in row ${row}.`,
  totalsKept: ({ count, text, row }) =>
    `${rows(count)} that look like totals were kept, first “${text}” in row ${row}.`,
  turned: ({ count }) =>
    `The districts stood from left to right; the table was turned. Rows of the remarks are columns of the sheet. Districts: ${count}.`,
  rowsLeftOut: ({ count, text, row }) =>
    `${rows(count)} without values were left out, first row ${row}: “${text}”.`,
  missingMarks: ({ count, text, row }) =>
    `${cells(count)} with a sign for no value were left empty, first “${text}” in row ${row}.`,
  errorCells: ({ count, text, row }) =>
    `${cells(count)} with an error were left empty, first ${text} in row ${row}.`,
  formulasWithoutValue: ({ count }) =>
    `${cells(count)} with a formula were saved without its value and are empty. Open the file in Excel or LibreOffice and save it once more.`,
  percents: ({ count, column, text }) =>
    `“${column}”: ${cells(count)} in percent; ${text} is the number before the sign.`,
  textInValues: ({ count, column, text, row }) =>
    `“${column}”: ${cells(count)} with text among the numbers, first “${text}” in row ${row}.`,
  decimalCommasAssumed: ({ column, text }) =>
    `“${column}”: it is not certain what the comma means in numbers such as ${text}; it was read as a decimal comma.`,
  mixedCommas: ({ column, text }) =>
    `“${column}”: some commas part thousands and others are decimal commas${text === undefined ? '' : `; ${text} was read with a decimal comma`}.`,
  namesRepeated: ({ text }) => `Columns with the same name “${text}” were given numbers.`,
  noHeader: () => 'No header was found; the columns are called by their letters.',
  periodAbove: ({ text, became }) =>
    `The columns do not say their time. It was taken from “${text}”: ${became}.`,
  valuesTwice: ({ count, row, column }) =>
    `${cells(count)} with a second value for the same place and time, first in row ${row} for “${column}”; the first value was kept.`,
  periodsUnreadable: ({ count, row, text }) =>
    `${rows(count)} with a time that cannot be read were left out, first “${text}” in row ${row}.`,
  columnsLeftOut: ({ text }) =>
    `The column “${text}” differs between rows of the same place and was left out.`,
};

const roles: Readonly<Record<Role, string>> = {
  code: 'KATO code',
  name: 'Name of place',
  region: 'Name of region',
  period: 'Time',
  indicator: 'Indicator',
  value: 'Value',
  note: 'Other',
};

function at(where: string): string {
  return where === '' ? '' : ` (${where})`;
}

export const en = {
  title: 'Spreadsheet',
  reading: 'Reading the spreadsheet…',
  working: 'Working…',
  packing: 'Making the table…',
  sheet: 'Sheet',
  sheetName: (name: string, count: number, isHidden: boolean): string =>
    `${name} · ${rows(count)}${isHidden ? ' · hidden' : ''}`,
  headerFirst: 'Header begins in row',
  headerLines: 'Lines of the header',
  columnRole: (name: string): string => `What “${name}” is`,
  roles,
  row: 'Row',
  table: (count: number, width: number): string => `${rows(count)}, ${columns(width)}`,
  shown: (count: number, width: number): string =>
    `The first ${rows(count)} and ${columns(width)} are shown; all are sent.`,
  scroll: 'The table as it will be sent; scroll to see all of it',
  widen: (count: number): string =>
    `Turn the long table wide: one row for each place, ${columns(count)} of values`,
  remarks: (count: number): string => counted(count, { one: 'remark', other: 'remarks' }),
  notes: 'Below the table',
  name: 'Name of the dataset',
  keepsOriginal: 'The original file is kept with the table, where it is small enough.',
  keepsTable: 'The table alone is kept.',
  needsKey: 'Choose the column of codes, or of names of places.',
  needsValues: 'Choose at least one column of values.',
  codeColumn: 'KATO',
  send: 'Send the table',
  again: 'Try again',
  faults,
  remark: remarks,
};
