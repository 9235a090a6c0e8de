import { type Sheet, SpreadsheetFault, type Workbook } from '../model/types.ts';
import { builtInFormat, type Format, formatOf } from './number-formats.ts';
import {
  faultySheet,
  maxCellCharacters,
  maxCells,
  maxSharedCharacters,
  maxSheets,
  usableSheets,
} from './sheet-builder.ts';
import { isSuperscript, raisedXml, readSheet, type Shared, textCell } from './xlsx-sheet.ts';
import { attributeOf, readXml } from './xml.ts';
import { type Allowance, maxUnpackedBytes, type Member, textOf } from './zip.ts';

interface Relation {
  readonly id: string;
  readonly type: string;
  readonly target: string;
}

/** Reads an Excel workbook: its sheets with their saved values. @throws {SpreadsheetFault} */
export async function readXlsx(members: ReadonlyMap<string, Member>): Promise<Workbook> {
  const allowance: Allowance = { bytes: maxUnpackedBytes };
  const read = (name: string): AsyncIterable<string> => textOf(memberOf(members, name), allowance);
  const [root] = await readRelations(members, '', allowance, 'officeDocument');
  const path = root?.target ?? 'xl/workbook.xml';
  if (!members.has(path.toLowerCase()))
    throw new SpreadsheetFault(members.has('xl/workbook.bin') ? 'otherSpreadsheet' : 'notSpreadsheet');
  const { sheets, is1904 } = await readContents(read(path), path);
  const relations = await readRelations(members, path, allowance);
  const target = (type: string): string | undefined => relations.find((each) => each.type === type)?.target;
  const [stringsPath, stylesPath] = [target('sharedStrings'), target('styles')];
  const shared: Shared = {
    strings: stringsPath === undefined ? [] : await readStrings(read(stringsPath), stringsPath),
    formats: stylesPath === undefined ? [] : await readStyles(read(stylesPath), stylesPath),
    is1904,
    allowance: { cells: maxCells },
  };
  const found: Sheet[] = [];
  for (const { name, isHidden, id } of sheets) {
    const part = relations.find((each) => each.id === id && each.type === 'worksheet')?.target;
    if (part === undefined) continue;
    const about = { name, isHidden, part };
    const before = shared.allowance.cells;
    found.push(
      await readSheet(read(part), shared, about).catch((error: unknown) => {
        if (!(error instanceof SpreadsheetFault)) throw error;
        shared.allowance.cells = before;
        return faultySheet(about, error);
      }),
    );
  }
  return { kind: 'xlsx', sheets: usableSheets(found) };
}

function memberOf(members: ReadonlyMap<string, Member>, name: string): Member {
  const member = members.get(name.toLowerCase());
  if (member === undefined) throw new SpreadsheetFault('damaged', name);
  return member;
}

/** The parts to which a part refers inside the file, by the last word of their types. */
async function readRelations(
  members: ReadonlyMap<string, Member>,
  path: string,
  allowance: Allowance,
  type?: string,
): Promise<readonly Relation[]> {
  const slash = path.lastIndexOf('/') + 1;
  const folder = path.slice(0, slash);
  const part = `${folder}_rels/${path.slice(slash)}.rels`;
  const member = members.get(part.toLowerCase());
  const found: Relation[] = [];
  if (member === undefined) return found;
  const open = (name: string, attributes: string): void => {
    if (name !== 'Relationship' || attributeOf(attributes, 'TargetMode') === 'External') return;
    const kind = (attributeOf(attributes, 'Type') ?? '').split('/').at(-1) ?? '';
    if (type !== undefined && kind !== type) return;
    const target = resolved(folder, attributeOf(attributes, 'Target') ?? '');
    found.push({ id: attributeOf(attributes, 'Id') ?? '', type: kind, target });
  };
  await readXml(textOf(member, allowance), { open, close: () => undefined, text: () => undefined }, part);
  return found;
}

function resolved(folder: string, target: string): string {
  const steps: string[] = [];
  for (const step of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}

async function readContents(pieces: AsyncIterable<string>, part: string) {
  const sheets: { readonly name: string; readonly isHidden: boolean; readonly id: string }[] = [];
  let is1904 = false;
  const open = (name: string, attributes: string): void => {
    if (name === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributeOf(attributes, 'date1904') ?? '');
    if (name !== 'sheet') return;
    if (sheets.length >= maxSheets) throw new SpreadsheetFault('tooManyFiles', part);
    const isHidden = /hidden/i.test(attributeOf(attributes, 'state') ?? '');
    const id = attributeOf(attributes, 'id') ?? '';
    sheets.push({ name: attributeOf(attributes, 'name') ?? '', isHidden, id });
  };
  await readXml(pieces, { open, close: () => undefined, text: () => undefined }, part);
  return { sheets, is1904 };
}

/** Reads the shared strings without their phonetic hints. @throws {SpreadsheetFault} */
async function readStrings(pieces: AsyncIterable<string>, part: string): Promise<readonly string[]> {
  const strings: string[] = [];
  let text = '';
  let left = maxSharedCharacters;
  let [isInText, isPhonetic, isRaised] = [false, false, false];
  const open = (name: string, attributes: string): void => {
    if (name === 'si') [text, isRaised] = ['', false];
    else if (name === 'r') isRaised = false;
    else if (name === 'vertAlign') isRaised = isSuperscript(attributes);
    else if (name === 'rPh') isPhonetic = true;
    else if (name === 't') isInText = !isPhonetic;
  };
  const close = (name: string): void => {
    if (name === 't') isInText = false;
    else if (name === 'rPh') isPhonetic = false;
    else if (name === 'si') {
      // An empty string takes memory as well.
      left -= text.length + 16;
      if (left < 0) throw new SpreadsheetFault('tooLarge', part);
      strings.push(String(textCell(text) ?? ''));
    }
  };
  const addText = (piece: string): void => {
    if (isInText && text.length < maxCellCharacters) text += isRaised ? raisedXml(piece) : piece;
  };
  await readXml(pieces, { open, close, text: addText }, part);
  return strings;
}

/** Reads the number formats of cells, by their index in the part. @throws {SpreadsheetFault} */
async function readStyles(pieces: AsyncIterable<string>, part: string): Promise<readonly Format[]> {
  const own = new Map<number, Format>();
  const formats: Format[] = [];
  let isInCells = false;
  const open = (name: string, attributes: string): void => {
    const id = Number(attributeOf(attributes, 'numFmtId') ?? 0);
    if (name === 'numFmt') own.set(id, formatOf(attributeOf(attributes, 'formatCode') ?? ''));
    else if (name === 'cellXfs') isInCells = true;
    else if (name === 'xf' && isInCells) formats.push(own.get(id) ?? builtInFormat(id));
  };
  const close = (name: string): void => {
    if (name === 'cellXfs') isInCells = false;
  };
  await readXml(pieces, { open, close, text: () => undefined }, part);
  return formats;
}
