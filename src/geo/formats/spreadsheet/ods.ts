import { xmlText } from '../../../../common/xml-text.ts';
import { spreadsheetProblems } from '../../../messages/forms/english.ts';
import {
  type CellKind,
  type CellRange,
  type CellValue,
  type DefinedName,
  type SheetCell,
  type WorkbookContent,
  workbookLimits,
} from '../../spreadsheet.ts';
import type { WorkbookPackage } from './package.ts';
import { isWithin, readRange, readsOutside } from './places.ts';
import {
  type Edit,
  edited,
  opened,
  type OpenTag,
  scanXml,
  withAttributes,
  withoutAttributes,
} from './scan.ts';
import { createTally } from './tally.ts';

const contentPart = 'content.xml';
const mediaType = 'application/vnd.oasis.opendocument.spreadsheet';
const uris = {
  table: 'urn:oasis:names:tc:opendocument:xmlns:table:1.0',
  office: 'urn:oasis:names:tc:opendocument:xmlns:office:1.0',
  text: 'urn:oasis:names:tc:opendocument:xmlns:text:1.0',
} as const;

/** Reads the cells of a workbook (OpenDocument). @throws {Problem} for one that is damaged, unusual or not safe. */
export function readOds(parts: WorkbookPackage): WorkbookContent {
  refuseUnsafe(parts);
  const tally = createTally();
  const tables: { name: string; style: string; cells: SheetCell[]; merges: CellRange[] }[] = [];
  const hiddenStyles = new Set<string>();
  const named: { name: string; address: string }[] = [];
  const xml = parts.text(contentPart);
  walkTables(xml, {
    table: (name, style) => void tables.push({ name, style, cells: [], merges: [] }),
    hiddenStyle: (name) => void hiddenStyles.add(name),
    name: (name, address) => {
      named.push({ name, address });
      if (named.length > workbookLimits.names) throw spreadsheetProblems.tooManyNames(workbookLimits.names);
    },
    row({ row, repeat, cells }) {
      const table = tables.at(-1);
      if (table === undefined) return;
      for (const cell of cells) {
        const isEmpty = cell.kind !== 'f' && cell.text.trim() === '';
        if (isEmpty && cell.merge === undefined) continue;
        for (let y = row; y < row + repeat; y += 1) {
          if (cell.merge !== undefined) {
            tally.merge();
            table.merges.push([y, cell.column, y + cell.merge[0] - 1, cell.column + cell.merge[1] - 1]);
          }
          if (isEmpty) continue;
          for (let x = cell.column; x < cell.column + cell.repeat; x += 1)
            table.cells.push([y, x, cell.kind, tally.cell(cell.text)]);
        }
      }
    },
  });
  const sheets = tables.map(({ style, ...table }) => ({ ...table, isHidden: hiddenStyles.has(style) }));
  const names = named.map(({ name, address }): DefinedName => {
    const [, quoted, plain, place = ''] = /^\$?(?:'((?:[^']|'')+)'|([^'.]+))\.([^']+)$/.exec(address) ?? [];
    const own = quoted?.replaceAll("''", "'") ?? plain;
    const sheet = sheets.findIndex((each) => each.name === own);
    // `$Sheet.$A$1:.$B$2`, or with the name of the sheet again.
    const range = readRange(place.replace(/:[^:]*\./, ':'));
    return sheet < 0 || range === undefined ? { name, sheet: null, range: null } : { name, sheet, range };
  });
  return { sheets, names };
}

/**
 * Puts values into the cells of a workbook, as `fillXlsx` does. Repeated rows and cells are divided where a value lies within them.
 * @returns the changed parts
 */
