import type { SheetCell } from '../../support/tables/workbooks.ts';
import type { Named, Time } from '../truth.ts';
import {
  abayInKazakh,
  akmola,
  akmolaInKazakh,
  regions,
  regionsInEnglish,
  regionsInKazakh,
} from '../units.ts';
import { createDice, type Dice } from './dice.ts';
import { type Language, someTimes, type Written } from './times.ts';
import { type Area, cellStyle, moved, write } from './written.ts';

/** One value of a table: of a unit, by its label or code, at a time. */
export interface Known {
  readonly unit: string;
  readonly time: Time;
  readonly indicator: string;
  readonly value: number | null;
}

export interface RandomSheet {
  readonly layout: string;
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly known: readonly Known[];
  /** Values of a second table on the sheet, which may be anywhere but among those of the first. */
  readonly others: readonly Known[];
  /** Values that the page must leave out with a remark. */
  readonly mustBeAbsent: readonly Known[];
}

interface Block {
  readonly rows: SheetCell[][];
  readonly merges: Area[];
  readonly known: Known[];
  readonly width: number;
}

const indicators = {
  ru: [
    'Посевная площадь, тыс. га',
    'Валовой сбор, тонн',
    'Численность населения, человек',
    'Инвестиции, млн тенге',
  ],
  kk: ['Егіс алқабы, мың га', 'Халық саны, адам'],
  en: ['Sown area, thsd ha', 'Population, persons'],
};
const keyNames = {
  ru: ['Регион', 'Наименование', 'Область, район', ''],
  kk: ['Өңір', 'Атауы', ''],
  en: ['Region', 'Name', ''],
};
const bases = {
  ru: [
    'В ценах 2010 года',
    'в % к 2015 году',
    'в сопоставимых ценах',
    'Дома до 1990 года постройки',
    '2010 = 100',
    'на 1000 жителей',
    'в возрасте 15-64 лет',
  ],
  kk: ['2010 жылғы бағалармен', '2015 жылға қарағанда, %', '1000 адамға'],
  en: ['2010=100', 'in 2015 prices', 'per 1000 persons'],
};
const titles = {
  ru: [
    'Приложение 2 к приказу от 12.03.2019 № 45',
    'Основные показатели',
    'Таблица 5. Социально-экономическое развитие',
  ],
  kk: ['2019 жылғы 12 наурыздағы № 45 бұйрығына қосымша', 'Негізгі көрсеткіштер'],
  en: ['Table 5. Main indicators', 'Statistics of regions'],
};

function unitsOf(dice: Dice, language: Language): readonly Named[] {
  const all: readonly Named[] = {
    ru: dice.one([regions, akmola]),
    kk: dice.one([regionsInKazakh, abayInKazakh, akmolaInKazakh]),
    en: regionsInEnglish,
  }[language];
  const start = dice.from(0, all.length - 4);
  return all.slice(start, start + dice.from(4, 9));
}

/** Makes a sheet with known values, in a layout that the seed chooses. */
export function randomSheet(seed: number): RandomSheet {
  const dice = createDice(seed);
  const language = dice.one(['ru', 'ru', 'kk', 'en'] as const);
  const units = unitsOf(dice, language);
  const times = someTimes(dice, language);
  const key = dice.one(['names', 'names', 'codes', 'both'] as const);
  const base = { dice, language, units, key };
  const shape = dice.one([
    'wide',
    'wide',
    'wide',
    'long',
    'long parts',
    'turned',
    'beside',
    'below',
  ] as const);
  const blocks: Block[] = [makeBlock({ ...base, times, shape })];
  if (shape === 'beside' || shape === 'below')
    blocks.push(makeBlock({ ...base, times: someTimes(dice, language), shape }));
  const isBeside = shape === 'beside';
  const placed = isBeside ? beside(blocks, dice.from(0, 1)) : belowEachOther(blocks, dice, language);
  const top = titleOf(dice, language, shape === 'turned' ? 0 : placed.width);
  const rows = [
    ...top.map((text): SheetCell[] => (text === null ? [] : [text])),
    ...placed.rows,
    ...notesOf(dice, language, shape),
  ];
  const merges = placed.merges.map((area): Area => moved(area, top.length, 0));
  const [first, second] = blocks;
  const absent =
    shape === 'wide' && dice.is(0.1)
      ? mergeTwo(
          rows,
          merges,
          { last: top.length + placed.rows.length - 1, column: placed.width - 1 },
          first?.known ?? [],
        )
      : [];
  const isAbsent = new Set(absent);
  const written = write(dice, rows, merges);
  return {
    layout: [shape, language, key, written.kind, absent.length > 0 ? 'a merged figure' : ''].join(' '),
    file: written.file,
    bytes: written.bytes,
    known: (first?.known ?? []).filter((each) => !isAbsent.has(each)),
    others: second?.known ?? [],
    mustBeAbsent: written.kind.startsWith('xlsx') ? absent : [],
  };
}

