import { decodeText, readDelimited } from './text.ts';
import { SpreadsheetFault, type Workbook } from '../model/types.ts';
import { readXlsx } from './xlsx.ts';

/** A spreadsheet is kept in memory completely, possibly in the browser of a phone. */
export const maxFileBytes = 128 * 1024 * 1024;
const [zip, ole] = [
  [0x50, 0x4b],
  [0xd0, 0xcf, 0x11, 0xe0],
] as const;
/** Web pages and XML that programs save with the extension of a workbook. */
const otherText = /^\s*<(?:!doctype|html|head|meta|table|\?xml|\?mso)/i;
/** A PDF, an RTF document, or control characters that do not occur in text. */
// eslint-disable-next-line no-control-regex
const foreign = /^(?:%PDF|\{\\rtf)|[\u0000-\u0008\u000e-\u001f]/;
const charactersExamined = 4096;
/** The name of the part that holds an encrypted workbook, as OLE writes it. */
const encryptedPart = [...'EncryptedPackage'].flatMap((letter) => [letter.charCodeAt(0), 0]);

/**
 * Reads a spreadsheet: `.xlsx`, recognized by its content, or delimited text in a guessed charset. Time and memory are
 * bounded for any input.
 * @throws {SpreadsheetFault}
 */
export async function readWorkbook(bytes: Uint8Array<ArrayBuffer>, fileName: string): Promise<Workbook> {
  if (bytes.length === 0) throw new SpreadsheetFault('empty');
  if (bytes.length > maxFileBytes) throw new SpreadsheetFault('tooLarge', fileName);
  if (startsWith(bytes, zip)) return await readXlsx(bytes);
  if (startsWith(bytes, ole)) throw new SpreadsheetFault(isEncrypted(bytes) ? 'encrypted' : 'oldExcel');
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

function isEncrypted(bytes: Uint8Array): boolean {
  const [first = 0] = encryptedPart;
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1))
    if (encryptedPart.every((byte, offset) => bytes[at + offset] === byte)) return true;
  return false;
}
