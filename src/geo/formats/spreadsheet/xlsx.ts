import { columnName, escaped } from '../../../lib/formats/workbook.ts';
import { spreadsheetProblems } from '../../../messages/forms/english.ts';
import {
  type CellRange,
  type CellValue,
  type DefinedName,
  type SheetCell,
  type WorkbookContent,
  workbookLimits,
} from '../../spreadsheet.ts';
import { createTally } from './tally.ts';
import type { WorkbookPackage } from './package.ts';
import { type FoundRow, walkSheet } from './xlsx-sheet.ts';
import { readRange, readsOutside } from './places.ts';
import {
  type Edit,
  edited,
  localName,
  opened,
  type OpenTag,
  scanXml,
  withAttributes,
  withoutAttributes,
} from './scan.ts';

const contentTypesPart = '[Content_Types].xml';
const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml';
/** Content types and relations of parts that are neither cells nor formats nor pictures, each with its refusal. */
const refusedKinds = [
  [/macroEnabled|vbaProject|macrosheet|xlMacrosheet|activeX|\/control(?:$|Prop)|attachedToolbars/i, 'macros'],
  [/externalLink|attachedTemplate/i, 'externalLinks'],
  [/connections?(?:$|\+)|queryTable|webextension|\.model\b|customData/i, 'connections'],
  [/oleObject|relationships\/package$/i, 'embedded'],
  [/digital-signature/i, 'signed'],
] as const;

interface Book {
  readonly workbookPart: string;
  /** Parts of the sheets, in their order. */
  readonly sheets: readonly { readonly name: string; readonly isHidden: boolean; readonly part: string }[];
  readonly names: readonly DefinedName[];
  readonly sharedStrings: string | undefined;
}

/** Reads the cells of a workbook (Office Open XML). @throws {Problem} for one that is damaged, unusual or not safe. */
export function readXlsx(parts: WorkbookPackage): WorkbookContent {
  const book = readBook(parts);
  const texts = book.sharedStrings === undefined ? [] : readTexts(parts.text(book.sharedStrings));
  const tally = createTally();
  const sheets = book.sheets.map(({ name, isHidden, part }) => {
    const [cells, merges, arrays]: [SheetCell[], CellRange[], CellRange[]] = [[], [], []];
    walkSheet(parts.text(part), part, {
      array: (range) => void arrays.push(range),
      cell: ({ row, column, kind, text, isShared }) => {
        const shown = isShared ? (texts[Number(text)] ?? '') : text;
        if (kind !== 'f' && shown.trim() === '') return;
        cells.push([row, column, kind, tally.cell(shown)]);
      },
      merge: (range) => {
        tally.merge();
        merges.push(range);
      },
    });
    const known = new Set(arrays.length === 0 ? [] : cells.map(([row, column]) => `${row} ${column}`));
    for (const [top, left, bottom, right] of arrays)
      for (let row = top; row <= bottom; row += 1)
        for (let column = left; column <= right; column += 1)
          if (!known.has(`${row} ${column}`)) cells.push([row, column, 'f', tally.cell('')]);
    return { name, isHidden, cells, merges };
  });
  return { sheets, names: book.names };
}

/**
 * Puts values into the cells of a workbook: only these cells, the stored results of formulas and the mark that they have to be computed
 * again are changed, each in its place. A cell with a formula keeps it.
 * @returns the changed parts
 */
export function fillXlsx(parts: WorkbookPackage, values: readonly CellValue[]): ReadonlyMap<string, string> {
  const book = readBook(parts);
  const bySheet = Map.groupBy(values, ({ sheet }) => sheet);
  const changed = new Map<string, string>();
  for (const [index, { part }] of book.sheets.entries()) {
    const xml = parts.text(part);
    const filled = edited(xml, sheetEdits(xml, part, bySheet.get(index) ?? []));
    const name = parts.find(part)?.name;
    if (name !== undefined && filled !== xml) changed.set(name, filled);
  }
  const workbookXml = parts.text(book.workbookPart);
  const name = parts.find(book.workbookPart)?.name;
  if (name !== undefined) changed.set(name, computedOnLoad(workbookXml, book.workbookPart));
  return changed;
}

