import { type Charset, charsetNamed } from '../../../../common/charset/charset.ts';
import { likeliestCyrillic } from '../../../../common/charset/cyrillic.ts';
import { type Sheet, SpreadsheetFault, type TextNotes, type Workbook } from '../model/types.ts';
import { openCompoundFile } from './compound-file.ts';
import { builtInFormat, type Format, formatOf } from './number-formats.ts';
import {
  faultySheet,
  maxCells,
  maxSharedCharacters,
  maxSheets,
  usableSheets,
  visibleText,
} from './sheet-builder.ts';
import { contentOf, kinds, type BiffRecord, recordsFrom } from './xls-records.ts';
import { readXlsSheet, type SharedOfXls } from './xls-sheet.ts';

const versions = { excel5: 0x0500, excel97: 0x0600 };
/** Kinds of sheets: only these have cells; others are charts and programs. */
const worksheet = 0;
/** Cells name their format by two bytes. */
const maxFormats = 65_536;

/**
 * Reads a workbook of Excel 5.0 to 2003: its sheets with their saved values. Programs and links in it are not looked
 * at.
 * @throws {SpreadsheetFault}
 */
export function readXls(bytes: Uint8Array<ArrayBuffer>): Workbook {
  return readStream(streamOf(bytes));
}

/** The records of the workbook: a stream of a compound file, or the file itself. */
function streamOf(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (bytes[0] === 0x09) return bytes;
  const file = openCompoundFile(bytes);
  if (file.names.includes('EncryptedPackage')) throw new SpreadsheetFault('encrypted');
  const stream = file.read('Workbook') ?? file.read('Book');
  if (stream === undefined) throw new SpreadsheetFault('notSpreadsheet');
  return stream;
}

interface Globals {
  readonly sheets: { readonly record: BiffRecord; readonly at: number }[];
  readonly formats: Map<number, BiffRecord>;
  readonly cellFormats: number[];
  readonly raisedFonts: boolean[];
  sharedTexts: BiffRecord | undefined;
  codePage: number | undefined;
  is1904: boolean;
}

function readStream(bytes: Uint8Array<ArrayBuffer>): Workbook {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = versionOf(view);
  const { sheets, formats, cellFormats, raisedFonts, sharedTexts, codePage, is1904 } = readGlobals(view);
  const { charset, notes } =
    version === versions.excel5 ? charsetOf(view, codePage) : { charset: undefined, notes: undefined };
  const texts = { decode: charset?.decode, raisedFonts };
  const own = new Map<number, Format>();
  for (const [id, record] of formats)
    own.set(id, formatOf(contentOf(view, record).text(texts, charset === undefined ? 2 : 1)));
  const shared: SharedOfXls = {
    ...texts,
    view,
    strings: sharedTexts === undefined ? [] : readStrings(view, sharedTexts, texts),
    formats: cellFormats.map((id) => own.get(id) ?? builtInFormat(id)),
    is1904,
    allowance: { cells: maxCells },
    left: { bytes: bytes.length },
  };
  const found: Sheet[] = [];
  for (const { record, at } of sheets) {
    const state = view.getUint8(record.start + 4);
    const name = contentOf(view, { ...record, start: record.start + 6 }).text(texts, 1);
    const about = { name, isHidden: (state & 3) !== 0, at };
    const before = shared.allowance.cells;
    try {
      found.push({ ...readXlsSheet(shared, about), ...(notes === undefined ? {} : { textNotes: notes }) });
    } catch (error) {
      if (!(error instanceof SpreadsheetFault)) throw error;
      shared.allowance.cells = before;
      found.push(faultySheet(about, error));
    }
  }
  return { kind: 'xls', sheets: usableSheets(found) };
}

/** @throws {SpreadsheetFault} for versions before Excel 5.0 */
function versionOf(view: DataView): number {
  if (view.byteLength < 8) throw new SpreadsheetFault('damaged');
  const [kind, version] = [view.getUint16(0, true), view.getUint16(4, true)];
  if (kind === kinds.begin && (version === versions.excel5 || version === versions.excel97)) return version;
  const isOlder = [0x0009, 0x0209, 0x0409].includes(kind);
  throw new SpreadsheetFault(isOlder ? 'oldExcel' : 'damaged');
}

