import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { charsetNamed } from '../../common/charset/charset.ts';
import { createSpreadsheetSession } from '../../console/src/spreadsheets/spreadsheet-session.ts';
import { SpreadsheetFault } from '../../console/src/spreadsheets/model/types.ts';
import { understand } from '../../console/src/spreadsheets/understanding/understand.ts';
import { type SheetCell, workbook } from '../support/tables/workbooks.ts';
import { below, dated, read, regions, remarks, rolesOf, sheetOf, year } from './remarked.ts';

suite('cells', () => {
  test('a figure merged over two districts belongs to neither, nor one over two years', async () => {
    const rows = [
      ['Район', 2021, 2022],
      ['Аккольский район', 10, 7],
      ['Аршалынский район', null, 8],
      ['Есильский район', 5, null],
    ];
    const table = await read({ rows, merges: ['B2:B3', 'B4:C4'] });
    assert.deepEqual(dated(table), { [year(2021)]: [null, null, null], [year(2022)]: [7, 8, null] });
    assert.ok(
      remarks(table).includes('mergedValues 2') || remarks(table).includes('mergedValues 3'),
      remarks(table).join(),
    );
  });

  test('a figure merged over two lines of one district is that of the district', async () => {
    const rows = [['Район', 2021, 2022], ['Аккольский район', 10, 7], [], ['Есильский район', 5, 6]];
    const table = await read({ rows, merges: ['A2:A3', 'B2:B3', 'C2:C3'] });
    assert.deepEqual(dated(table), { [year(2021)]: [10, 5], [year(2022)]: [7, 6] });
  });

  test('a raised figure leads to a footnote', async () => {
    for (const flavour of ['excel', 'inline'] as const) {
      const rows = [
        ['Регион', 2021],
        ['Абай', { runs: ['4154,0'], raised: '1' }],
        ['Акмолинская', 7],
      ];
      const table = understand(await sheetOf(workbook([{ name: 'A', rows }], { flavour }), 'a.xlsx'));
      assert.deepEqual(dated(table), { [year(2021)]: [4154, 7] });
      assert.deepEqual(remarks(table), ['footnoteMarks 1']);
    }
  });

  test('points between thousands are read by what the column proves', async () => {
    const table = await read(
      'Регион;2021;2022\nАбай;1.234,5;12.345\nАкмолинская;1.234.567;1.234\nАктюбинская;12.345;2.000\n',
    );
    assert.deepEqual(dated(table), {
      [year(2021)]: [1234.5, 1_234_567, 12_345],
      [year(2022)]: [12.345, 1.234, 2],
    });
    assert.deepEqual(remarks(table), ['decimalPointsAssumed 1']);
  });

  test('negative numbers in brackets and bounds are values of the first rows, and no header', async () => {
    const table = await read(
      'Регион;2021;2022\nАкмолинская;(12,5);(7)\nАбай;менее 5;менее 5\nАктюбинская;3;4\nАлматинская;нет;отсутствует\n',
    );
    assert.deepEqual(dated(table), {
      [year(2021)]: [-12.5, 'менее 5', 3, 'нет'],
      [year(2022)]: [-7, 'менее 5', 4, 'отсутствует'],
    });
    assert.ok(remarks(table).includes('negatives 2'));
    const first = await read(
      'Регион;2021;2022\nАбай;менее 5;менее 5\nАкмолинская;нет;отсутствует\nАктюбинская;3;4\n',
    );
    assert.equal(first.rows.length, 3);
  });

  test('decimal commas without quotes are put together where all rows show them, else left out', async () => {
    const joined = await read('Регион,2022,2023\nАбай,1,5,2,5\nАкмолинская,3,5,4,5\n');
    assert.deepEqual(dated(joined), { [year(2022)]: [1.5, 3.5], [year(2023)]: [2.5, 4.5] });
    assert.deepEqual(remarks(joined), ['commasJoined 2']);
    const mixed = await read('Регион,2022,2023\nАбай,1,5,2,5\nАкмолинская,3,4\nАктюбинская,3,4\n');
    assert.deepEqual(dated(mixed), { [year(2022)]: [null, 3, 3], [year(2023)]: [null, 4, 4] });
    assert.ok(remarks(mixed).includes('rowsLonger 1'));
    await assert.rejects(read('Регион,2022,2023\nАбай,1,5,2\nАкмолинская,1,2,5\n'), {
      code: 'unquotedCommas',
    });
  });

  test('letters of KZ-1048 and cp866 are read by what is likeliest', async () => {
    const encoded = (text: string, name: string) => {
      const charset = charsetNamed(name);
      const bytes = new Map(
        Array.from({ length: 256 }, (_, byte) => [charset?.decode(Uint8Array.of(byte)), byte] as const),
      );
      return Uint8Array.from(text, (letter) => bytes.get(letter) ?? assert.fail(letter));
    };
    const kazakh = 'КАТО;Облыс;2022\n110000000;Ақмола облысы;1\n610000000;Түркістан облысы;2\n';
    const russian = 'КАТО;Область;2022\n110000000;Акмолинская область;1\n150000000;Актюбинская область;2\n';
    for (const [text, name] of [
      [kazakh, 'KZ-1048'],
      [russian, 'CP866'],
      [russian, 'windows-1251'],
    ] as const) {
      const table = await read(encoded(text, name));
      assert.equal(table.rows[0]?.[1], text === kazakh ? 'Ақмола облысы' : 'Акмолинская область', name);
      assert.deepEqual(
        table.remarks.map(({ code, text: said }) => `${code} ${said}`),
        [`charsetGuessed ${name}`],
      );
    }
    const damaged = new TextEncoder().encode(russian);
    damaged[damaged.length - 60] = 0xff;
    assert.ok(remarks(await read(damaged)).some((each) => each.startsWith('bytesLost')));
  });

  test('what a workbook hides is read with a remark, or left out by choice', async () => {
    const sheet = { rows: below([['Регион', 2021, 2022]], 2), hidden: { rows: [3], columns: [3] } };
    const table = await read(sheet);
    assert.deepEqual([table.rows.length, remarks(table)], [4, ['hiddenKept 1']]);
    const seen = await read(sheet, { withoutHidden: true });
    assert.deepEqual(dated(seen), { [year(2021)]: [0, 20, 30] });
    assert.deepEqual(remarks(seen), ['hiddenLeftOut 1']);
  });

  test('numbers are read as their format shows them', async () => {
    const rows = [
      ['Регион', 'млн тенге, 2021'],
      ['Абай', { number: 1_234_567_890, format: '#,##0.0,,' }],
      ['Акмолинская', { number: 5_000, format: '#,##0,' }],
    ];
    const table = await read({ rows });
    assert.deepEqual(dated(table), { [year(2021)]: [1234.56789, 5] });
    assert.deepEqual(remarks(table), ['valuesDivided 2']);
  });

  test('an empty text that a formula makes is a value that is missing, and no formula without one', async () => {
    const rows: SheetCell[][] = [
      ['Регион', 2021, 2022],
      ['Абай', { formula: 'IF(D2>0,D2,"")', value: '' }, 1],
      ['Акмолинская', { formula: 'IF(D3>0,D3,"")', value: 7 }, 2],
    ];
    const table = await read({ rows });
    assert.deepEqual(dated(table), { [year(2021)]: [null, 7], [year(2022)]: [1, 2] });
    assert.deepEqual(remarks(table), []);
  });

  test('a workbook of formulas that were saved without values says so', async () => {
    const rows: SheetCell[][] = [['Регион', 2021], ...regions.map((region) => [region, { formula: 'A1' }])];
    await assert.rejects(
      read({ rows }),
      (error) => error instanceof SpreadsheetFault && error.code === 'formulasOnly',
    );
  });
});

