import { hostileZip, type ZipEntry } from '../hostile/hostile-zip.ts';

/** A cell of a sheet; texts and numbers stand for themselves. */
export type SheetCell =
  | string
  | number
  | boolean
  | null
  /** `value` is the computed result; undefined if no program has ever opened the workbook. */
  | { readonly formula: string; readonly value?: number | string }
  /** A calendar day, stored as a number with a date format. */
  | { readonly day: string }
  /** A text in pieces, as Excel writes a text with superscript letters. */
  | { readonly runs: readonly string[]; readonly raised?: string }
  | { readonly error: string }
  /** A number with its own format, such as `0.0%` or `0" г."`. */
  | { readonly number: number; readonly format: string };

export interface Sheet {
  readonly name: string;
  readonly rows: readonly (readonly SheetCell[])[];
  readonly merges?: readonly string[];
  /** Rows and columns, both from 1, that the program hides. */
  readonly hidden?: { readonly rows?: readonly number[]; readonly columns?: readonly number[] };
  readonly state?: 'hidden' | 'veryHidden';
  /** Offset of the first cell. */
  readonly from?: { readonly row: number; readonly column: number };
  /** XML after the rows and the merged cells. */
  readonly tail?: string;
}

/**
 * Program that writes the workbook. `excel` uses shared strings and gives every cell its reference; `inline` is an exporter that writes
 * inline strings and no references; `prefixed` names all elements `x:…` and its parts from the root, like a common library.
 */
export type Flavour = 'excel' | 'inline' | 'prefixed';

interface Workbook {
  readonly flavour?: Flavour;
  /** Counts days from 1904, like old Macintosh computers. */
  readonly since1904?: boolean;
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
export const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Writes an .xlsx independently of the reader under test. */
export function workbook(sheets: readonly Sheet[], kind: Workbook = {}): Buffer {
  return hostileZip(workbookParts(sheets, kind));
}

/** Parts of an .xlsx, for tests that replace one of them. */
export function workbookParts(sheets: readonly Sheet[], { flavour = 'excel', since1904 }: Workbook = {}) {
  const book = new Book(flavour, since1904 === true);
  const written = sheets.map((sheet) => book.sheet(sheet));
  const root = flavour === 'prefixed' ? '/xl/' : '';
  const named = (xml: string) => xmlHead + (flavour === 'prefixed' ? prefixed(xml) : xml);
  const list = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${escaped(name)}" sheetId="${index + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="rId${index + 1}"/>`,
  );
  const targets = [...sheets.map((_, index) => `worksheets/sheet${index + 1}.xml`), 'styles.xml'];
  if (book.texts.size > 0) targets.push('sharedStrings.xml');
  const parts: ZipEntry[] = [
    { name: '[Content_Types].xml', bytes: contentTypes(targets) },
    {
      name: '_rels/.rels',
      bytes: `${xmlHead}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="${flavour === 'prefixed' ? '/' : ''}xl/workbook.xml"/></Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      bytes: named(
        `<workbook xmlns="${main}" xmlns:r="${office}">${since1904 === true ? '<workbookPr date1904="1"/>' : ''}<sheets>${list.join('')}</sheets></workbook>`,
      ),
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      bytes: `${xmlHead}<Relationships xmlns="${packages}/relationships">${targets.map((target, index) => `<Relationship Id="rId${index + 1}" Type="${office}/${typeOf(target)}" Target="${root}${target}"/>`).join('')}</Relationships>`,
    },
    ...written.map((bytes, index) => ({ name: `xl/worksheets/sheet${index + 1}.xml`, bytes: named(bytes) })),
    { name: 'xl/styles.xml', bytes: named(book.styles()) },
  ];
  if (book.texts.size > 0) parts.push({ name: 'xl/sharedStrings.xml', bytes: named(book.sharedTexts()) });
  return parts;
}

class Book {
  readonly texts = new Map<string, number>();
  readonly #formats = ['General', 'dd.mm.yyyy'];
  readonly #flavour: Flavour;
  readonly #since1904: boolean;

  constructor(flavour: Flavour, since1904: boolean) {
    this.#flavour = flavour;
    this.#since1904 = since1904;
  }

