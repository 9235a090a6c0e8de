import { decodeText, readDelimited } from './text.ts';
import { SpreadsheetFault, type Workbook } from '../model/types.ts';
import { readXlsx } from './xlsx.ts';
import { listMembers } from './zip.ts';

/** A spreadsheet is kept in memory completely, possibly in the browser of a phone. */
export const maxFileBytes = 128 * 1024 * 1024;
const zip = [0x50, 0x4b];
/** First bytes of a compound file, and of records of Excel that are not in one. */
const olderExcel = [
  [0xd0, 0xcf, 0x11, 0xe0],
  [0x09, 0x08, 0x08, 0x00],
  [0x09, 0x08, 0x10, 0x00],
  [0x09, 0x00, 0x04, 0x00],
  [0x09, 0x02, 0x06, 0x00],
  [0x09, 0x04, 0x06, 0x00],
];
/** Web pages and XML that programs save with the extension of a workbook. */
const otherText = /^\s*<(?:!doctype|html|head|meta|table|\?xml|\?mso)/i;
/** A PDF, an RTF document, or control characters that do not occur in text. */
// eslint-disable-next-line no-control-regex
const foreign = /^(?:%PDF|\{\\rtf)|[\u0000-\u0008\u000e-\u001f]/;
const charactersExamined = 4096;
/**
 * Reads a spreadsheet: `.xlsx`, `.xls` or `.ods`, recognized by its content, or delimited text in a guessed charset. Time
 * and memory are bounded for any input.
 * @throws {SpreadsheetFault}
 */
export async function readWorkbook(bytes: Uint8Array<ArrayBuffer>, fileName: string): Promise<Workbook> {
  if (bytes.length === 0) throw new SpreadsheetFault('empty');
  if (bytes.length > maxFileBytes) throw new SpreadsheetFault('tooLarge', fileName);
  if (startsWith(bytes, zip)) return await readArchive(bytes);
  if (olderExcel.some((start) => startsWith(bytes, start)))
    return (await loaded(import('./xls.ts'))).readXls(bytes);
  const { text, encoding, notes } = decodeText(bytes);
  if (text.includes('\0')) throw new SpreadsheetFault('notSpreadsheet');
  if (otherText.test(text)) throw new SpreadsheetFault('otherSpreadsheet');
  if (foreign.test(text.slice(0, charactersExamined))) throw new SpreadsheetFault('notSpreadsheet');
  const name = fileName.replace(/^.*[/\\]|\.[^.]*$/g, '');
  const { rows, notes: found } = readDelimited(text);
  const textNotes = { ...notes, ...found };
  const sheet = { name, isHidden: false, rows, merges: [], formulasWithoutValue: 0, textNotes };
  return { kind: 'text', sheets: [sheet], encoding };
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte);
}

async function readArchive(bytes: Uint8Array<ArrayBuffer>): Promise<Workbook> {
  const members = listMembers(bytes);
  if (!members.has('content.xml')) return await readXlsx(members);
  return await (await loaded(import('./ods.ts'))).readOds(members);
}

/** The readers of other formats than `.xlsx` are loaded when they are needed. */
async function loaded<T>(script: Promise<T>): Promise<T> {
  return await script.catch(() => {
    throw new SpreadsheetFault('workerFailed');
  });
}