suite('places', () => {
  test('a code in two rows is remarked', async () => {
    assert.deepEqual(remarks(await read('КАТО;2022\n110000000;5\n150000000;6\n110000000;7\n')), [
      'placesTwice 1',
    ]);
  });

  test('short codes beside names give way to the names', async () => {
    for (const codes of ['11 15 19', '1132 1134 1136', '113200 113400 113600']) {
      const text = codes.split(' ').map((code, at) => `${code};${regions[at + 1]};${at}`);
      const table = await read(`Код КАТО;Область;2022\n${text.join('\n')}\n`);
      assert.deepEqual(rolesOf(table), ['Код КАТО: note', 'Область: name', '2022: value']);
      assert.deepEqual(remarks(table), ['codesShort 3']);
    }
  });

  test('a region that stands once for its group is that of each row, and a row without a name is the region', async () => {
    const session = createSpreadsheetSession();
    const text =
      'Область;Район;2022\nАлматинская область;;100\n;Жамбылский р-н;1\nЖамбылская область;Жамбылский р-н;3\n;Байзакский р-н;4\n';
    await session.open(new Blob([text]), 'a.csv');
    const { table } = session.understand(0, {});
    assert.deepEqual(session.places(false), [
      { name: 'Алматинская область', region: null },
      { name: 'Жамбылский р-н', region: 'Алматинская область' },
      { name: 'Жамбылский р-н', region: 'Жамбылская область' },
      { name: 'Байзакский р-н', region: 'Жамбылская область' },
    ]);
    assert.deepEqual(
      table.remarks.map(({ code, count }) => `${code} ${count}`),
      ['groupsFilled 2'],
    );
  });

  test('"of which" is neither a region nor a row', async () => {
    const table = await read('Регион;2022\nАкмолинская;10\nв том числе:;\nАккольский;3\nАршалынский;4\n');
    assert.deepEqual(rolesOf(table), ['Регион: name', '2022: value']);
    assert.deepEqual(remarks(table), ['rowsLeftOut 1']);
  });
});