  sheet({ rows, merges = [], from = { row: 0, column: 0 }, tail = '', hidden }: Sheet): string {
    const width = Math.max(1, ...rows.map((row) => row.length));
    const dimension = `${cellName(from.row, from.column)}:${cellName(from.row + rows.length - 1, from.column + width - 1)}`;
    const lines = rows.map((row, at) => {
      const cells = row.map((cell, column) =>
        this.#cell(cell, cellName(from.row + at, from.column + column)),
      );
      const isHidden = hidden?.rows?.includes(from.row + at + 1) === true;
      return `<row${this.#flavour === 'inline' ? '' : ` r="${from.row + at + 1}"`}${isHidden ? ' hidden="1"' : ''}>${cells.join('')}</row>`;
    });
    const hiddenColumns = hidden?.columns?.map((at) => `<col min="${at}" max="${at}" hidden="1"/>`) ?? [];
    const columns = hiddenColumns.length === 0 ? '' : `<cols>${hiddenColumns.join('')}</cols>`;
    const merged = merges.map((range) => `<mergeCell ref="${range}"/>`).join('');
    return `<worksheet xmlns="${main}" xmlns:r="${office}">${this.#flavour === 'inline' ? '' : `<dimension ref="${dimension}"/>`}${columns}<sheetData>${lines.join('')}</sheetData>${merged === '' ? '' : `<mergeCells count="${merges.length}">${merged}</mergeCells>`}${tail}</worksheet>`;
  }

  #cell(cell: SheetCell, place: string): string {
    const at = this.#flavour === 'inline' ? '' : ` r="${place}"`;
    if (cell === null) return this.#flavour === 'inline' ? '<c/>' : '';
    if (typeof cell === 'number') return `<c${at}><v>${cell}</v></c>`;
    if (typeof cell === 'boolean') return `<c${at} t="b"><v>${cell ? 1 : 0}</v></c>`;
    if (typeof cell === 'string') return this.#text(at, `<t xml:space="preserve">${escaped(cell)}</t>`);
    if ('runs' in cell) {
      const runs = cell.runs.map(
        (run) => `<r><rPr><b/></rPr><t xml:space="preserve">${escaped(run)}</t></r>`,
      );
      const raised =
        cell.raised === undefined
          ? ''
          : `<r><rPr><vertAlign val="superscript"/></rPr><t>${escaped(cell.raised)}</t></r>`;
      return this.#text(at, runs.join('') + raised);
    }
    if ('error' in cell) return `<c${at} t="e"><v>${escaped(cell.error)}</v></c>`;
    if ('day' in cell) return `<c${at} s="1"><v>${serialOf(cell.day, this.#since1904)}</v></c>`;
    if ('format' in cell) return `<c${at} s="${this.#style(cell.format)}"><v>${cell.number}</v></c>`;
    const value = cell.value === undefined ? '' : `<v>${escaped(String(cell.value))}</v>`;
    const type = typeof cell.value === 'string' ? ' t="str"' : '';
    return `<c${at}${type}><f>${escaped(cell.formula)}</f>${value}</c>`;
  }

  #text(at: string, inside: string): string {
    if (this.#flavour === 'inline') return `<c${at} t="inlineStr"><is>${inside}</is></c>`;
    const known = this.texts.get(inside) ?? this.texts.size;
    this.texts.set(inside, known);
    return `<c${at} t="s"><v>${known}</v></c>`;
  }

  #style(format: string): number {
    if (!this.#formats.includes(format)) this.#formats.push(format);
    return this.#formats.indexOf(format);
  }

  styles(): string {
    const formats = this.#formats.map(
      (format, index) => `<numFmt numFmtId="${163 + index}" formatCode="${escaped(format)}"/>`,
    );
    const uses = this.#formats.map(
      (_, index) => `<xf numFmtId="${index === 0 ? 0 : 163 + index}" applyNumberFormat="1"/>`,
    );
    return `<styleSheet xmlns="${main}"><numFmts count="${formats.length}">${formats.join('')}</numFmts><cellXfs count="${uses.length}">${uses.join('')}</cellXfs></styleSheet>`;
  }

  sharedTexts(): string {
    const texts = [...this.texts.keys()].map((text) => `<si>${text}</si>`);
    return `<sst xmlns="${main}" count="${texts.length}" uniqueCount="${texts.length}">${texts.join('')}</sst>`;
  }
}

function typeOf(target: string): string {
  return target.startsWith('worksheets/') ? 'worksheet' : target.slice(0, target.indexOf('.'));
}

function contentTypes(targets: readonly string[]): string {
  const types = targets.map((target) => {
    const type = typeOf(target);
    return `<Override PartName="/xl/${target}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`;
  });
  return `${xmlHead}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>${types.join('')}</Types>`;
}

function prefixed(xml: string): string {
  return xml.replaceAll(/<(\/?)([a-zA-Z])/g, '<$1x:$2').replace(`xmlns="${main}"`, `xmlns:x="${main}"`);
}

/** Reference of a cell, from its zero-based row and column. */
export function cellName(row: number, column: number): string {
  let letters = '';
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26)) {
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters;
  }
  return `${letters}${row + 1}`;
}

function serialOf(day: string, since1904: boolean): number {
  const start = Date.UTC(since1904 ? 1904 : 1899, since1904 ? 0 : 11, since1904 ? 1 : 30);
  return (Date.parse(`${day}T00:00:00Z`) - start) / 86_400_000;
}

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;');
}