/** Reads the records before the first sheet. */
function readGlobals(view: DataView<ArrayBuffer>): Globals {
  const globals: Globals = {
    sheets: [],
    formats: new Map(),
    cellFormats: [],
    raisedFonts: [],
    sharedTexts: undefined,
    codePage: undefined,
    is1904: false,
  };
  for (const record of recordsFrom(view, 0)) {
    const { kind, start, end } = record;
    const isWhole = (bytes: number): boolean => {
      if (end - start < bytes) throw new SpreadsheetFault('damaged');
      return true;
    };
    if (kind === kinds.end) return globals;
    if (kind === kinds.filePass) throw new SpreadsheetFault('encrypted');
    if (kind === kinds.dateMode && isWhole(2)) globals.is1904 = view.getUint16(start, true) === 1;
    else if (kind === kinds.codePage && isWhole(2)) globals.codePage = view.getUint16(start, true);
    else if (kind === kinds.font && isWhole(10)) {
      if (globals.raisedFonts.length < maxFormats)
        globals.raisedFonts.push(view.getUint16(start + 8, true) === 1);
    } else if (kind === kinds.cellFormat && isWhole(4)) {
      if (globals.cellFormats.length < maxFormats) globals.cellFormats.push(view.getUint16(start + 2, true));
    } else if (kind === kinds.numberFormat && isWhole(3))
      globals.formats.set(view.getUint16(start, true), { ...record, start: start + 2 });
    else if (kind === kinds.sharedTexts) globals.sharedTexts = record;
    else if (kind === kinds.sheet && isWhole(7) && view.getUint8(start + 5) === worksheet) {
      if (globals.sheets.length >= maxSheets) throw new SpreadsheetFault('tooManyFiles');
      globals.sheets.push({ record, at: view.getUint32(start, true) });
    }
  }
  throw new SpreadsheetFault('damaged');
}

/** Reads the texts that cells share. @throws {SpreadsheetFault} */
function readStrings(
  view: DataView<ArrayBuffer>,
  record: BiffRecord,
  texts: Pick<SharedOfXls, 'decode' | 'raisedFonts'>,
): readonly string[] {
  if (record.end - record.start < 8) throw new SpreadsheetFault('damaged');
  const count = view.getUint32(record.start + 4, true);
  const content = contentOf(view, { ...record, start: record.start + 8 });
  const strings: string[] = [];
  let left = maxSharedCharacters;
  // Some programs state too many.
  while (strings.length < count && !content.isOver()) {
    const text = content.text(texts, 2);
    // An empty string takes memory as well.
    left -= text.length + 16;
    if (left < 0) throw new SpreadsheetFault('tooLarge');
    strings.push(visibleText(text) ?? '');
  }
  return strings;
}

/** Names of charsets by the numbers that Windows gives them; others have `windows-` in front. */
const charsetNames: ReadonlyMap<number, string> = new Map([
  [437, 'CP437'],
  [850, 'CP850'],
  [852, 'CP852'],
  [866, 'CP866'],
  [932, 'CP932'],
  [936, 'gbk'],
  [949, 'CP949'],
  [950, 'big5'],
  [10_000, 'macintosh'],
  [10_007, 'x-mac-cyrillic'],
  [32_768, 'macintosh'],
  [32_769, 'windows-1252'],
]);
const [cyrillic, western] = ['windows-1251', 'windows-1252'];
/** Smallest share of bytes above ASCII among the letters of a text that is not in Latin letters. */
const foreignShare = 0.5;

/**
 * The charset of a workbook whose texts are bytes. It is stated, but programs state the Western one for Cyrillic texts,
 * and the Russian one for Kazakh texts in KZ-1048.
 */
function charsetOf(
  view: DataView<ArrayBuffer>,
  codePage: number | undefined,
): { readonly charset: Charset; readonly notes: TextNotes | undefined } {
  const stated = codePage === undefined ? western : (charsetNames.get(codePage) ?? `windows-${codePage}`);
  const charset = charsetNamed(stated);
  const isDoubtful = charset === undefined || stated === western || stated === cyrillic;
  const guess = isDoubtful ? guessedCharset(view) : undefined;
  const isUsed = guess !== undefined && (stated !== cyrillic || guess.name === 'KZ-1048');
  const used = isUsed ? guess : (charset ?? charsetNamed(western));
  if (used === undefined) throw new SpreadsheetFault('damaged');
  const isCertain = charset !== undefined && used.name === charset.name;
  return { charset: used, notes: isCertain ? undefined : { charset: used.name } };
}

/** The Cyrillic charset in which the texts of cells are likeliest; undefined if their letters are Latin. */
function guessedCharset(view: DataView<ArrayBuffer>): Charset | undefined {
  const counts = new Uint32Array(256);
  for (const { kind, start, end } of recordsFrom(view, 0)) {
    if ((kind !== kinds.text && kind !== kinds.richText) || end - start < 8) continue;
    const last = Math.min(end, start + 8 + view.getUint16(start + 6, true));
    for (let at = start + 8; at < last; at += 1) {
      const byte = view.getUint8(at);
      counts[byte] = (counts[byte] ?? 0) + 1;
    }
  }
  const sum = (first: number, last: number): number =>
    counts.subarray(first, last).reduce((all, count) => all + count, 0);
  const [high, latin] = [sum(0x80, 0x100), sum(0x41, 0x5b) + sum(0x61, 0x7b)];
  if (high === 0 || high < (high + latin) * foreignShare) return undefined;
  return likeliestCyrillic({ counts }).charset;
}