suite('a long table', () => {
  test('keeps its one year, whatever the column of what is counted is called', async () => {
    for (const head of ['КАТО;Год;Культура;Значение', 'КАТО;Год;;Значение', 'КАТО;Год;Показатель;Значение']) {
      const table = await read(
        `${head}\n110000000;2023;пшеница;1\n110000000;2023;ячмень;2\n150000000;2023;пшеница;3\n150000000;2023;ячмень;4\n`,
      );
      assert.deepEqual(
        table.columns.map(({ name, period }) => `${name} ${period?.start_date ?? ''}`),
        ['КАТО ', '2023 пшеница 2023-01-01', '2023 ячмень 2023-01-01'],
      );
      assert.deepEqual(table.rows, [
        ['110000000', 1, 2],
        ['150000000', 3, 4],
      ]);
    }
    const wide = await read('КАТО;Год;пшеница;ячмень\n110000000;2023;1;5\n150000000;2023;2;6\n');
    assert.deepEqual(
      wide.columns.map(({ period }) => period?.start_date),
      [undefined, '2023-01-01', '2023-01-01'],
    );
  });

  test('has a row for each place and crop, with its years from left to right', async () => {
    const crops = [
      'Пшеница 2022 2022-01-01',
      'Пшеница 2023 2023-01-01',
      'Ячмень 2022 2022-01-01',
      'Ячмень 2023 2023-01-01',
    ];
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ['Регион;Культура\nАбай;Пшеница;1;2\nАбай;Ячмень;3;4\nЖетісу;Пшеница;5;6\nЖетісу;Ячмень;7;8', []],
      ['Регион;Культура\nАбай;Пшеница;1;2\n;Ячмень;3;4\nЖетісу;Пшеница;5;6\n;Ячмень;7;8', ['groupsFilled 2']],
      ['Культура;Регион\nПшеница;Абай;1;2\n;Жетісу;5;6\nЯчмень;Абай;3;4\n;Жетісу;7;8', ['groupsFilled 2']],
    ];
    for (const [text, said] of cases) {
      const table = await read(`${text.replace('\n', ';2022;2023\n')}\n`);
      const values = table.columns.filter(({ role }) => role === 'value');
      assert.deepEqual(
        values.map(({ name, period }) => `${name} ${period?.start_date ?? ''}`),
        crops,
      );
      assert.deepEqual(
        table.rows.map((row) => row.slice(-4)),
        [
          [1, 2, 3, 4],
          [5, 6, 7, 8],
        ],
      );
      assert.deepEqual(remarks(table), said);
    }
    const one = await read('Регион;Вид;2023\nАбай;овцы;1\nАбай;козы;2\nЖетісу;овцы;3\nЖетісу;козы;4\n');
    assert.deepEqual(
      one.columns.map(({ name }) => name),
      ['Регион', 'овцы 2023', 'козы 2023'],
    );
  });

  test('is none where each place has other texts beside it', async () => {
    const table = await read('Район;Село;2023\nАбай;Аксу;1\nАбай;Бирлик;2\nЖарма;Калбатау;3\nЖарма;Шар;4\n');
    assert.deepEqual([table.rows.length, remarks(table)], [4, ['placesTwice 2']]);
  });

  test('has its year and its quarter, month or half-year in two columns', async () => {
    const cases: readonly (readonly [string, string, string, string, string])[] = [
      ['Квартал', '1', '2', '2023-01-01/2023-03-31', '2023-04-01/2023-06-30'],
      ['Квартал', 'I', 'II', '2023-01-01/2023-03-31', '2023-04-01/2023-06-30'],
      ['Тоқсан', '1-тоқсан', '2-тоқсан', '2023-01-01/2023-03-31', '2023-04-01/2023-06-30'],
      ['Месяц', 'январь', 'февраль', '2023-01-01/2023-01-31', '2023-02-01/2023-02-28'],
      ['Месяц', '1', '2', '2023-01-01/2023-01-31', '2023-02-01/2023-02-28'],
      ['Полугодие', '1', '2', '2023-01-01/2023-06-30', '2023-07-01/2023-12-31'],
      ['Период', 'янв.-март', 'янв.-июнь', '2023-01-01/2023-03-31', '2023-01-01/2023-06-30'],
    ];
    for (const [name, one, other, first, second] of cases)
      for (const isYearFirst of [true, false]) {
        const line = (code: string, part: string, value: number) =>
          isYearFirst ? `${code};2023;${part};${value}` : `${code};${part};2023;${value}`;
        const head = isYearFirst ? `КАТО;Год;${name};Значение` : `КАТО;${name};Год;Значение`;
        const rows = [
          line('110000000', one, 10),
          line('110000000', other, 20),
          line('150000000', one, 30),
          line('150000000', other, 40),
        ];
        const table = await read([head, ...rows, ''].join('\n'));
        assert.deepEqual(dated(table), { [first]: [10, 30], [second]: [20, 40] }, `${head}: ${one}`);
        assert.deepEqual(remarks(table), []);
      }
  });
});