interface Relationship {
  readonly id: string;
  readonly type: string;
  readonly target: string;
}

function readBook(parts: WorkbookPackage): Book {
  refuseKinds(parts);
  const root = relationshipsOf(parts, '').find(({ type }) => type.endsWith('/officeDocument'));
  if (root === undefined) throw spreadsheetProblems.notWorkbook();
  const workbookPart = root.target;
  const relations = relationshipsOf(parts, workbookPart);
  const targets = new Map(relations.map(({ id, target, type }) => [id, { target, type }]));
  const sheets: Book['sheets'][number][] = [];
  const named: { name: string; isBuiltIn: boolean; text: string; sheet: string | undefined }[] = [];
  let open: (typeof named)[number] | undefined;
  scanXml(parts.text(workbookPart), workbookPart, {
    open({ name, attributes }) {
      const local = localName(name);
      if (local === 'sheet') {
        const id = Object.entries(attributes).find(
          ([key]) => localName(key) === 'id' && key.includes(':'),
        )?.[1];
        const part = targets.get(id ?? '');
        // A sheet of a chart has no cells; its place among the sheets counts all the same.
        const isCells = part?.type.endsWith('/worksheet') === true;
        sheets.push({
          name: attributes['name'] ?? '',
          isHidden: (attributes['state'] ?? 'visible') !== 'visible',
          part: isCells ? part.target : '',
        });
        if (sheets.length > workbookLimits.sheets)
          throw spreadsheetProblems.tooManySheets(workbookLimits.sheets);
      }
      if (local === 'definedName') {
        const own = attributes['name'] ?? '';
        const isBuiltIn =
          own.startsWith('_xlnm.') || attributes['hidden'] === '1' || attributes['function'] === '1';
        open = { name: own, isBuiltIn, text: '', sheet: attributes['localSheetId'] };
        named.push(open);
        if (named.length > workbookLimits.names) throw spreadsheetProblems.tooManyNames(workbookLimits.names);
      }
    },
    text(text) {
      if (open !== undefined) open.text += text;
    },
    close(name) {
      if (localName(name) === 'definedName') open = undefined;
    },
  });
  const withCells = sheets.filter(({ part }) => part !== '');
  const names = named
    .filter(({ isBuiltIn }) => !isBuiltIn)
    .map(({ name, text }) => {
      if (readsOutside(text)) throw spreadsheetProblems.outsideFormula(name);
      return { name, ...rangeOfName(text, withCells) };
    });
  const sharedStrings = relations.find(({ type }) => type.endsWith('/sharedStrings'))?.target;
  return { workbookPart, sheets: withCells, names, sharedStrings };
}

/** Refuses what can run, or reads from elsewhere, by the types that the package gives its parts and their relations. */
function refuseKinds(parts: WorkbookPackage): void {
  if (parts.find(contentTypesPart) === undefined) throw spreadsheetProblems.notWorkbook();
  let hasWorkbook = false;
  const refuse = (text: string): void => {
    const found = refusedKinds.find(([pattern]) => pattern.test(text));
    if (found !== undefined) throw spreadsheetProblems[found[1]]();
  };
  scanXml(parts.text(contentTypesPart), contentTypesPart, {
    open({ attributes: { ContentType: type } }) {
      if (type === undefined) return;
      refuse(type);
      hasWorkbook ||= type === workbookType;
    },
  });
  for (const { name } of parts.parts) {
    refuse(name.replace(/\.\w+$/, ''));
    if (!name.toLowerCase().endsWith('.rels')) continue;
    scanXml(parts.text(name), name, {
      open({ attributes: { Type: type, TargetMode: mode } }) {
        if (type === undefined) return;
        refuse(type);
        if (mode?.toLowerCase() === 'external' && !type.endsWith('/hyperlink'))
          throw spreadsheetProblems.externalLinks();
      },
    });
  }
  if (!hasWorkbook) throw spreadsheetProblems.notWorkbook();
}

