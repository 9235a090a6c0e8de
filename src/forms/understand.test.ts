import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CellRange, DefinedName, SheetCell } from '../geo/spreadsheet.ts';
import { type MatchUnits, understand } from './understand.ts';

const units = new Map([
  ['Акмолинская', '110000000'],
  ['Актюбинская', '150000000'],
  ['Аршалынский р-н', '113600000'],
]);
const match: MatchUnits = async (texts) =>
  await Promise.resolve(
    texts.map(({ name, region }) => ({
      // Two regions have a district of this name.
      kato:
        name === 'Жамбылский р-н' && region === 'Акмолинская'
          ? '119999000'
          : (units.get(name) ?? (/^\d{9}$/.test(name) ? name : null)),
      isAmbiguous: name === 'Жамбылский р-н' && region === undefined,
      isTotal: name === 'Всего',
    })),
  );

/** Cells of rows of texts and numbers; `=` stands for a formula. */
const cellsOf = (rows: readonly (readonly (string | number | null)[])[]): readonly SheetCell[] =>
  rows.flatMap((row, y) =>
    row.flatMap((value, x): SheetCell[] => {
      if (value === null) return [];
      if (value === '=') return [[y, x, 'f', '']];
      return [[y, x, typeof value === 'number' ? 'n' : 't', String(value)]];
    }),
  );

async function layoutOf(
  rows: Parameters<typeof cellsOf>[0],
  {
    merges = [],
    names = [],
    isHidden = false,
  }: { merges?: CellRange[]; names?: DefinedName[]; isHidden?: boolean } = {},
) {
  const layout = await understand(
    { sheets: [{ name: 'S', isHidden, cells: cellsOf(rows), merges }], names },
    match,
  );
  const fields = layout.fields.map(({ id, label, cells }) => [
    id,
    label,
    cells.map(([row, column, kato, state]) => `${row},${column} ${kato ?? 'form'} ${state}`).join('; '),
  ]);
  return { ...layout, fields };
}

describe('The layout of a template', () => {
  it('has the columns right of the units, with headers of several rows, without titles, numbers of columns and formulas', async () => {
    const { fields } = await layoutOf(
      [
        ['Баланс земель', null, null, null, null],
        ['Код', 'Область', 'Категории', null, 'Всего'],
        [null, null, 'Пашня', 'Пастбища', null],
        ['А', 'Б', 1, 2, 3],
        ['110000000', 'Акмолинская', null, 5, '='],
        ['150000000', 'Актюбинская', '=', null, '='],
        [null, 'Всего', '=', '=', '='],
      ],
      {
        merges: [
          [0, 0, 0, 4],
          [1, 2, 1, 3],
        ],
      },
    );
    assert.deepEqual(fields, [
      ['S!C5', 'Категории / Пашня', '4,2 110000000 empty; 5,2 150000000 formula'],
      ['S!D5', 'Категории / Пастбища', '4,3 110000000 content; 5,3 150000000 empty'],
    ]);
  });

  it('has fields of their own below another header, and right of other units', async () => {
    const below = await layoutOf([
      ['Область', 'Пашня'],
      ['Акмолинская', null],
      [null, 'Пастбища', 'Сенокосы'],
      ['Актюбинская', null, null],
    ]);
    assert.deepEqual(
      below.fields.map(([id, label]) => [id, label]),
      [
        ['S!B2', 'Пашня'],
        ['S!B4', 'Пастбища'],
        ['S!C4', 'Сенокосы'],
      ],
    );
    const beside = await layoutOf([
      ['Область', '2023', 'Область', '2024'],
      ['Акмолинская', null, 'Актюбинская', null],
    ]);
    assert.deepEqual(beside.fields, [
      ['S!B2', '2023', '1,1 110000000 empty'],
      ['S!D2', '2024', '1,3 150000000 empty'],
    ]);
  });

  it('takes no row whose code and name contradict each other, and lists what it does not know', async () => {
    const { fields, unknownRows } = await layoutOf([
      ['Код', 'Область', 'Пашня'],
      ['110000000', 'Акмолинская', null],
      ['113600000', 'Актюбинская', null],
      [null, 'Жамбылский р-н', null],
      ['150000000', 'Актюбинская', null],
    ]);
    assert.deepEqual(fields, [['S!C2', 'Пашня', '1,2 110000000 empty; 4,2 150000000 empty']]);
    assert.deepEqual(
      unknownRows.map(({ row, text, isAmbiguous }) => [row, text, isAmbiguous]),
      [
        [2, 'Актюбинская', false],
        [3, 'Жамбылский р-н', true],
      ],
    );
  });

  it('asks for districts within the region that stands beside them, written once', async () => {
    const { fields } = await layoutOf([
      ['Область', 'Район', 'Пашня'],
      ['Акмолинская', 'Аршалынский р-н', null],
      [null, 'Жамбылский р-н', null],
    ]);
    assert.deepEqual(fields, [['S!C2', 'Пашня', '1,2 113600000 empty; 2,2 119999000 empty']]);
  });

  it('has named cells of a column, of a unit, and of the whole form, and the names of the service', async () => {
    const place = (name: string, ...range: CellRange): DefinedName => ({ name, sheet: 0, range });
    const { fields, ownCells, unknownNames } = await layoutOf(
      [
        ['Область', 'Пашня'],
        ['Акмолинская', null],
        ['Актюбинская', null],
      ],
      {
        names: [
          place('arable', 1, 1, 2, 1),
          place('pasture_110000000', 9, 9, 9, 9),
          place('pasture_150000000', 10, 9, 10, 9),
          place('total', 12, 9, 12, 9),
          place('form_date', 13, 9, 13, 9),
          place('wide', 1, 3, 2, 4),
          { name: 'constant', sheet: null, range: null },
        ],
      },
    );
    assert.deepEqual(fields, [
      ['arable', 'arable: Пашня', '1,1 110000000 empty; 2,1 150000000 empty'],
      ['pasture', 'pasture', '9,9 110000000 empty; 10,9 150000000 empty'],
      ['total', 'total', '12,9 form empty'],
    ]);
    assert.deepEqual([ownCells.map(({ name }) => name), unknownNames], [['form_date'], ['wide']]);
  });

  it('has no fields in hidden sheets, in texts and below merged cells', async () => {
    const rows = [
      ['Область', 'Пашня', 'Примечание'],
      ['Акмолинская', null, 'есть'],
      ['Актюбинская', null, 'нет'],
    ];
    assert.deepEqual((await layoutOf(rows, { isHidden: true })).fields, []);
    assert.deepEqual((await layoutOf(rows, { merges: [[1, 1, 2, 1]] })).fields, [
      ['S!B2', 'Пашня', '1,1 110000000 empty'],
    ]);
  });

  it('is bounded for names of all cells and merged cells of all rows', async () => {
    const rows = Array.from({ length: 3000 }, (_, row) => [row === 0 ? 'Область' : '110000000', null]);
    const whole: CellRange = [0, 1, 1_048_575, 1];
    const names = Array.from({ length: 5000 }, (_, index) => ({ name: `n${index}`, sheet: 0, range: whole }));
    const merges = Array.from({ length: 50_000 }, (): CellRange => [0, 2, 1_048_575, 16_383]);
    const cells = cellsOf(rows);
    const { fields } = await understand(
      { sheets: [{ name: 'S', isHidden: false, cells, merges }], names },
      match,
    );
    assert.ok(fields.reduce((sum, field) => sum + field.cells.length, 0) < 110_000);
  });
});