export function fillOds(parts: WorkbookPackage, values: readonly CellValue[]): ReadonlyMap<string, string> {
  refuseUnsafe(parts);
  const xml = parts.text(contentPart);
  const bySheet = Map.groupBy(values, ({ sheet }) => sheet);
  const edits: Edit[] = [];
  let sheet = -1;
  /** Values of the open table that are not written yet, by row. */
  let left = new Map<number, ReadonlyMap<number, number | string>>();
  walkTables(xml, {
    table() {
      sheet += 1;
      left = new Map(
        [...Map.groupBy(bySheet.get(sheet) ?? [], ({ row }) => row)].map(([row, cells]) => [
          row,
          new Map(cells.map(({ column, value }) => [column, value])),
        ]),
      );
    },
    row(row) {
      const wanted = [...left.keys()]
        .filter((each) => each >= row.row && each < row.row + row.repeat)
        .toSorted((one, other) => one - other);
      const hasResults = row.cells.some(({ kind }) => kind === 'f');
      if (wanted.length === 0 && !hasResults) return;
      let [text, next] = ['', row.row];
      for (const each of wanted) {
        text += rowXml(xml, row, each - next, undefined) + rowXml(xml, row, 1, left.get(each));
        next = each + 1;
        left.delete(each);
      }
      text += rowXml(xml, row, row.row + row.repeat - next, undefined);
      edits.push({ start: row.tag.start, end: row.end, text });
    },
    endOfTable(place, nextRow) {
      let [text, next] = ['', nextRow];
      for (const row of [...left.keys()].toSorted((one, other) => one - other)) {
        if (row > next)
          text += `<table:table-row${repeated('rows', row - next)}><table:table-cell/></table:table-row>`;
        text += `<table:table-row>${behindCells(0, left.get(row) ?? new Map())}</table:table-row>`;
        next = row + 1;
      }
      if (text !== '') edits.push({ start: place, end: place, text });
    },
  });
  const name = parts.find(contentPart)?.name ?? contentPart;
  return new Map([[name, edited(xml, edits)]]);
}

/** Refuses what can run, or reads from elsewhere. */
function refuseUnsafe(parts: WorkbookPackage): void {
  const declared = parts.find('mimetype')?.bytes.toString('latin1').trim();
  if (declared !== mediaType) throw spreadsheetProblems.notWorkbook();
  for (const { name, bytes } of parts.parts) {
    if (/^(?:basic|scripts)\/./i.test(name) && bytes.length > 0) throw spreadsheetProblems.macros();
    if (/^meta-inf\/.*signatures/i.test(name)) throw spreadsheetProblems.signed();
  }
  const manifest = 'META-INF/manifest.xml';
  scanXml(parts.text(manifest), manifest, {
    open({ name, attributes }) {
      if (name.endsWith(':encryption-data')) throw spreadsheetProblems.encrypted();
      if (/oleobject|vnd\.sun\.star\.ole/i.test(attributes['manifest:media-type'] ?? ''))
        throw spreadsheetProblems.embedded();
    },
  });
  const styles = 'styles.xml';
  if (parts.find(styles) !== undefined) scanXml(parts.text(styles), styles, { open: refuseUnsafeElement });
}

const scripts = new Set([
  'script:event-listener',
  'office:script',
  'script:event',
  'form:connection-resource',
]);
const sources = new Set([
  'table:table-source',
  'table:cell-range-source',
  'table:dde-link',
  'office:dde-source',
  'text:dde-connection-decl',
  'table:database-source-sql',
  'table:database-source-query',
  'table:database-source-table',
  'table:source-service',
]);

function refuseUnsafeElement({ name, attributes }: OpenTag): void {
  if (scripts.has(name)) throw spreadsheetProblems.macros();
  if (sources.has(name)) throw spreadsheetProblems.externalLinks();
  if (name === 'draw:object-ole' || name === 'draw:applet' || name === 'draw:plugin')
    throw spreadsheetProblems.embedded();
  const link = attributes['xlink:href'] ?? '';
  // A hyperlink opens only when a person follows it; everything else is loaded.
  const isHyperlink = name === 'text:a' || name === 'draw:a';
  if (
    isHyperlink
      ? /^(?:macro|vnd\.sun\.star)/i.test(link)
      : /^(?:[a-z][\w+.-]*:|\/|\\|(?:\.\/)?\.\.)/i.test(link)
  )
    throw isHyperlink ? spreadsheetProblems.macros() : spreadsheetProblems.externalLinks();
}