/** Reads the relations of a part, with their targets as names of parts. @param part empty for the package itself */
function relationshipsOf(parts: WorkbookPackage, part: string): readonly Relationship[] {
  const slash = part.lastIndexOf('/') + 1;
  const path = `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
  if (parts.find(path) === undefined) return [];
  const found: Relationship[] = [];
  scanXml(parts.text(path), path, {
    open({ attributes: { Id: id, Type: type, Target: target, TargetMode: mode } }) {
      if (id === undefined || type === undefined || target === undefined || mode === 'External') return;
      const address = new URL(target, `pack://part/${part}`);
      found.push({ id, type, target: decodeURIComponent(address.pathname.slice(1)) });
    },
  });
  return found;
}

function rangeOfName(text: string, sheets: Book['sheets']): Omit<DefinedName, 'name'> {
  const [, quoted, plain, place = ''] =
    /^(?:'((?:[^']|'')+)'|([^'!,\s]+))!([^!,\s]+)$/.exec(text.trim()) ?? [];
  const sheet = sheets.findIndex(({ name }) => name === (quoted?.replaceAll("''", "'") ?? plain));
  const range = readRange(place);
  return sheet < 0 || range === undefined ? { sheet: null, range: null } : { sheet, range };
}

/** Reads the shared texts, without phonetic readings. */
function readTexts(xml: string): readonly string[] {
  const texts: string[] = [];
  let [text, isPhonetic, isText, characters] = ['', false, false, 0];
  scanXml(xml, 'sharedStrings.xml', {
    open({ name }) {
      const local = localName(name);
      if (local === 'si') text = '';
      if (local === 'rPh') isPhonetic = true;
      isText = local === 't' && !isPhonetic;
    },
    text(piece) {
      if (isText && text.length <= workbookLimits.cellCharacters)
        text += piece.slice(0, workbookLimits.cellCharacters + 1);
    },
    close(name) {
      const local = localName(name);
      if (local === 'rPh') isPhonetic = false;
      if (local === 't') isText = false;
      if (local !== 'si') return;
      characters += text.length;
      if (characters > workbookLimits.partBytes) throw spreadsheetProblems.brokenPart('sharedStrings.xml');
      texts.push(text);
    },
  });
  return texts;
}

