import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Cell, Merge, Sheet, Table } from '../model/types.ts';
import { createSpreadsheetSession } from '../spreadsheet-session.ts';
import { understand } from './understand.ts';
import { widen } from './widen.ts';

type Row = readonly Cell[];

function read(rows: readonly Row[], merges: readonly Merge[] = []): Table {
  const sheet: Sheet = { name: '1', isHidden: false, rows, merges, formulasWithoutValue: 0 };
  const table = understand(sheet);
  return table.isLong ? widen(table) : table;
}
/** `0 1-3 2` is a merged cell in row 0 to row 2 and columns 1 to 3. */
const merged = (...cells: readonly string[]): readonly Merge[] =>
  cells.map((cell) => {
    const [top = 0, left = 0, bottom = 0, right = 0] = cell.split(/[ -]/).map(Number);
    return { top, left, bottom, right };
  });
const names = ({ columns }: Table) => columns.filter(({ role }) => role === 'value').map(({ name }) => name);
const values = ({ columns, rows }: Table) =>
  rows.map((row) => row.filter((_, index) => columns[index]?.role === 'value'));
const codes = ({ remarks }: Table) => remarks.map(({ code }) => code);

suite('parts below the rows of places', () => {
  const years = ['Регион', 2022, 2023];
  test('become columns behind words, in three languages', () => {
    for (const [words, crop] of [
      ['в том числе:', 'пшеница'],
      ['из них', 'пшеница'],
      ['оның ішінде:', 'бидай'],
      ['соның ішінде', 'бидай'],
      ['of which:', 'wheat'],
      ['including', 'wheat'],
    ] as const) {
      const together = read([
        years,
        ['Акмолинская область', 100, 110],
        [`${words} ${crop}`, 60, 70],
        ['Костанайская область', 200, 210],
        [`${words} ${crop}`, 160, 170],
      ]);
      const alone = read([
        years,
        ['Акмолинская область', 100, 110],
        [words],
        [crop, 60, 70],
        ['Костанайская область', 200, 210],
        [words],
        [crop, 160, 170],
      ]);
      for (const table of [together, alone]) {
        assert.deepEqual(names(table), ['2022', '2023', `${crop} 2022`, `${crop} 2023`]);
        assert.deepEqual(values(table), [
          [100, 110, 60, 70],
          [200, 210, 160, 170],
        ]);
        assert.ok(codes(table).includes('partsFound'));
      }
    }
  });

  test('have paths where they are nested', () => {
    const table = read([
      ['Регион', 2023],
      ['Акмолинская область', 100],
      ['Зерновые', 80],
      ['  из них: пшеница', 60],
      ['    в том числе яровая', 55],
      ['Масличные', 20],
      ['Костанайская область', 200],
      ['Зерновые', 180],
      ['  из них: пшеница', 160],
      ['    в том числе яровая', 150],
      ['Масличные', 20],
    ]);
    assert.deepEqual(names(table), [
      '2023',
      'Зерновые 2023',
      'Зерновые / пшеница 2023',
      'Зерновые / пшеница / яровая 2023',
      'Масличные 2023',
    ]);
    assert.deepEqual(values(table), [
      [100, 80, 60, 55, 20],
      [200, 180, 160, 150, 20],
    ]);
  });

  test('are asked about where a part may belong to two amounts', () => {
    const block = (region: string) => [
      [region, 100],
      ['зерновые', 80],
      ['из них: пшеница', 60],
      ['масличные', 20],
    ];
    const table = read([['Регион', 2023], ...block('Акмолинская область'), ...block('Костанайская область')]);
    assert.ok(codes(table).includes('partsAssumed'));
  });

  test('take the code of the place, and known parts need no words', () => {
    const table = read([
      ['КАТО', 'Регион', 2023],
      ['110000000', 'Акмолинская', 10],
      [null, 'городское население', 6],
      [null, 'сельское население', 4],
      ['390000000', 'Костанайская', 20],
      [null, 'городское население', 12],
      [null, 'сельское население', 8],
    ]);
    assert.deepEqual(table.rows, [
      ['110000000', 'Акмолинская', 10, 6, 4],
      ['390000000', 'Костанайская', 20, 12, 8],
    ]);
  });

  test('are not places, and places behind words are not parts', () => {
    const districts = read([
      ['Район', 2023],
      ['Акмолинская область', 100],
      ['в том числе:'],
      ['Аккольский', 60],
      ['из них: пшеница', 50],
      ['Аршалынский', 40],
      ['из них: пшеница', 30],
    ]);
    assert.deepEqual(
      districts.rows.map(([name]) => name),
      ['Акмолинская область', 'Аккольский', 'Аршалынский'],
    );
    assert.deepEqual(values(districts), [
      [100, null],
      [60, 50],
      [40, 30],
    ]);
    const open = read([['Район', 2023], ['Всего', 30], ['в том числе:'], ['Есиль', 10], ['Курчум', 20]]);
    const city = read([
      ['Район', 2023],
      ['Карагандинская область', 30],
      ['из них: Балхаш', 10],
    ]);
    assert.deepEqual([city.rows.length, codes(city)], [2, ['partsOpen']]);
    const okrug = read([
      ['Регион', 2023],
      ['Тюменская область', 30],
      ['в том числе: Ненецкий автономный округ', 10],
    ]);
    assert.deepEqual(okrug.rows.length, 2);
    assert.equal(open.rows.length, 3);
    assert.ok(codes(open).includes('partsOpen'));
  });
});

