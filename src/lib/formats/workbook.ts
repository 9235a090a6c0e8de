import { xmlText } from '../../../common/xml-text.ts';
import { MiB } from '../units.ts';
import { type Packed, packed } from './packing.ts';
import { behind, centralEntry, endOfArchive, localHead, type ZipMember } from './zip-layout.ts';

/** Limits of spreadsheets: rows and columns of a sheet, UTF-16 units of text in a cell. */
export const sheetLimits: Readonly<Record<'rows' | 'columns' | 'characters', number>> = {
  rows: 1_048_576,
  columns: 16_384,
  characters: 32_767,
};
/** After this much text, a sheet continues in another one: sizes of members have 32 bits. */
const maxSheetCharacters = 1024 * MiB;

/** Style of a cell; `code` is a text that stays text when a person edits it. */
const styles = { plain: 0, head: 1, hectares: 2, code: 3 } as const;
type StyledCell = { readonly value: string | number; readonly style: keyof typeof styles };
/** A text is never read as a formula, and a number keeps all its digits. */
export type WorkbookCell = string | number | null | StyledCell;
type Row = readonly WorkbookCell[];

/** A sheet whose rows are read lazily, in batches. */
export interface Sheet {
  /** At most 25 characters, without `[]:*?/\`. */
  readonly name: string;
  /** In characters; the last width applies to all further columns. */
  readonly widths: readonly number[];
  /** Frozen, and repeated when the sheet continues in another one. */
  readonly head: Row;
  /** Number of frozen columns. */
  readonly fixedColumns?: number;
  readonly rows: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
}

/**
 * Writes a workbook (Office Open XML) piece by piece: memory does not grow with the number of rows. Rows beyond the limit of spreadsheets
 * continue in further sheets. A text that is too long for a cell is cut. Equal contents give equal bytes.
 */
export async function* writeWorkbook(
  sheets: readonly Sheet[],
  { maxRows = sheetLimits.rows } = {},
): AsyncGenerator<Buffer> {
  const members: ZipMember[] = [];
  let offset = 0;
  async function* member(name: string, text: AsyncIterable<string>): AsyncGenerator<Buffer> {
    const head = localHead({ name, bytes: 0, packedBytes: 0, crc32: 0, isStreamed: true });
    yield head;
    const facts: Packed = yield* packed(text);
    const tail = behind({ ...facts, isStreamed: true });
    yield tail;
    members.push({ ...facts, name, offset, isStreamed: true });
    offset += head.length + facts.packedBytes + tail.length;
  }
  // Some programs recognise a workbook by its first member.
  yield* member('_rels/.rels', once(rootRelations));
  const names: string[] = [];
  for (const sheet of sheets) {
    await using rows = createRows(sheet.rows);
    for (let part = 1; part === 1 || (await rows.hasMore()); part += 1) {
      names.push(part === 1 ? sheet.name : `${sheet.name} (${part})`);
      yield* member(`xl/worksheets/sheet${names.length}.xml`, sheetText(sheet, { rows, maxRows }));
    }
  }
  yield* member('xl/styles.xml', once(styleSheet));
  yield* member('xl/workbook.xml', once(workbookText(names)));
  yield* member('xl/_rels/workbook.xml.rels', once(workbookRelations(names.length)));
  yield* member('[Content_Types].xml', once(contentTypes(names.length)));
  const list = Buffer.concat(members.map(centralEntry));
  yield list;
  yield endOfArchive({ count: members.length, offset, bytes: list.length });
}

/** Creates the last sheet of a workbook: a description of the table, line by line, under its title. */
export function aboutSheet(
  name: string,
  title: string,
  lines: readonly (readonly [name: string, text: string])[],
): Sheet {
  const rows = lines.map(([fact, text]): readonly WorkbookCell[] => [{ value: fact, style: 'head' }, text]);
  return { name, widths: [28, 110], head: [title], rows: [rows] };
}

interface Rows extends AsyncDisposable {
  /** Waits for further rows; returns false at the end. */
  hasMore(): Promise<boolean>;
  /** Takes at most `most` of the rows that have arrived. */
  take(most: number): readonly Row[];
}