/** Returns the changes of a sheet that put values into its cells, and take the stored results from its formulas. */
function sheetEdits(xml: string, part: string, values: readonly CellValue[]): readonly Edit[] {
  const edits: Edit[] = [];
  const byRow = new Map(
    [...Map.groupBy(values, ({ row }) => row)].map(([row, cells]) => [
      row,
      new Map(cells.map(({ column, value }) => [column, value])),
    ]),
  );
  const rows = [...byRow.keys()].toSorted((one, other) => one - other);
  const columnStyles: (readonly [first: number, last: number, style: string | undefined])[] = [];
  let nextRow = 0;
  /** Columns of the open row that have no cell yet, ascending. */
  let missing: number[] = [];
  /** Text of cells that belong before a place. */
  const take = (row: FoundRow, before: number): string => {
    const own = byRow.get(row.row);
    let text = '';
    for (let column = missing[0]; column !== undefined && column < before; column = missing[0]) {
      missing.shift();
      text += cellXml(row.tag.name, { ...row, column, value: own?.get(column) ?? '' }, styleOf(row, column));
    }
    return text;
  };
  const styleOf = ({ tag }: FoundRow, column: number): string | undefined =>
    (tag.attributes['customFormat'] === '1' ? tag.attributes['s'] : undefined) ??
    columnStyles.find(([first, last]) => column >= first && column <= last)?.[2];
  /** Text of whole rows that belong before a row. */
  const takeRows = (before: number, prefix: string): string => {
    let text = '';
    for (; (rows[nextRow] ?? Infinity) < before; nextRow += 1) {
      const row = rows[nextRow] ?? 0;
      const cells = [...(byRow.get(row) ?? [])].toSorted(([one], [other]) => one - other);
      const name = `${prefix}row`;
      const inside = cells.map(([column, value]) =>
        cellXml(
          name,
          { row, column, value },
          columnStyles.find(([first, last]) => column >= first && column <= last)?.[2],
        ),
      );
      text += `<${name} r="${row + 1}">${inside.join('')}</${name}>`;
    }
    return text;
  };
  let openRow: FoundRow | undefined;
  walkSheet(xml, part, {
    columns: (first, last, style) => void columnStyles.push([first, last, style]),
    openRow(row) {
      const { start } = row.tag;
      const before = takeRows(row.row, prefixOf(row.tag.name));
      if (before !== '') edits.push({ start, end: start, text: before });
      openRow = row;
      if (rows[nextRow] === row.row) nextRow += 1;
      missing = [...(byRow.get(row.row)?.keys() ?? [])].toSorted((one, other) => one - other);
    },
    cell({ row, column, kind, tag, value: stored, end }) {
      if (openRow === undefined) return;
      const { start } = tag;
      const before = take(openRow, column);
      if (before !== '') edits.push({ start, end: start, text: before });
      const value = missing[0] === column ? byRow.get(row)?.get(column) : undefined;
      if (missing[0] === column) missing.shift();
      if (kind === 'f') {
        if (stored === undefined) return;
        const head = withoutAttributes(xml.slice(start, tag.end), ['t']);
        edits.push({ start, end: tag.end, text: head }, { start: stored[0], end: stored[1], text: '' });
      } else if (value !== undefined) {
        edits.push({ start, end, text: cellXml(tag.name, { row, column, value }, tag.attributes['s']) });
      }
    },
    closeRow(row, end) {
      const { tag } = row;
      const behind = take(row, Infinity);
      openRow = undefined;
      if (behind === '') return;
      // The declared span of the row may be too small now; it is optional.
      const head = withoutAttributes(xml.slice(tag.start, tag.end), ['spans']);
      if (tag.isSelfClosing)
        edits.push({ start: tag.start, end: tag.end, text: `${opened(head)}${behind}</${tag.name}>` });
      else edits.push({ start: tag.start, end: tag.end, text: head }, { start: end, end, text: behind });
    },
    closeData(tag, end) {
      const behind = takeRows(Infinity, prefixOf(tag.name));
      if (behind === '') return;
      if (tag.isSelfClosing) {
        const head = opened(xml.slice(tag.start, tag.end));
        edits.push({ start: tag.start, end: tag.end, text: `${head}${behind}</${tag.name}>` });
      } else edits.push({ start: end, end, text: behind });
    },
  });
  return edits;
}

const prefixOf = (name: string): string => name.slice(0, name.indexOf(':') + 1);

/** @param like a tag with the same prefix */
function cellXml(
  like: string,
  { row, column, value }: Pick<CellValue, 'row' | 'column' | 'value'>,
  style: string | undefined,
): string {
  const prefix = prefixOf(like);
  const shown = style === undefined ? '' : ` s="${escaped(style)}"`;
  const head = `<${prefix}c r="${columnName(column)}${row + 1}"${shown}`;
  if (typeof value === 'number') return `${head}><${prefix}v>${value}</${prefix}v></${prefix}c>`;
  return `${head} t="inlineStr"><${prefix}is><${prefix}t xml:space="preserve">${escaped(value)}</${prefix}t></${prefix}is></${prefix}c>`;
}

/** Elements of a workbook behind which the settings of computing stand. */
const beforeComputing = ['sheets', 'functionGroups', 'externalReferences', 'definedNames'];

/** Returns the workbook with the mark that everything has to be computed when it is opened. */
function computedOnLoad(xml: string, part: string): string {
  let settings: OpenTag | undefined;
  let [behind, prefix] = [0, ''];
  scanXml(xml, part, {
    open(tag) {
      if (localName(tag.name) === 'calcPr') settings = tag;
    },
    close(name, _start, end) {
      if (beforeComputing.includes(localName(name))) [behind, prefix] = [end, prefixOf(name)];
    },
  });
  const mark = ' fullCalcOnLoad="1"';
  if (settings === undefined)
    return edited(xml, [{ start: behind, end: behind, text: `<${prefix}calcPr${mark}/>` }]);
  const { start, end } = settings;
  const tag = withoutAttributes(xml.slice(start, end), ['fullCalcOnLoad']);
  return edited(xml, [{ start, end, text: withAttributes(tag, mark) }]);
}
