import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { charsetNamed } from '../../../../common/charset/charset.ts';
import { odsWith, odsWorkbook } from '../../../../test/support/tables/ods-workbooks.ts';
import { olderWorkbook, record, workbookStream } from '../../../../test/support/tables/older-workbooks.ts';
import { compoundFile } from '../../../../test/support/tables/compound-files.ts';
import { type Sheet as Written, workbook } from '../../../../test/support/tables/workbooks.ts';
import { type FaultCode, type Sheet, SpreadsheetFault } from '../model/types.ts';
import { readWorkbook } from './read.ts';

const long = 'Посевная площадь, тыс. га; '.repeat(30);
const sheets: readonly Written[] = [
  {
    name: 'Лист & 1',
    rows: [
      ['Посевы', null, null],
      [110_000_000, 'Ақмола', 5.5, -3, 1e21, 0.1 + 0.2],
      [{ day: '2020-01-31' }, { number: 0.125, format: '0.0%' }, { number: 7, format: '0000000' }],
      [true, false, { error: '#N/A' }, { number: 1_234_567, format: '#,##0.0,,' }, 'é'],
      [
        { runs: ['4154,0'], raised: '1' },
        { formula: 'A2', value: 3.5 },
        { formula: 'A2', value: 'да' },
      ],
      [{ formula: 'A2', value: '' }, long, `${long}Ә`, 'две\nстроки'],
    ],
    merges: ['A1:C1', 'D2:D3'],
    hidden: { rows: [3], columns: [2] },
  },
  { name: 'Скрытый', state: 'hidden', rows: [['x', 1]], from: { row: 3, column: 2 } },
];

const read = async (bytes: Uint8Array): Promise<readonly Sheet[]> =>
  (await readWorkbook(Uint8Array.from(bytes), 'a')).sheets;
const rowsOf = async (bytes: Uint8Array) => (await read(bytes))[0]?.rows;
const fault = (code: FaultCode) => (error: unknown) =>
  error instanceof SpreadsheetFault && error.code === code;

/** Encodes texts by a charset of the platform. */
function encoder(name: string): (text: string) => Uint8Array {
  const charset = charsetNamed(name);
  assert.ok(charset !== undefined);
  const bytes = new Map(
    Array.from({ length: 256 }, (_, byte) => [charset.decode(Uint8Array.of(byte)), byte]),
  );
  return (text) => Uint8Array.from(text, (letter) => bytes.get(letter) ?? 0x3f);
}

suite('a workbook means the same in each format', async () => {
  const expected = await read(workbook(sheets));
  const russian = sheets.map((sheet) => JSON.parse(JSON.stringify(sheet).replaceAll(/[қӘé]/g, 'к')));
  const inRussian = await read(workbook(russian));
  const codePage = { number: 1251, encode: encoder('windows-1251') };

  test('.xls of Excel 97 to 2003', async () => assert.deepEqual(await read(olderWorkbook(sheets)), expected));
  test('.xls whose texts go on in other records', async () => {
    for (const mostBytes of [60, 61, 97, 500])
      assert.deepEqual(await read(olderWorkbook(sheets, { mostBytes })), expected);
  });
  test('.xls with days since 1904', async () =>
    assert.deepEqual(await read(olderWorkbook(sheets, { since1904: true })), expected));
  test('.xls of Excel 5.0 and 95', async () =>
    assert.deepEqual(await read(olderWorkbook(russian, { version: 5, codePage })), inRussian));
  test('a stream without a compound file', async () =>
    assert.deepEqual(await read(workbookStream(sheets)), expected));
  test('.ods', async () => assert.deepEqual(await read(odsWorkbook(sheets)), expected));
});