interface Making {
  readonly dice: Dice;
  readonly language: Language;
  readonly units: readonly Named[];
  readonly times: readonly Written[];
  readonly key: 'names' | 'codes' | 'both';
  readonly shape: string;
}

function makeBlock(making: Making): Block {
  const { dice, units, times, key } = making;
  const indicator = dice.one(indicators[making.language]);
  const isWhole = dice.is(0.3);
  const known = units.flatMap(([code, label]) =>
    times.map(({ time }): Known => {
      const digits = dice.from(10, 9_999_999);
      const size = (isWhole ? digits : digits / 100) * (dice.is(0.05) ? -1 : 1);
      const value = dice.is(0.05) ? null : size;
      return { unit: key === 'names' ? label : code, time, indicator, value };
    }),
  );
  if (making.shape.startsWith('long')) return long(making, known);
  return making.shape === 'turned' ? turnedBlock(making, known) : wide(making, known);
}

function keyCells({ key }: Pick<Making, 'key'>, [code, label]: Named): SheetCell[] {
  return key === 'names' ? [label] : key === 'codes' ? [code] : [code, label];
}

function keyHeader({ key, language, dice }: Making): SheetCell[] {
  const name = dice.one(keyNames[language]);
  return key === 'names' ? [name] : key === 'codes' ? ['КАТО'] : ['КАТО', name === '' ? 'Район' : name];
}

function wide(making: Making, known: readonly Known[]): Block {
  const { dice, language, units, times } = making;
  const keys = keyHeader(making);
  const at = keys.length;
  const lines: SheetCell[][] = [];
  const merges: Area[] = [];
  const isParted = times.every(({ part }) => part !== undefined) && dice.is(0.5);
  if (dice.is(0.35)) {
    lines.push([
      ...keys.map(() => null),
      dice.one([...bases[language], dice.one(indicators[language])]),
      ...times.slice(1).map(() => null),
    ]);
    if (times.length > 1) merges.push([0, at, 0, at + times.length - 1]);
  }
  if (isParted) {
    const top = lines.length;
    const word = dice.one({ ru: ['# г.', '# год', '#'], kk: ['# ж.', '#'], en: ['#'] }[language]);
    lines.push([
      ...keys.map(() => null),
      ...times.map(({ of }, index) => (of === times[index - 1]?.of ? null : word.replace('#', String(of)))),
    ]);
    for (const [index, { of }] of times.entries()) {
      const last = times.findLastIndex((each) => each.of === of);
      if (of !== times[index - 1]?.of && last > index) merges.push([top, at + index, top, at + last]);
    }
    lines.push([...keys.map(() => null), ...times.map(({ part }) => part ?? '')]);
  } else
    lines.push([
      ...keys.map(() => null),
      ...times.map(({ text }) => (/^\d{4}$/.test(text) && dice.is(0.5) ? Number(text) : text)),
    ]);
  if (dice.is(0.15))
    lines.push([
      ...keys.map(() => null),
      ...times.map(() =>
        dice.one({ ru: ['га', 'тонн', 'тыс. тенге'], kk: ['га', 'адам'], en: ['ha', 't'] }[language]),
      ),
    ]);
  keys.forEach((name, index) => {
    const [top] = lines;
    if (top !== undefined) top[index] = name === '' ? null : name;
    if (lines.length > 1 && name !== '') merges.push([0, index, lines.length - 1, index]);
  });
  if (dice.is(0.15))
    lines.push(Array.from({ length: at + times.length }, (_, index) => (index === 0 ? 'А' : index)));
  const style = cellStyle(dice);
  const body = units.map((unit, row) => [
    ...keyCells(making, unit),
    ...times.map((_, index) => style(known[row * times.length + index]?.value ?? null)),
  ]);
  const total: SheetCell[][] = dice.is(0.3)
    ? [
        [
          ...keyCells(making, ['', { ru: 'Всего', kk: 'Барлығы', en: 'Total' }[language]]).map((cell) =>
            cell === '' ? null : cell,
          ),
          ...times.map(() => 123_456.5),
        ],
      ]
    : [];
  const rows = [...lines, ...(making.key === 'codes' ? [] : total), ...body];
  return { rows, merges, known: [...known], width: at + times.length };
}

