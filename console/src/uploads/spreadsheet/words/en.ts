import { formatNumber } from '../../../../../common/formats/numbers.ts';
import type { CountedMark, FaultCode, Remark, RemarkCode, Role } from '../../../spreadsheets/model/types.ts';
import { type Forms, pluralsOf } from '../../../words/plural.ts';
import { statusNames } from '../../../words/statuses.ts';

const plural = pluralsOf('en');
const number = (count: number): string => formatNumber(count, 'en');
const counted = (count: number, forms: Forms): string => `${number(count)} ${plural(count, forms)}`;
const rows = (count: number): string => counted(count, { one: 'row', other: 'rows' });
const cells = (count: number): string => counted(count, { one: 'cell', other: 'cells' });
const columns = (count: number): string => counted(count, { one: 'column', other: 'columns' });

const faults: Readonly<Record<FaultCode, (where: string) => string>> = {
  empty: () => 'The file is empty.',
  oldExcel: () =>
    'This is a workbook of Excel 4 or older. Open it in LibreOffice, save it as .xlsx, and drop that file here.',
  encrypted: () =>
    'This workbook has a password. Open it, save a copy without a password, and drop that copy here.',
  otherSpreadsheet: () =>
    'This kind of spreadsheet, such as .xlsb or a web page named .xls, is not read here. Save it as .xlsx, and drop that file here.',
  notSpreadsheet: () => 'This is not a spreadsheet. Steppe reads .xlsx, .xls, .ods, .csv and .tsv.',
  damaged: (where) =>
    `The spreadsheet is damaged and cannot be read${at(where)}. Open it in Excel or LibreOffice and save it again.`,
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
    'Reading the spreadsheet took too long and was stopped. Keep the sheet that you need, and delete the others.',
  workerFailed: () =>
    'Reading the spreadsheet has ended early: there was not enough memory, or a part of the page did not load. Reload the page and try again.',
  noTable: (where) =>
    `There is no table on this sheet${at(where)}: no row with a header and values below it.`,
  formulasOnly: (where) =>
    `The formulas of this sheet were saved without their values${at(where)}. Open the file in Excel or LibreOffice, save it, and drop it here again.`,
  unquotedCommas: (where) =>
    `The rows have more cells than the header${at(where)}: the numbers have decimal commas, and commas separate the cells as well. Save the file with semicolons or tabs, or as .xlsx.`,
  resultTooLarge: () =>
    'The table is larger than this service accepts. Keep the rows and columns that you need.',
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
  missingMarks: ({ count, text, row, marks = [] }) =>
    `${cells(count)} with a sign in the place of a value were left empty, first “${text}” in row ${row}${marks.length === 0 ? '' : `. The signs become remarks: ${signs(marks)}`}.`,
  errorCells: ({ count, text, row }) =>
    `${cells(count)} with an error were left empty, first ${text} in row ${row}.`,
  formulasWithoutValue: ({ count }) =>
    `${cells(count)} with a formula were saved without its value and are empty. Open the file in Excel or LibreOffice and save it again.`,
  negatives: ({ count, text, became, row }) =>
    `${cells(count)} with a number in brackets were read as negative: ${text} in row ${row} as ${became}.`,
  footnoteMarks: ({ count, text, became, row, marks = [] }) =>
    `${cells(count)} have a mark after the number: ${text} in row ${row} is ${became}. The marks become remarks: ${signs(marks)}.`,
  percents: ({ count, column, text }) =>
    `“${column}”: ${cells(count)} in percent; ${text} is the number before the sign.`,
  textInValues: ({ count, column, text, row }) =>
    `“${column}”: ${cells(count)} with text among the numbers, first “${text}” in row ${row}.`,
  decimalCommasAssumed: ({ column, text }) =>
    `“${column}”: the meaning of the comma in numbers such as ${text} is not certain; it was read as a decimal comma.`,
  mixedCommas: ({ column, text }) =>
    `“${column}”: some commas separate thousands and others are decimal commas${text === undefined ? '' : `; ${text} was read with a decimal comma`}.`,
  decimalPointsAssumed: ({ column, text }) =>
    `“${column}”: the meaning of the point in numbers such as ${text} is not certain; it was read as a decimal point.`,
  mixedPoints: ({ column, text }) =>
    `“${column}”: some points separate thousands and others are decimal points${text === undefined ? '' : `; ${text} was read with a decimal point`}.`,
  namesRepeated: ({ text }) => `Columns with the same name “${text}” were given numbers.`,
  noHeader: () => 'No header was found; the columns are called by their letters.',
  periodAbove: ({ text, became }) =>
    `The columns do not state a period. It was taken from “${text}”: ${became}.`,
  partAbove: ({ text, became }) =>
    `The columns name years alone. The day or the part of the year was taken from “${text}”: ${became}.`,
  periodsOpen: ({ count, text }) =>
    `${columns(count)} with a period that is not fully understood, and so without a date: first “${text}”. Set the period when you choose the columns.`,
  severalTables: ({ count, text }) =>
    `This sheet has ${number(count)} tables, which are not joined. Shown is ${text}.`,
  mergedValues: ({ count, text, row, column }) =>
    `${cells(count)} share a number with other rows or columns and were left empty, because it belongs to none of them alone: first ${text} in row ${row}, “${column}”.`,
  hiddenKept: ({ count, text, row }) =>
    `The workbook hides ${rows(count)} and ${columns(Number(text))} of this sheet; they were read nevertheless${row === undefined ? '' : `, first row ${row}`}.`,
  hiddenLeftOut: ({ count, text }) =>
    `${rows(count)} and ${columns(Number(text))} that the workbook hides were left out.`,
  valuesDivided: ({ count, text, became, row }) =>
    `${cells(count)} were read as their format shows them: ${text} in row ${row} as ${became}.`,
  charsetGuessed: ({ text }) =>
    `The letters of this file are not Unicode. They were read as ${text}, the most likely encoding; check the names.`,
  bytesLost: ({ count }) => `${number(count)} bytes match no letter and were replaced by “\ufffd”.`,
  commasJoined: ({ count }) =>
    `${rows(count)} had decimal commas without quotes between cells that are separated by commas; whole numbers and their fractions were joined.`,
  rowsLonger: ({ count, row }) =>
    `${rows(count)} have more cells than the header, first row ${row}. Where numbers follow its last column, all numbers of the row were left out.`,
  groupsFilled: ({ count, text, row, column }) =>
    `“${column}” is written once for its group; ${rows(count)} took it from above, first “${text}” in row ${row}.`,
  placesTwice: ({ count, text, row }) =>
    `${rows(count)} repeat a place of an earlier row, first “${text}” in row ${row}. A map shows the last row of each place.`,
  codesShort: ({ count, column, text }) =>
    `“${column}”: ${cells(count)} have fewer than nine digits, such as ${text}; the names are used instead.`,
  partsFound: ({ count, text, row }) =>
    `${rows(count)} are parts of the place above them and became columns, first “${text}” in row ${row}.`,
  partsAssumed: ({ text, row }) =>
    `It is not certain which amount ${row === undefined ? `the columns behind “${text}” are parts of` : `“${text}” in row ${row} is a part of`}. Check the names of the columns.`,
  partsOpen: ({ count, text, row }) =>
    `${rows(count)} behind “of which” may be places or parts of the place above. They were kept as places, first “${text}” in row ${row}.`,
  remarksLeftOut: ({ count }) =>
    `The table has too many columns: the remarks on ${columns(count)} of values were left out.`,
  unitsMixed: ({ text }) =>
    `The rows have different units in the same columns: ${text}. Such values cannot be compared; keep the rows of one unit.`,
  cellsCopied: ({ count, text, row, column }) =>
    `“${column}”: ${cells(count)} took the text of the merged cell above, first “${text}” in row ${row}.`,
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

/** Marks with their meanings, each with its number of cells. */
function signs(marks: readonly CountedMark[]): string {
  return marks
    .map(({ sign, status, count }) => `“${sign}” ${statusNames.en[status]} (${number(count)})`)
    .join(', ');
}

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
  sheetTable: 'Table on this sheet',
  chooseTable: (count: number): string =>
    `This sheet has ${number(count)} tables. Choose one; the others can be sent after it.`,
  codesDiffer: (count: number, first: string): string =>
    `${counted(count, { one: 'code is', other: 'codes are' })} not that of the place in the same row: first “${first}”. The codes are sent; choose another role for their column where the names are right.`,
  withoutHidden: 'Leave out hidden rows and columns',
  headerFirst: 'Header begins in row',
  headerLines: 'Lines of the header',
  columnRole: (name: string): string => `Content of “${name}”`,
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
  keepsOriginal: 'The original file is kept with the table if it is small enough.',
  keepsTable: 'Only the table is kept.',
  needsKey: 'Choose the column of codes, or of names of places.',
  needsValues: 'Choose at least one column of values.',
  codeColumn: 'KATO',
  send: 'Send the table',
  again: 'Try again',
  faults,
  unit: 'Unit of the values',
  unitOfAll: 'Read in the table; the map and the legend show it.',
  unitsDiffer: (units: readonly string[]): string =>
    `The columns have different units: ${units.join(', ')}. Columns for the map and a conversion are chosen in the next step.`,
  remark: remarks,
};