suite('.xls', () => {
  const cyrillic = [
    ['Область', 'Пашня'],
    ['Акмолинская область', 5],
    ['Костанайская область', 6],
  ];
  const kazakh = [
    ['Облыс', 'Егістік'],
    ['Ақмола облысы', 5],
    ['Қостанай облысы', 6],
    ['Түркістан', 7],
  ];
  const bytes = (rows: Written['rows'], number: number, charset: string) =>
    olderWorkbook([{ name: 'A', rows }], { version: 5, codePage: { number, encode: encoder(charset) } });

  test('texts that are in another charset than stated are read in the likeliest, which is said', async () => {
    const charsets = [
      [cyrillic, 1252, 'windows-1251', 'windows-1251'],
      [kazakh, 1251, 'KZ-1048', 'KZ-1048'],
      [cyrillic, 1251, 'windows-1251', undefined],
      [cyrillic, 866, 'CP866', undefined],
      [cyrillic, 10_007, 'x-mac-cyrillic', undefined],
      [[['Größe', 1]], 1252, 'windows-1252', undefined],
    ] as const;
    for (const [rows, number, charset, said] of charsets) {
      const [sheet] = await read(bytes(rows, number, charset));
      assert.deepEqual(sheet?.rows, rows, charset);
      assert.equal(sheet.textNotes?.charset, said, charset);
    }
  });

  test('formulas that no program has computed are counted, and empty results are not', async () => {
    const rows = (value?: number): Written['rows'] => [
      ['a', { formula: 'x' }],
      ['b', value === undefined ? { formula: 'x' } : { formula: 'x', value }],
    ];
    const count = async (written: Written['rows']) =>
      (await read(olderWorkbook([{ name: 'A', rows: written }])))[0]?.formulasWithoutValue;
    assert.deepEqual([await count(rows()), await count(rows(5))], [2, 0]);
  });

  test('short numbers may be a hundredth, and several in one record', async () => {
    const numbers = (...of: readonly number[]) => {
      const content = Buffer.alloc(4 + of.length * 6 + 2);
      for (const [at, value] of of.entries()) content.writeInt32LE(value, 4 + at * 6 + 2);
      return record(0xbd, content);
    };
    const stream = workbookStream([{ name: 'A', rows: [] }]);
    const more = numbers(12_345 * 4 + 3, -7 * 4 + 2, 0x3ff00000, 0x40590001);
    const end = stream.length - 4;
    const longer = Buffer.concat([stream.subarray(0, end), more, stream.subarray(end)]);
    assert.deepEqual(await rowsOf(longer), [[123.45, -7, 1, 1]]);
  });

  test('a sheet that breaks off leaves the others', async () => {
    const [first, second] = await read(workbookStream(sheets).subarray(0, -10));
    assert.deepEqual([first?.fault, second?.fault?.code], [undefined, 'damaged']);
  });

  test('what cannot be read ends in a sentence', async () => {
    const stream = workbookStream(sheets);
    const with2f = Buffer.concat([
      stream.subarray(0, 12),
      record(0x2f, Buffer.alloc(6)),
      stream.subarray(12),
    ]);
    const cases: readonly (readonly [FaultCode, Uint8Array])[] = [
      ['encrypted', compoundFile([{ name: 'EncryptedPackage', bytes: Buffer.alloc(9) }])],
      ['encrypted', compoundFile([{ name: 'Workbook', bytes: with2f }])],
      ['notSpreadsheet', compoundFile([{ name: 'WordDocument', bytes: Buffer.alloc(5000) }])],
      ['oldExcel', record(0x409, Buffer.alloc(6))],
      ['oldExcel', compoundFile([{ name: 'Book', bytes: record(0x209, Buffer.alloc(8)) }])],
      ['damaged', stream.subarray(0, 400)],
      ['damaged', olderWorkbook(sheets).subarray(0, 3000)],
    ];
    for (const [code, content] of cases) await assert.rejects(read(content), fault(code), code);
  });
});