function long(making: Making, known: readonly Known[]): Block {
  const { dice, language, units, times, shape } = making;
  const isParted = shape === 'long parts' && times.every(({ part }) => part !== undefined);
  const head = {
    ru: ['Год', 'Период', 'Значение'],
    kk: ['Жыл', 'Кезең', 'Мәні'],
    en: ['Year', 'Period', 'Value'],
  }[language];
  const [ofYear = '', ofPart = '', ofValue = ''] = head;
  const keys = keyHeader(making).map((name) => (name === '' ? 'Name' : name));
  const style = cellStyle(dice);
  const body = units.flatMap((unit, row) =>
    times.map(({ text, part, of }, index): SheetCell[] => [
      ...keyCells(making, unit),
      ...(isParted ? [of, part ?? ''] : [text]),
      style(known[row * times.length + index]?.value ?? null),
    ]),
  );
  const rows: SheetCell[][] = [[...keys, ...(isParted ? [ofYear, ofPart] : [ofPart]), ofValue], ...body];
  return { rows, merges: [], known: [...known], width: rows[0]?.length ?? 0 };
}

function turnedBlock(making: Making, known: readonly Known[]): Block {
  const { dice, units, times } = making;
  const style = cellStyle(dice);
  const rows: SheetCell[][] = [
    [null, ...units.map(([code, label]) => (making.key === 'names' ? label : code))],
    ...times.map(({ text }, index): SheetCell[] => [
      text,
      ...units.map((_, row) => style(known[row * times.length + index]?.value ?? null)),
    ]),
  ];
  return { rows, merges: [], known: [...known], width: units.length + 1 };
}

function beside([first, second]: readonly Block[], space: number): Block {
  if (first === undefined || second === undefined) throw new Error('two tables stand beside each other');
  const height = Math.max(first.rows.length, second.rows.length);
  const rows = Array.from({ length: height }, (_, at): SheetCell[] => {
    const left = first.rows[at] ?? [];
    return [
      ...left,
      ...Array.from({ length: first.width - left.length + space }, () => null),
      ...(second.rows[at] ?? []),
    ];
  });
  const merges = [...first.merges, ...second.merges.map((area) => moved(area, 0, first.width + space))];
  return { rows, merges, known: first.known, width: first.width + space + second.width };
}

function belowEachOther(blocks: readonly Block[], dice: Dice, language: Language): Block {
  const [first, second] = blocks;
  if (first === undefined) throw new Error('a sheet has a table');
  if (second === undefined) return first;
  const between: SheetCell[][] = dice.one([
    [[]],
    [[], []],
    [[], [dice.one(titles[language])]],
    [[dice.one(titles[language])]],
  ]);
  const top = first.rows.length + between.length;
  return {
    rows: [...first.rows, ...between, ...second.rows],
    merges: [...first.merges, ...second.merges.map((area) => moved(area, top, 0))],
    known: first.known,
    width: Math.max(first.width, second.width),
  };
}

function titleOf(dice: Dice, language: Language, width: number): (string | null)[] {
  if (width === 0 || dice.is(0.4)) return [];
  return [dice.one(titles[language]), ...(dice.is(0.5) ? [null] : [])];
}

function notesOf(dice: Dice, language: Language, shape: string): SheetCell[][] {
  if (dice.is(0.6) || shape === 'beside' || shape === 'turned') return [];
  const notes = {
    ru: ['* предварительные данные', 'Источник: Бюро национальной статистики'],
    kk: ['Дереккөз: Ұлттық статистика бюросы'],
    en: ['Source: Bureau of National Statistics'],
  };
  return [...(dice.is(0.5) ? [[]] : []), [dice.one(notes[language])]];
}

/** Merges a figure over the last two units. */
function mergeTwo(
  rows: SheetCell[][],
  merges: Area[],
  { last: row, column }: { readonly last: number; readonly column: number },
  known: readonly Known[],
): Known[] {
  const cells = [rows[row - 1], rows[row]];
  if (cells.some((each) => each?.length !== column + 1 || typeof each[column] !== 'number')) return [];
  rows[row]?.splice(column, 1, null);
  merges.push([row - 1, column, row, column]);
  const time = known.at(-1)?.time;
  const last = [...new Set(known.map(({ unit }) => unit))].slice(-2);
  return known.filter((each) => each.time === time && last.includes(each.unit));
}