interface FoundCell {
  readonly tag: OpenTag;
  readonly end: number;
  readonly column: number;
  readonly repeat: number;
  readonly kind: CellKind;
  readonly text: string;
  /** True if another cell covers this one. */
  readonly isCovered: boolean;
  /** Rows and columns of a merged cell. */
  readonly merge: readonly [rows: number, columns: number] | undefined;
  /** Paragraphs with the shown text. */
  readonly paragraphs: readonly (readonly [start: number, end: number])[];
}

interface FoundRow {
  readonly tag: OpenTag;
  readonly closeStart: number;
  readonly end: number;
  readonly row: number;
  readonly repeat: number;
  readonly cells: readonly FoundCell[];
}

interface TableVisitor {
  table(name: string, style: string): void;
  row(row: FoundRow): void;
  hiddenStyle?(name: string): void;
  name?(name: string, address: string): void;
  /** @param place offset behind the last row @param nextRow the number of the row that would stand there */
  endOfTable?(place: number, nextRow: number): void;
}

type Changing<T> = { -readonly [Key in keyof T]: T[Key] };

/** Visits the rows of all sheets in their order; what lies within cells (notes, pictures, tables) belongs to no row. */
function walkTables(xml: string, visitor: TableVisitor): void {
  const broken = () => spreadsheetProblems.brokenPart(contentPart);
  const path: string[] = [];
  let style = '';
  /** Depth of the elements of the open table, row and cell. */
  let [tableDepth, rowDepth, cellDepth] = [0, 0, 0];
  let [row, column, tablePlace] = [0, 0, 0];
  let openRow: { tag: OpenTag; repeat: number; cells: FoundCell[] } | undefined;
  let cell: (Changing<Omit<FoundCell, 'paragraphs'>> & { paragraphs: [number, number][] }) | undefined;
  let matrices: CellRange[] = [];
  const isSheet = () => path.at(-2) === 'office:spreadsheet';
  scanXml(xml, contentPart, {
    open(tag) {
      const { name, attributes } = tag;
      if (path.length === 0) refuseOtherPrefixes(tag);
      path.push(name);
      refuseUnsafeElement(tag);
      switch (name) {
        case 'style:style':
          style = attributes['style:name'] ?? '';
          break;
        case 'style:table-properties':
          if (attributes['table:display'] === 'false') visitor.hiddenStyle?.(style);
          break;
        case 'table:named-range':
          if (rowDepth === 0)
            visitor.name?.(attributes['table:name'] ?? '', attributes['table:cell-range-address'] ?? '');
          break;
        case 'table:named-expression':
          if (readsOutside(attributes['table:expression'] ?? ''))
            throw spreadsheetProblems.outsideFormula(attributes['table:name'] ?? '');
          visitor.name?.(attributes['table:name'] ?? '', '');
          break;
        case 'table:table':
          if (!isSheet() || tableDepth > 0) break;
          tableDepth = path.length;
          [row, matrices, tablePlace] = [0, [], tag.end];
          visitor.table(attributes['table:name'] ?? '', attributes['table:style-name'] ?? '');
          break;
        case 'table:table-row':
          if (tableDepth === 0 || rowDepth > 0 || !path.slice(tableDepth, -1).every(isGroup)) break;
          rowDepth = path.length;
          column = 0;
          openRow = { tag, repeat: countOf(attributes['table:number-rows-repeated']), cells: [] };
          if (row + openRow.repeat > workbookLimits.rows) throw broken();
          break;
        case 'table:table-cell':
        case 'table:covered-table-cell': {
          if (rowDepth === 0 || path.length !== rowDepth + 1) break;
          cellDepth = path.length;
          const repeat = countOf(attributes['table:number-columns-repeated']);
          const formula = attributes['table:formula'];
          if (formula !== undefined && readsOutside(formula))
            throw spreadsheetProblems.outsideFormula(`${row + 1}:${column + 1}`);
          const matrix = [
            countOf(attributes['table:number-matrix-rows-spanned']),
            countOf(attributes['table:number-matrix-columns-spanned']),
          ] as const;
          if (formula !== undefined && (matrix[0] > 1 || matrix[1] > 1))
            matrices.push([row, column, row + matrix[0] - 1, column + matrix[1] - 1]);
          const merge = [
            countOf(attributes['table:number-rows-spanned']),
            countOf(attributes['table:number-columns-spanned']),
          ] as const;
          const isComputed = formula !== undefined || matrices.some((range) => isWithin(range, row, column));
          const type = attributes['office:value-type'];
          cell = {
            tag,
            end: tag.end,
            column,
            repeat,
            kind: isComputed ? 'f' : type === undefined || type === 'string' ? 't' : 'n',
            text: isComputed || type === 'string' ? '' : (attributes['office:value'] ?? ''),
            isCovered: name === 'table:covered-table-cell',
            merge: merge[0] > 1 || merge[1] > 1 ? merge : undefined,
            paragraphs: [],
          };
          column += repeat;
          if (column > workbookLimits.columns) throw broken();
          break;
        }
        case 'text:p':
          if (cell !== undefined && path.length === cellDepth + 1) cell.paragraphs.push([tag.start, tag.end]);
          break;
        case 'text:s':
        case 'text:tab':
        case 'text:line-break':
          if (isShown()) addText(' ');
          break;
      }
    },
    text(text) {
      if (isShown()) addText(text);
    },
    close(name, start, end) {
      const depth = path.length;
      path.pop();
      if (name === 'text:p' && depth === cellDepth + 1 && cell !== undefined) {
        const last = cell.paragraphs.at(-1);
        if (last !== undefined) last[1] = end;
        if (cell.kind === 't') addText(' ');
      } else if (depth === cellDepth && cell !== undefined) {
        openRow?.cells.push({ ...cell, text: cell.text.trim(), end });
        [cell, cellDepth] = [undefined, 0];
      } else if (depth === rowDepth && openRow !== undefined) {
        visitor.row({ ...openRow, row, closeStart: start, end });
        row += openRow.repeat;
        [openRow, rowDepth, tablePlace] = [undefined, 0, end];
      } else if (depth === tableDepth) {
        visitor.endOfTable?.(tablePlace, row);
        tableDepth = 0;
      } else if (depth === tableDepth + 1 && isGroup(name)) tablePlace = end;
    },
  });

  function isShown(): boolean {
    return (
      cell?.kind === 't' && path[cellDepth] === 'text:p' && !path.includes('office:annotation', cellDepth)
    );
  }

  function addText(text: string): void {
    if (cell !== undefined && cell.text.length <= workbookLimits.cellCharacters)
      cell.text += text.slice(0, workbookLimits.cellCharacters + 1);
  }
}

