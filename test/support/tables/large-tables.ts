import { workbook } from './workbooks.ts';

/** A table of a million cells: a code and 49 years in each of 20,000 rows. */
export const million = { rows: 20_000, years: 49 } as const;

function* lines(): Generator<readonly (string | number)[]> {
  yield ['КАТО', ...Array.from({ length: million.years }, (_, index) => 1975 + index)];
  for (let row = 1; row < million.rows; row += 1)
    yield [
      `1132${String(row).padStart(5, '0')}`,
      ...Array.from({ length: million.years }, (_, index) => (row * 37 + index) / 10),
    ];
}

export function millionCellsAsWorkbook(): Buffer {
  return workbook([{ name: 'Лист1', rows: [...lines()] }]);
}

export function millionCellsAsCsv(): Buffer {
  return Buffer.from([...lines()].map((cells) => cells.join(';').replaceAll('.', ',')).join('\r\n'));
}
