import { remarksNameOf } from '../../../common/table/marks.ts';
import { lineOf } from './model/cells.ts';
import { geoJsonParts } from './files/geojson.ts';
import type {
  FinishedTable,
  FinishRequest,
  OpenedWorkbook,
  Place,
  ShownRows,
  TableFacts,
  UnderstoodTable,
} from './messages.ts';
import { readWorkbook } from './files/read.ts';
import {
  type Choice,
  type Column,
  type Remark,
  SpreadsheetFault,
  type Table,
  type Workbook,
} from './model/types.ts';
import { understand } from './understanding/understand.ts';
import { widen } from './understanding/widen.ts';
import { zipOf } from './files/zip.ts';

/** Keeps one spreadsheet and the table made from it. It runs in a worker; the page gets only what it shows. */
export function createSpreadsheetSession() {
  let original: { readonly file: Blob; readonly name: string } | undefined;
  let workbook: Workbook | undefined;
  let long: Table | undefined;
  let wide: Table | undefined;
  const chosen = (isWide: boolean): Table => {
    const table = isWide ? (wide ?? long) : long;
    if (table === undefined) throw new SpreadsheetFault('noTable');
    return table;
  };
  return {
    async open(file: Blob, name: string): Promise<OpenedWorkbook> {
      const bytes = new Uint8Array(await file.arrayBuffer());
      original = { file, name };
      workbook = await readWorkbook(bytes, name);
      const sheets = workbook.sheets.map(({ name: title, isHidden, rows }) => ({
        name: title,
        isHidden,
        rowCount: rows.length,
      }));
      const seen = sheets.some(({ isHidden }) => !isHidden)
        ? sheets.filter(({ isHidden }) => !isHidden)
        : sheets;
      const [largest] = seen.toSorted((a, b) => b.rowCount - a.rowCount);
      return {
        sheets,
        best: largest === undefined ? 0 : sheets.indexOf(largest),
        encoding: workbook.encoding,
      };
    },
    understand(sheet: number, choice: Choice): UnderstoodTable {
      const found = workbook?.sheets[sheet];
      [long, wide] = [undefined, undefined];
      if (found === undefined) throw new SpreadsheetFault('noTable');
      const table = understand(found, choice);
      long = withRemarkColumns(table);
      wide = table.isLong ? withRemarkColumns(widen(table)) : undefined;
      return { table: factsOf(long), wide: wide === undefined ? undefined : factsOf(wide) };
    },
    rows(
      isWide: boolean,
      from: number,
      { count, columns }: { readonly count: number; readonly columns: number },
    ): ShownRows {
      const { rows, rowNumbers } = chosen(isWide);
      return {
        rows: rows.slice(from, from + count).map((row) => row.slice(0, columns)),
        numbers: rowNumbers.slice(from, from + count),
      };
    },
    places(isWide: boolean): readonly Place[] {
      const { columns, rows } = chosen(isWide);
      const [name, region] = [placeOf(columns, 'name'), placeOf(columns, 'region')];
      const below = belowColumn(columns, rows);
      let district = '';
      return rows.map((row) => {
        const [own, above] = [lineOf(row[name]), lineOf(row[region])];
        const place = below === -1 ? '' : lineOf(row[below]);
        // A district is often written once for the rows of its rural districts.
        district = own === '' ? district : own;
        if (place !== '' && district !== '') return { name: place, region: above || null, district };
        // The row of a region among those of its districts has its name in the column of regions.
        return own === '' ? { name: above, region: null } : { name: own, region: above || null };
      });
    },
    /** Rows with both a code and a name, as one text, so that the service can check that both are of the same place. */
    pairs(isWide: boolean): readonly Place[] {
      const { columns, rows } = chosen(isWide);
      const [code, name] = [placeOf(columns, 'code'), placeOf(columns, 'name')];
      if (code === -1 || name === -1) return [];
      const pairs = new Set(rows.map((row) => `${lineOf(row[code])} ${lineOf(row[name])}`));
      const both = [...pairs].filter((pair) => /^\d{9} \S/.test(pair));
      return both.map((pair) => ({ name: pair, region: null }));
    },
    async finish({ isWide, codes, name, maxBytes }: FinishRequest): Promise<FinishedTable> {
      const table = chosen(isWide);
      const coded =
        codes === undefined
          ? table
          : {
              columns: [
                { name: freeName(codes.column, table.columns), role: 'code' } satisfies Column,
                ...table.columns,
              ],
              rows: table.rows.map((row, index) => [codes.values[index] ?? null, ...row]),
            };
      const geoJson = new Blob([...geoJsonParts(coded, maxBytes)], { type: 'application/geo+json' });
      if (original !== undefined && original.name !== '') {
        const extension = /\.[^.]*$/.exec(original.name)?.[0] ?? '';
        const isPacked = workbook?.kind === 'xlsx' || workbook?.kind === 'ods';
        const zip = await zipOf([
          { name: `${name}.geojson`, data: geoJson, isPacked: false },
          { name: `${name}${extension}`, data: original.file, isPacked },
        ]);
        if (zip.size <= maxBytes) return { file: zip, extension: 'zip' };
      }
      if (geoJson.size > maxBytes) throw new SpreadsheetFault('resultTooLarge');
      return { file: geoJson, extension: 'geojson' };
    },
  };
}

