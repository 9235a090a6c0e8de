import { hostileZip, type ZipEntry } from '../../support/hostile/hostile-zip.ts';
import { type Sheet, workbookParts, xmlHead } from '../../support/tables/workbooks.ts';

/** A file that is costly to read or lies, and the allowed outcomes: one of these faults, or a table of its sheet. */
export interface Hostile {
  readonly name: string;
  readonly file: string;
  readonly bytes: () => Uint8Array;
  /** `table`: the honest part is read. */
  readonly ends: readonly string[];
}

export const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
export const mebibyte = 1024 * 1024;
export const honest: Sheet = {
  name: 'Лист1',
  rows: [
    ['КАТО', 'Район', '2022', '2023'],
    ['113200000', 'Аккольский', 12.5, 13.5],
    ['113400000', 'Аршалынский', 14.5, 15.5],
  ],
};

/** A valid workbook with parts replaced or added. */
export function withParts(
  changes: Readonly<Record<string, Partial<ZipEntry>>>,
  sheet: Sheet = honest,
): Uint8Array {
  const parts = workbookParts([sheet]);
  const known = new Set(parts.map(({ name }) => name));
  const added = Object.entries(changes).filter(([name]) => !known.has(name));
  return hostileZip([
    ...parts.map((part) => ({ ...part, ...changes[String(part.name)] })),
    ...added.map(([name, change]) => ({ bytes: '', ...change, name })),
  ]);
}

export function sheetXml(inside: string): string {
  return `${xmlHead}<worksheet xmlns="${main}">${inside}</worksheet>`;
}

export const sheetOne = 'xl/worksheets/sheet1.xml';
export const texts = 'xl/sharedStrings.xml';
export const blown = (unit: string, times: number) => Buffer.alloc(unit.length * times, unit);
