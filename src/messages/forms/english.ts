import type { Message } from '../../lib/message.ts';
import { listed, quoted, readablePath } from '../../lib/readable.ts';
import { conflict, invalid, problem, sentences } from '../base/define.ts';
import { nextSteps } from '../datasets/english.ts';

type Status = keyof typeof nextSteps;

const again = 'Save it again in Excel or LibreOffice, and upload the new file.';
const unsafe = (what: string, remedy: string) => `The workbook ${what}, so it is not filled. ${remedy}`;

/** Faults of a workbook. */
export const spreadsheetProblems = sentences('workbook', {
  brokenArchive: invalid(
    (reason: Message) => `The workbook cannot be read; it is an archive of parts. ${reason.english}`,
  ),
  brokenPart: invalid((part: string) => `The workbook is damaged in ${readablePath(part)}. ${again}`),
  missingPart: invalid((part: string) => `The workbook has no part ${readablePath(part)}. ${again}`),
  repeatedPart: invalid(() => `The workbook has two parts of the same name. ${again}`),
  largePart: invalid(
    (part: string, mostMiB: number) =>
      `The part ${readablePath(part)} of the workbook has more than ${mostMiB} MiB. Delete the sheets and cells that the form does not need.`,
  ),
  otherEncoding: invalid((part: string) => `The part ${readablePath(part)} is not in UTF-8. ${again}`),
  entities: invalid((part: string) =>
    unsafe(
      `declares a document type in ${readablePath(part)}, which spreadsheet programs do not write`,
      again,
    ),
  ),
  tooManyParts: invalid(
    (most: number) => `The workbook has more than ${most} parts. Leave out what the form does not need.`,
  ),
  unpacksTooLarge: invalid(
    (mostMiB: number) => `The parts of the workbook have more than ${mostMiB} MiB together when unpacked.`,
  ),
  tooLarge: invalid((mostMiB: number) => `The workbook has more than ${mostMiB} MiB.`),
  tooManyCells: invalid(
    (most: number) =>
      `The workbook has more than ${most} cells with content. Leave out what the form does not need.`,
  ),
  tooManySheets: invalid((most: number) => `The workbook has more than ${most} sheets.`),
  tooManyNames: invalid((most: number) => `The workbook has more than ${most} names.`),
  tooManyMerges: invalid((most: number) => `The workbook has more than ${most} merged cells.`),
  notWorkbook: invalid(
    () => 'The file is not a workbook of the kind that its extension names: .xlsx or .ods.',
  ),
  unusual: invalid(() => `The workbook is written in an unusual way. ${again}`),
  encrypted: invalid(() => unsafe('is encrypted', 'Save a copy without a password for opening.')),
  signed: invalid(() =>
    unsafe('is signed, and filling would break the signature', 'Save a copy without the signature.'),
  ),
  macros: invalid(() => unsafe('contains macros or controls', 'Save a copy without them, as .xlsx or .ods.')),
  externalLinks: invalid(() =>
    unsafe('refers to other files', 'Break the links, or put pictures into the workbook itself.'),
  ),
  connections: invalid(() =>
    unsafe('contains connections to data or web extensions', 'Delete them and save a copy.'),
  ),
  embedded: invalid(() => unsafe('contains embedded objects', 'Delete them and save a copy.')),
  outsideFormula: invalid((place: string) =>
    unsafe(`has a formula in ${readablePath(place)} that reads from outside`, 'Replace it by a value.'),
  ),
});

/** Errors of requests about templates of forms. */
export const templateProblems = sentences('template', {
  notFound: problem('not_found', () => 'no such template'),
  formNotFound: problem('not_found', () => 'no such filled form; it was removed: fill the template again'),
  noFile: invalid(() => 'file: is required'),
  wrongExtension: invalid(() => 'The file is not a workbook: a template has the extension .xlsx or .ods.'),
  withMacros: invalid(
    () => 'The workbook is of a kind that contains macros. Save a copy as .xlsx without macros.',
  ),
  oldFormat: invalid(() => 'The workbook is in the format of Excel before 2007. Save a copy as .xlsx.'),
  notArchive: invalid(() => 'The file is not a workbook, although its name ends with .xlsx or .ods.'),
  tooLarge: invalid((mostMiB: number) => `The workbook has more than ${mostMiB} MiB.`),
  tooMany: conflict((most: number) => `the group has ${most} templates; delete one of them first`),
  readFailed: problem('not_found', () => 'the template could not be read; ask again in a minute'),
  fillFailed: problem('not_found', () => 'the form could not be filled; ask again in a minute'),
  tooManyWaiting: problem('too_many', () => 'too many forms wait to be filled; ask again in a few seconds'),
  noSuchField: (fields: readonly string[]) =>
    fields.length === 0 ? 'the template has no field that can be filled' : `must be one of ${listed(fields)}`,
  fieldTwice: () => 'is there twice',
  notATable: invalid((name: string) => `${quoted(name)} is not a table by KATO`),
  tableNotReady: conflict(
    (name: string, status: Status) => `the table ${quoted(name)} is ${status}${nextSteps[status]}`,
  ),
  noSuchDate: invalid(
    (name: string, date: string) => `the table ${quoted(name)} has no values that begin on ${date}`,
  ),
});

/** Reasons for cells, fields and names that were not filled. */
export const formReasons = sentences('form_reason', {
  noSource: 'no source was chosen for this field',
  noUnit: 'the service does not know which unit this row is',
  unitMissing: 'the source has no such unit',
  noValue: 'the source has no value for this unit',
  hasContent: 'the cell had content already; it was kept',
  nameNotUnderstood: 'the name stands for no cells of one unit, column or row',
  ambiguous: 'several units have this name; write the KATO code into the row',
});

/** Words that are written into forms. */
export const formWords = sentences('form_word', {
  tableSource: (name: string, period: string) => `${name}, ${period}`,
  areasSource: (name: string) => `${name}: hectares by class`,
  zonalSource: (name: string, stat: string) => `${name}: ${stat}`,
  balanceSource: (run: string) => `run ${run}: land by zone`,
  times: (source: string, factor: string) => `${source}, multiplied by ${factor}`,
});

/** The sentences of this folder that have translations, by the area that prefixes their codes. */
export const english = {
  form_reason: formReasons,
  form_word: formWords,
  template: templateProblems,
  workbook: spreadsheetProblems,
};