/** Limit of the service for columns of a table. */
const maxColumns = 10_000;

/** Adds a column for the remarks on each column of values that has any, behind all others. */
function withRemarkColumns(table: Table): Table {
  const remarked = new Set<number>();
  for (const row of table.cellRemarks) for (const index of row?.keys() ?? []) remarked.add(index);
  const sources = [...remarked].toSorted((a, b) => a - b);
  if (sources.length === 0) return table;
  if (table.columns.length + sources.length >= maxColumns) {
    const left: Remark = { code: 'remarksLeftOut', count: sources.length };
    return { ...table, remarks: [...table.remarks, left] };
  }
  const columns = sources.map((index): Column => ({
    name: remarksNameOf(table.columns[index]?.name ?? ''),
    role: 'note',
  }));
  return {
    ...table,
    columns: [...table.columns, ...columns],
    rows: table.rows.map((row, at) => [
      ...row,
      ...sources.map((index) => table.cellRemarks[at]?.get(index) ?? null),
    ]),
  };
}

function factsOf({ cellRemarks: _remarks, rows, rowNumbers: _numbers, ...facts }: Table): TableFacts {
  return { ...facts, rowCount: rows.length };
}

function placeOf(columns: readonly Column[], role: Column['role']): number {
  return columns.findIndex((column) => column.role === role);
}

/** Words for rural districts and for the administrations of towns and villages, in cells and in headings. */
const belowWord =
  /(?<!\p{L})(?:сельск\p{L}*\s+округ|ауылды[қк]\s+округ|сельокруг|[са]\s?[./]\s?о(?!\p{L})|[спг]\.\s?а(?!\p{L})|[акқ]\.\s?ә(?!\p{L})|округ|rural district)/iu;

/** Returns the column of places below the districts in the column of names; -1 if there is none. */
function belowColumn(columns: readonly Column[], rows: Table['rows']): number {
  return columns.findIndex(({ role, name }, column) => {
    if (role !== 'note') return false;
    const texts = rows.map((row) => lineOf(row[column])).filter((text) => text !== '');
    const worded = texts.filter((text) => belowWord.test(text)).length;
    return texts.length > 0 && (worded * 2 > texts.length || belowWord.test(name));
  });
}

function freeName(wanted: string, columns: readonly Column[]): string {
  let name = wanted;
  for (let again = 2; columns.some((column) => column.name === name); again += 1)
    name = `${wanted} (${again})`;
  return name;
}
