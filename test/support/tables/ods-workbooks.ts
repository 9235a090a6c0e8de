import { hostileZip, type ZipEntry } from '../hostile/hostile-zip.ts';
import { escaped, type Sheet, type SheetCell, xmlHead } from './workbooks.ts';

const spaces = ['office', 'table', 'text', 'style', 'number', 'fo', 'meta', 'manifest', 'dc', 'draw'].map(
  (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
);
const names = [
  ...spaces,
  'xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"',
  'xmlns:xlink="http://www.w3.org/1999/xlink"',
].join(' ');

/** Writes an .ods independently of the reader under test. */
export function odsWorkbook(sheets: readonly Sheet[]): Buffer {
  return odsWith(sheets.map(tableOf).join(''));
}

/** An .ods with this XML as its sheets, and parts that are added or replaced. */
export function odsWith(tables: string, parts: readonly ZipEntry[] = []): Buffer {
  const own: ZipEntry[] = [
    { name: 'mimetype', bytes: 'application/vnd.oasis.opendocument.spreadsheet', method: 0 },
    { name: 'content.xml', bytes: odsContent(`<office:spreadsheet>${tables}</office:spreadsheet>`) },
    {
      name: 'META-INF/manifest.xml',
      bytes: `${xmlHead}<manifest:manifest ${names}><manifest:file-entry manifest:full-path="content.xml"/></manifest:manifest>`,
    },
  ];
  const replaced = new Set(parts.map(({ name }) => name));
  return hostileZip([...own.filter(({ name }) => !replaced.has(name)), ...parts]);
}

/** The part of a document with this XML as its body. */
export function odsContent(body: string): string {
  return `${xmlHead}<office:document-content ${names}><office:automatic-styles>${styles}</office:automatic-styles><office:body>${body}</office:body></office:document-content>`;
}

const styles = `<style:style style:name="hidden" style:family="table"><style:table-properties table:display="false"/></style:style>
<style:style style:name="raised" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>
<number:number-style style:name="n7"><number:number number:decimal-places="0" number:min-integer-digits="7"/></number:number-style>
<style:style style:name="seven" style:family="table-cell" style:data-style-name="n7"/>
<number:number-style style:name="nm"><number:number number:display-factor="1000000" number:decimal-places="1"/></number:number-style>
<style:style style:name="millions" style:family="table-cell" style:data-style-name="nm"/>
<number:date-style style:name="nmy"><number:month/><number:text>.</number:text><number:year/></number:date-style>
<style:style style:name="months" style:family="table-cell" style:parent-style-name="seven" style:data-style-name="nmy"/>`;

function tableOf({ name, rows, merges = [], hidden, state, from = { row: 0, column: 0 } }: Sheet): string {
  const places = merges.map(placesOf);
  const covered = (row: number, column: number): boolean =>
    places.some(
      ({ top, left, bottom, right }) =>
        row >= top && row <= bottom && column >= left && column <= right && (row > top || column > left),
    );
  const width = Math.max(1, ...rows.map((row) => row.length)) + from.column;
  const columns = Array.from({ length: width }, (_, column) =>
    hidden?.columns?.includes(column + 1) === true
      ? '<table:table-column table:visibility="collapse"/>'
      : '<table:table-column/>',
  );
  const lines = rows.map((cells, at) => {
    const row = at + from.row;
    const inside = Array.from({ length: width }, (_, column) => {
      const merge = places.find(({ top, left }) => top === row && left === column);
      const spans =
        merge === undefined
          ? ''
          : ` table:number-rows-spanned="${merge.bottom - merge.top + 1}" table:number-columns-spanned="${merge.right - merge.left + 1}"`;
      const cell = cells[column - from.column] ?? null;
      return covered(row, column) ? '<table:covered-table-cell/>' : cellOf(cell, spans);
    });
    const visibility = hidden?.rows?.includes(row + 1) === true ? ' table:visibility="filter"' : '';
    return `<table:table-row${visibility}>${inside.join('')}</table:table-row>`;
  });
  const before = from.row === 0 ? '' : `<table:table-row table:number-rows-repeated="${from.row}"/>`;
  const style = state === undefined ? '' : ' table:style-name="hidden"';
  return `<table:table table:name="${escaped(name)}"${style}>${columns.join('')}${before}${lines.join('')}<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>`;
}

function cellOf(cell: SheetCell, spans: string): string {
  const made = (about: string, text = ''): string =>
    `<table:table-cell${spans}${about}>${text === '' ? '' : text}</table:table-cell>`;
  const shown = (text: string): string =>
    text
      .split('\n')
      .map((line) => `<text:p>${escaped(line)}</text:p>`)
      .join('');
  const value = (type: string, name: string, of: number | string): string =>
    ` office:value-type="${type}" office:${name}="${of}"`;
  if (cell === null) return made('');
  if (typeof cell === 'number') return made(value('float', 'value', cell), shown(String(cell)));
  if (typeof cell === 'boolean') return made(value('boolean', 'boolean-value', String(cell)));
  if (typeof cell === 'string') return made(' office:value-type="string"', shown(cell));
  if ('runs' in cell) {
    const raised =
      cell.raised === undefined ? '' : `<text:span text:style-name="raised">${cell.raised}</text:span>`;
    return made(' office:value-type="string"', `<text:p>${escaped(cell.runs.join(''))}${raised}</text:p>`);
  }
  if ('error' in cell)
    return made(
      ' office:value-type="string" office:string-value="" calcext:value-type="error"',
      shown(cell.error),
    );
  if ('day' in cell) return made(value('date', 'date-value', cell.day), shown(cell.day));
  if ('format' in cell) {
    if (cell.format.includes('%')) return made(value('percentage', 'value', cell.number), shown('%'));
    const style = cell.format === '0000000' ? 'seven' : 'millions';
    return made(` table:style-name="${style}"${value('float', 'value', cell.number)}`, shown('x'));
  }
  const formula = ` table:formula="of:=${escaped(cell.formula)}"`;
  if (cell.value === undefined) return made(formula);
  if (cell.value === '') return made(formula, '<text:p/>');
  return typeof cell.value === 'number'
    ? made(formula + value('float', 'value', cell.value), shown(String(cell.value)))
    : made(`${formula} office:value-type="string"`, shown(cell.value));
}

function placesOf(range: string) {
  const [first, last] = range.split(':').map((place) => {
    const [, letters = '', row = ''] = /^([A-Z]+)(\d+)$/.exec(place) ?? [];
    const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
    return { row: Number(row) - 1, column };
  });
  return {
    top: first?.row ?? 0,
    left: first?.column ?? 0,
    bottom: (last ?? first)?.row ?? 0,
    right: (last ?? first)?.column ?? 0,
  };
}