const groups = new Set(['table:table-row-group', 'table:table-header-rows', 'table:table-rows']);
const isGroup = (name: string): boolean => groups.has(name);

function refuseOtherPrefixes({ attributes }: OpenTag): void {
  for (const [prefix, uri] of Object.entries(uris))
    if (attributes[`xmlns:${prefix}`] !== uri) throw spreadsheetProblems.unusual();
}

function countOf(text: string | undefined): number {
  if (text === undefined) return 1;
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw spreadsheetProblems.brokenPart(contentPart);
  return count;
}

const repeated = (what: 'rows' | 'columns', count: number): string =>
  count > 1 ? ` table:number-${what}-repeated="${count}"` : '';

/** Returns a row as many times as it is repeated, with values in its cells. */
function rowXml(
  xml: string,
  { tag, closeStart, cells }: FoundRow,
  repeat: number,
  values: ReadonlyMap<number, number | string> | undefined,
): string {
  if (repeat === 0) return '';
  const head = withAttributes(
    withoutAttributes(xml.slice(tag.start, tag.end), ['table:number-rows-repeated']),
    repeated('rows', repeat),
  );
  const edits = cells.flatMap((cell) => cellEdits(xml, cell, values));
  const width = cells.reduce((sum, each) => sum + each.repeat, 0);
  const behind = behindCells(width, new Map([...(values ?? [])].filter(([column]) => column >= width)));
  if (tag.isSelfClosing) return `${opened(head)}${behind}</table:table-row>`;
  return `${head}${edited(xml, edits, tag.end, closeStart)}${behind}</table:table-row>`;
}