suite('parts in a header', () => {
  test('have the path of merged groups and of words in a cell', () => {
    const table = read(
      [
        ['Регион', 'Посевная площадь, га', null, null, null],
        [null, 'Всего', 'в том числе:', null, null],
        [null, null, 'зерновые', 'из них: пшеница', 'масличные'],
        ['Абай', 10, 6, 4, 2],
        ['Акмолинская', 20, 12, 8, 3],
      ],
      merged('0 0-2 0', '0 1-0 4', '1 1-2 1', '1 2-1 4'),
    );
    assert.deepEqual(names(table), [
      'Посевная площадь, га Всего',
      'Посевная площадь, га зерновые',
      'Посевная площадь, га зерновые / пшеница',
      'Посевная площадь, га масличные',
    ]);
  });

  test('belong to the amount before a group, and to no other', () => {
    const table = read(
      [
        ['Регион', 'Сельхозугодья', 'оның ішінде', null, 'Орман'],
        [null, null, 'егістік', 'жайылым', null],
        ['Абай', 10, 6, 4, 2],
        ['Акмолинская', 20, 12, 8, 3],
      ],
      merged('0 0-1 0', '0 1-1 1', '0 2-0 3', '0 4-1 4'),
    );
    assert.deepEqual(names(table), [
      'Сельхозугодья',
      'Сельхозугодья / егістік',
      'Сельхозугодья / жайылым',
      'Орман',
    ]);
  });

  test('end where their sum is the amount, if the words are alone in a column', () => {
    const columns = (forest: number): readonly Row[] => [
      ['Показатель', 'Абай', 'Акмолинская', 'Актюбинская'],
      ['Сельхозугодья', 10, 20, 30],
      ['из них:'],
      ['пашня', 6, 12, 20],
      ['пастбища', 4, 8, forest],
      ['Лес', 2, 3, 4],
    ];
    const sum = read(columns(10));
    assert.deepEqual(names(sum), [
      'Сельхозугодья',
      'Сельхозугодья / пашня',
      'Сельхозугодья / пастбища',
      'Лес',
    ]);
    assert.ok(!codes(sum).includes('partsAssumed'));
    assert.ok(codes(read(columns(1))).includes('partsAssumed'));
  });
});

suite('units', () => {
  const body: readonly Row[] = [
    ['Абай', 1, 2],
    ['Акмолинская', 3, 4],
  ];
  const units = ({ columns }: Table) =>
    columns.filter(({ role }) => role === 'value').map(({ unit }) => unit);
  test('come from a title, a line at the right, the names, or a row', () => {
    const header = ['Регион', 2022, 2023];
    assert.deepEqual(units(read([['Посевная площадь, тыс. га'], header, ...body])), ['тыс. га', 'тыс. га']);
    assert.deepEqual(units(read([['Егіс'], [null, null, 'мың га'], header, ...body])), ['мың га', 'мың га']);
    assert.deepEqual(units(read([['Сбор, тонн'], ['Регион', 2022, '2023 в % к 2022'], ...body])), [
      'тонн',
      '%',
    ]);
    const row = read(
      [['Регион', 'Площадь', 'Урожайность'], [null, 'гектаров', 'центнер с га'], ...body],
      merged('0 0-1 0'),
    );
    assert.deepEqual(units(row), ['гектаров', 'центнер с га']);
    assert.deepEqual(units(read([['На 1000 человек'], header, ...body])), [undefined, undefined]);
  });

  test('of a column keep values of different units apart', () => {
    const table = read([
      ['Регион', 'Показатель', 'Ед. изм.', 2023],
      ['Абай', 'Площадь', 'га', 1000],
      ['Абай', 'Сбор', 'т', 1],
      ['Акмолинская', 'Площадь', 'тыс. га', 2],
      ['Акмолинская', 'Сбор', 'тонн', 3],
    ]);
    assert.deepEqual(names(table), ['Площадь 2023, га', 'Сбор 2023', 'Площадь 2023, тыс. га']);
    assert.deepEqual(units(table), ['га', 'т', 'тыс. га']);
  });
});

test('signs become remarks in columns of their own, and values stay what they are', async () => {
  const session = createSpreadsheetSession();
  const lines = [
    '"Посевы, тыс. га"',
    'КАТО;2022;2023',
    '110000000;1,5*;2,5 р.',
    '150000000;х;…',
    '190000000;к;0,0',
    '230000000;-;12¹',
    '270000000;3;…¹',
    '* предварительные данные',
    '"«х» - данные конфиденциальны"',
    '0,0 - небольшая величина',
  ];
  await session.open(new Blob([lines.join('\n')]), '');
  const { table } = session.understand(0, {});
  assert.deepEqual(
    table.columns.map(({ name, role }) => `${name} ${role}`),
    ['КАТО code', '2022 value', '2023 value', '2022 [*] note', '2023 [*] note'],
  );
  assert.deepEqual(session.rows(false, 0, { count: 9, columns: 9 }).rows, [
    ['110000000', 1.5, 2.5, 'provisional: * предварительные данные', 'revised: р.'],
    ['150000000', null, null, 'confidential: х данные конфиденциальны', 'not_available: …'],
    ['190000000', null, 0, 'confidential: к', 'negligible: 0,0 небольшая величина'],
    ['230000000', null, 12, 'none: -', 'note: ¹'],
    ['270000000', 3, null, null, 'not_available: … ¹'],
  ]);
});

test('a letter behind most numbers is a currency, and no sign', () => {
  const table = read([
    ['Регион', 'Цена'],
    ['Абай', '15 р.'],
    ['Акмолинская', '17 р.'],
    ['Актюбинская', '12 р.'],
  ]);
  assert.deepEqual(values(table), [['15 р.'], ['17 р.'], ['12 р.']]);
  assert.deepEqual(codes(table), ['textInValues']);
});