suite('.ods', () => {
  const table = (rows: string, about = '') => `<table:table table:name="A"${about}>${rows}</table:table>`;
  const cell = (about: string, inside = '') => `<table:table-cell${about}>${inside}</table:table-cell>`;
  const row = (inside: string, about = '') => `<table:table-row${about}>${inside}</table:table-row>`;
  const rows = async (xml: string) => await rowsOf(odsWith(table(xml)));

  test('rows and cells that are repeated count as often', async () => {
    const five = cell(' office:value-type="float" office:value="5" table:number-columns-repeated="2"');
    const gap = cell(' table:number-columns-repeated="2"');
    const found = await rows(
      row(gap + five, ' table:number-rows-repeated="2"') +
        row(gap, ' table:number-rows-repeated="3"') +
        row(five),
    );
    assert.deepEqual(found, [[null, null, 5, 5], [null, null, 5, 5], [], [], [], [5, 5]]);
  });

  test('spaces, breaks, links and comments', async () => {
    const text =
      '<office:annotation><dc:creator>я</dc:creator><text:p>нет</text:p></office:annotation><text:p>а<text:s text:c="2"/>б<text:tab/><text:a xlink:href="http://127.0.0.1:9/">в</text:a><text:line-break/>&lt;</text:p><text:p>г</text:p><draw:frame><text:p>нет</text:p></draw:frame>';
    assert.deepEqual(await rows(row(cell(' office:value-type="string"', text))), [['а  б\tв\n<\nг']]);
  });

  test('times, currencies, months, errors and formats of columns', async () => {
    const columns = '<table:table-column/><table:table-column table:default-cell-style-name="seven"/>';
    const found = await rows(
      columns +
        row(
          cell(' office:value-type="time" office:time-value="PT06H34M12S"') +
            cell(' office:value-type="float" office:value="7"') +
            cell(' office:value-type="currency" office:value="12.5"') +
            cell(' table:style-name="months" office:value-type="date" office:date-value="2021-05-06"') +
            cell(' office:value-type="date" office:date-value="2021-05-06T07:30:00"') +
            cell(' office:value-type="string" calcext:value-type="error"', '<text:p>Err:502</text:p>'),
        ),
    );
    assert.deepEqual(found, [['06:34', '0000007', 12.5, '2021-05', '2021-05-06T07:30', '#VALUE!']]);
  });

  test('the content of covered cells is not shown, and copies of other files are no sheets', async () => {
    const covered = '<table:covered-table-cell office:value-type="float" office:value="9"/>';
    const one = cell(' office:value-type="float" office:value="1" table:number-columns-spanned="2"');
    const copy = `<table:table table:name="'file:///tmp/b.ods'#A">${row(one)}</table:table>`;
    const found = await read(odsWith(table(row(one + covered)) + copy));
    assert.deepEqual(
      found.map((sheet) => sheet.rows),
      [[[1]]],
    );
  });

  test('what cannot be read ends in a sentence', async () => {
    const one = cell(' office:value-type="float" office:value="1"');
    const locked = '<m xmlns:manifest="x"><manifest:encryption-data/></m>';
    const cases: readonly (readonly [FaultCode, Uint8Array])[] = [
      ['encrypted', odsWith(table(row(one)), [{ name: 'META-INF/manifest.xml', bytes: locked }])],
      ['notSpreadsheet', odsWith('', [{ name: 'content.xml', bytes: '<x><office:text/></x>' }])],
      ['documentType', odsWith('', [{ name: 'content.xml', bytes: '<!DOCTYPE x [<!ENTITY a "b">]><x/>' }])],
      [
        'tooManyCells',
        odsWith(
          table(
            row(
              cell(' office:value-type="float" office:value="1" table:number-columns-repeated="16384"'),
              ' table:number-rows-repeated="1048576"',
            ),
          ),
        ),
      ],
      ['damaged', odsWith(table(row(one, ' table:number-rows-repeated="99999999"')))],
      ['noSheets', odsWith('')],
    ];
    for (const [code, content] of cases) await assert.rejects(read(content), fault(code), code);
  });

  test('a sheet with too many cells leaves the others', async () => {
    const one = cell(' office:value-type="float" office:value="1"');
    const many = row(one, ' table:number-rows-repeated="99999999"');
    const [first, second] = await read(odsWith(table(many) + table(row(one))));
    assert.deepEqual([first?.fault?.code, second?.rows], ['damaged', [[1]]]);
  });
});

test('a damaged file of any format ends in a sentence or a workbook', async () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  for (const whole of [olderWorkbook(sheets), olderWorkbook(sheets, { version: 5 }), odsWorkbook(sheets)])
    for (let turn = 0; turn < 150; turn += 1) {
      const bytes = Uint8Array.from(whole);
      for (let change = random(4); change >= 0; change -= 1) bytes[random(bytes.length)] = random(256);
      const cut = turn % 3 === 0 ? bytes.subarray(0, random(bytes.length)) : bytes;
      await read(cut).catch((error: unknown) => assert.ok(error instanceof SpreadsheetFault, String(error)));
    }
});