function createRows(batches: Sheet['rows']): Rows {
  const all = Symbol.asyncIterator in batches ? batches[Symbol.asyncIterator]() : batches[Symbol.iterator]();
  let batch: readonly Row[] = [];
  let at = 0;
  let hasEnded = false;
  return {
    async hasMore() {
      while (at >= batch.length && !hasEnded) {
        const { done = false, value } = await all.next();
        hasEnded = done;
        [batch, at] = [done ? [] : value, 0];
      }
      return at < batch.length;
    },
    take(most) {
      const some = batch.slice(at, at + most);
      at += some.length;
      return some;
    },
    async [Symbol.asyncDispose]() {
      if (!hasEnded) await all.return?.();
    },
  };
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelationships = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** Rows that are written in one piece. */
const rowsAtOnce = 256;

async function* sheetText(
  { widths, head, fixedColumns = 0 }: Sheet,
  { rows, maxRows }: { readonly rows: Rows; readonly maxRows: number },
): AsyncGenerator<string> {
  const last = widths.length;
  const columns = widths.map((width, index) => {
    const max = index === last - 1 ? sheetLimits.columns : index + 1;
    return `<col min="${index + 1}" max="${max}" width="${width}" customWidth="1"/>`;
  });
  const corner = `${columnName(fixedColumns)}2`;
  const pane = `<pane${fixedColumns > 0 ? ` xSplit="${fixedColumns}"` : ''} ySplit="1" topLeftCell="${corner}" activePane="${fixedColumns > 0 ? 'bottomRight' : 'bottomLeft'}" state="frozen"/>`;
  yield `${xmlHead}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews><cols>${columns.join('')}</cols><sheetData>`;
  yield rowText(head.map(headed), 1);
  let [characters, number] = [0, 2];
  while (number <= maxRows && characters < maxSheetCharacters && (await rows.hasMore())) {
    let text = '';
    for (const row of rows.take(Math.min(rowsAtOnce, maxRows - number + 1))) {
      text += rowText(row, number);
      number += 1;
    }
    characters += text.length;
    yield text;
  }
  yield '</sheetData></worksheet>';
}

function rowText(row: Row, number: number): string {
  return `<row r="${number}">${row.map((cell, at) => cellText(cell, `${columnName(at)}${number}`)).join('')}</row>`;
}

const headed = (cell: WorkbookCell): WorkbookCell => {
  const value = typeof cell === 'object' && cell !== null ? cell.value : cell;
  return value === null ? null : { value, style: 'head' };
};

function cellText(cell: WorkbookCell, place: string): string {
  if (cell === null) return '';
  const { value, style } = typeof cell === 'object' ? cell : ({ value: cell, style: 'plain' } as const);
  const shown = style === 'plain' ? '' : ` s="${styles[style]}"`;
  if (typeof value === 'number') return `<c r="${place}"${shown}><v>${value}</v></c>`;
  return `<c r="${place}"${shown} t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`;
}

export function escaped(text: string): string {
  const cut = text.length > sheetLimits.characters ? text.slice(0, sheetLimits.characters) : text;
  // Spreadsheets read `_x0041_` as an escaped character, and drop a plain carriage return.
  return xmlText(cut.replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')).replaceAll('\r', '&#13;');
}

const columnNames: string[] = [];

/** @param at zero-based. */
export function columnName(at: number): string {
  const known = columnNames[at];
  if (known !== undefined) return known;
  const name = (at < 26 ? '' : columnName(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26));
  columnNames[at] = name;
  return name;
}

const rootRelations = `${xmlHead}<Relationships xmlns="${packageRelationships}"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

/** Cell formats in the order of `styles`. */
const styleSheet = `${xmlHead}<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf><xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

function workbookText(names: readonly string[]): string {
  const sheets = names.map(
    (name, index) => `<sheet name="${escaped(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  return `${xmlHead}<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets>${sheets.join('')}</sheets></workbook>`;
}

function workbookRelations(sheets: number): string {
  const all = Array.from(
    { length: sheets },
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="${relationships}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  );
  const style = `<Relationship Id="rId${sheets + 1}" Type="${relationships}/styles" Target="styles.xml"/>`;
  return `${xmlHead}<Relationships xmlns="${packageRelationships}">${all.join('')}${style}</Relationships>`;
}

function contentTypes(sheets: number): string {
  const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const all = Array.from(
    { length: sheets },
    (_, index) =>
      `<Override PartName="/xl/worksheets/sheet${index + 1}.xml" ContentType="${types}.worksheet+xml"/>`,
  );
  return `${xmlHead}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/>${all.join('')}</Types>`;
}