/** Returns cells with values that stand behind all cells of a row. */
function behindCells(width: number, values: ReadonlyMap<number, number | string>): string {
  let [text, next] = ['', width];
  for (const [column, value] of [...values].toSorted(([one], [other]) => one - other)) {
    if (column > next) text += `<table:table-cell${repeated('columns', column - next)}/>`;
    text += filledCell('<table:table-cell>', value);
    next = column + 1;
  }
  return text;
}

const resultAttributes = [
  'office:value-type',
  'office:value',
  'office:date-value',
  'office:time-value',
  'office:boolean-value',
  'office:string-value',
  'office:currency',
  'calcext:value-type',
];

function cellEdits(
  xml: string,
  cell: FoundCell,
  values: ReadonlyMap<number, number | string> | undefined,
): readonly Edit[] {
  const { tag, end, column, repeat, kind, paragraphs, isCovered } = cell;
  const written = xml.slice(tag.start, tag.end);
  if (kind === 'f') {
    const head = withoutAttributes(written, resultAttributes);
    return [
      { start: tag.start, end: tag.end, text: head },
      ...paragraphs.map(([start, behind]) => ({ start, end: behind, text: '' })),
    ];
  }
  if (isCovered) return [];
  const wanted = [...(values ?? [])]
    .filter(([each]) => each >= column && each < column + repeat)
    .toSorted(([one], [other]) => one - other);
  if (wanted.length === 0) return [];
  const single = withoutAttributes(written, ['table:number-columns-repeated']);
  const inside = edited(
    xml,
    paragraphs.map(([start, behind]) => ({ start, end: behind, text: '' })),
    tag.end,
    end,
  );
  const copy = (count: number): string =>
    count === 0 ? '' : withAttributes(single, repeated('columns', count)) + xml.slice(tag.end, end);
  let [text, next] = ['', column];
  for (const [place, value] of wanted) {
    // Notes and pictures of a cell stay in it, behind its value.
    const rest = tag.isSelfClosing ? '' : inside.slice(0, inside.lastIndexOf('</'));
    text += copy(place - next) + filledCell(single, value, rest);
    next = place + 1;
  }
  return [{ start: tag.start, end, text: text + copy(column + repeat - next) }];
}

/** @param tag the tag of the cell, with the attributes that stay */
function filledCell(tag: string, value: number | string, rest = ''): string {
  const head = opened(withoutAttributes(tag, resultAttributes));
  const typed =
    typeof value === 'number'
      ? withAttributes(head, ` office:value-type="float" office:value="${value}"`)
      : withAttributes(head, ' office:value-type="string"');
  const lines = String(value).split(/\r?\n/);
  const shown = lines.map((line) => `<text:p>${paragraphText(line)}</text:p>`).join('');
  // A note stands in front of the text of its cell.
  return `${typed}${rest}${shown}</table:table-cell>`;
}

/** Spaces that follow each other, and those at an edge, are written as elements. */
const paragraphText = (line: string): string =>
  xmlText(line)
    .replaceAll('\t', '<text:tab/>')
    .replaceAll(/^ | $| (?= )/g, '<text:s/>');
