import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPeriod, readPeriods, yearAs } from './read.ts';

/** `start/end kind note`; a point has no end. */
const spell = (text: string) => {
  const read = readPeriod(text);
  if (read === undefined) return 'none';
  const { start_date: start, end_date: end, kind, note } = read;
  return [`${start}/${end ?? ''}`, kind, ...(note === '' ? [] : [note])].join(' ');
};

const whole = (year: number) => `${year}-01-01/${year}-12-31 year`;
const cases: Readonly<Record<string, readonly string[]>> = {
  [whole(2020)]: [
    '2020',
    ' 2020 ',
    '2020 год',
    '2020 г.',
    '2020г',
    '2020ж.',
    '2020 ж',
    '2020 жыл',
    '2020 жылы',
    '2020 жылғы',
    'за 2020 год',
    'year 2020',
    'y2020',
    'F2020',
    'f_2020',
    'x2020',
    'FY2020',
    '_2020',
    '2020.0',
    '2020 \n год',
    '\u00a02020\u00a0г.',
    'В 2020 году',
  ],
  [`${whole(2020)} plan`]: ['2020_plan', 'plan 2020', '2020 (plan)', 'plan_2020'],
  [`${whole(2020)} план`]: ['2020 план', '2020, план', 'план на 2020 год', '2020 г. план', '2020\nплан'],
  [`${whole(2026)} rate`]: ['rate_2026', 'rate2026'],
  [`${whole(2020)} % к 2019`]: ['2020 г. в % к 2019 г.'],
  '2020-07-01/2021-06-30 split_year': [
    '2020/21',
    '2020/2021',
    '2020-2021',
    '2020–2021 гг.',
    '2020-21',
    '2020/21 ж.',
  ],
  '2020-09-01/2021-08-31 split_year учебный': ['2020/2021 учебный год', '2020-2021 учебный год'],
  '2020-09-01/2021-08-31 split_year оқу': ['2020/2021 оқу жылы'],
  '2018-01-01/2022-12-31 years': ['2018-2022', '2018–2022 гг.', '2018 - 2022 жж.', '2018/2022'],
  '2021-01-01/2021-03-31 quarter': [
    'I квартал 2021',
    'I квартал 2021 года',
    '1 кв. 2021',
    '1кв.2021',
    '1-й квартал 2021 г.',
    'первый квартал 2021',
    '2021 Q1',
    '2021Q1',
    '2021-Q1',
    'Q1 2021',
    'Q1-21',
    '1Q2021',
    'first quarter of 2021',
    '2021 жылғы I тоқсан',
    '2021 ж. 1-тоқсан',
    'І тоқсан 2021',
    '2021 г. I кв.',
    '2021, 1 квартал',
  ],
  '2020-10-01/2020-12-31 quarter': ['IV кв. 2020', '2020Q4', '4-тоқсан 2020 ж.', 'q4/2020'],
  '2022-01-01/2022-06-30 half_year': [
    '1 полугодие 2022',
    'I полугодие 2022 г.',
    'первое полугодие 2022 года',
    '1 п/г 2022',
    '2022 H1',
    '2022H1',
    'H1 2022',
    '1H2022',
    'first half of 2022',
    '2022 жылғы I жартыжылдық',
    '2022 ж. 1-жартыжылдығы',
    'бірінші жартыжылдық 2022',
  ],
  '2021-07-01/2021-12-31 half_year': ['2021 H2', 'II полугодие 2021', '2021 жылғы екінші жартыжылдық'],
  '2021-01-01/2021-01-31 month': [
    'январь 2021',
    'Январь 2021 г.',
    'в январе 2021 года',
    'янв.21',
    'янв 21',
    'янв.2021',
    "Jan '21",
    'Jan-21',
    'January 2021',
    'қаңтар 2021',
    '2021 жылғы қаңтар',
    'қаңтар айы 2021 ж.',
    '2021 қаңтарында',
    '01.2021',
    '1.2021',
    '01/2021',
    '2021-01',
    '2021.01',
    '2021M01',
    '2021m1',
  ],
  '2020-02-01/2020-02-29 month': ['февраль 2020', 'ақпан 2020', 'Feb 2020', '2020-02'],
  '2020-05-01/2020-05-31 month': ['май 2020', 'в мае 2020', 'мамыр 2020', 'May 2020'],
  '2011-12-01/2011-12-31 month': ['2011-12', 'желтоқсан 2011', 'дек.11'],
  '2021-01-01/2021-03-31 months': [
    'январь-март 2021',
    'январь – март 2021 года',
    'янв-мар 2021',
    'с января по март 2021',
    '2021 жылғы қаңтар-наурыз',
    'қаңтар-наурыз 2021',
    'January-March 2021',
    'Jan–Mar 2021',
    '3 месяца 2021',
    '3 мес. 2021',
    '2021 жылғы 3 ай',
    '3 months 2021',
    'янв-мар 21',
  ],
  '2021-01-01/2021-09-30 months': [
    '9 месяцев 2021 года',
    '9 месяцев 2021 г.',
    'январь-сентябрь 2021',
    'за 9 мес. 2021',
  ],
  '2020-01-01/ day': [
    'на 1 января 2020',
    'на 1 января 2020 года',
    'на 01.01.2020',
    'на 01.01.2020 г.',
    '01.01.2020',
    '1.1.2020',
    '01/01/2020',
    '2020-01-01',
    '2020-01-01T00:00:00Z',
    '2020-01-01 00:00:00',
    '2020/01/01',
    'по состоянию на 01.01.2020',
    'на начало 2020 года',
    '2020 жылдың басына',
    '2020 жылғы 1 қаңтарға',
    '2020 ж. 1 қаңтар',
    '1 January 2020',
    'January 1, 2020',
    'as of 1 Jan 2020',
    'beginning of 2020',
    '01.01.20',
  ],
  '2020-12-31/ day': ['31.12.2020', '12/31/2020', 'на конец 2020 года', 'end of 2020', '2020 жылдың соңына'],
  '2020-01-01/2020-03-31 days': [
    '01.01.2020 - 31.03.2020',
    '2020-01-01/2020-03-31',
    'с 01.01.2020 по 31.03.2020',
  ],
  none: [
    '',
    'kato',
    'Код КАТО',
    '110000000',
    '12020',
    '20201',
    '1899',
    '2100',
    '31.02.2020',
    '2020-13-01',
    'январь',
    'I квартал',
    'Мартукский район',
    '12,5',
    '100 кв. м',
    '№ 5',
  ],
};

for (const [meant, texts] of Object.entries(cases))
  test(`periods: ${meant}`, () => {
    for (const text of texts) assert.equal(spell(text), meant, JSON.stringify(text));
  });

test('every month of a year has its own period in three languages, as name, in a case and as abbreviation', () => {
  const names = [
    'январь января янв. қаңтар қаңтарда January Jan',
    'февраль февраля фев. ақпан ақпанда February Feb',
    'март марта мар. наурыз наурызда March Mar',
    'апрель апреля апр. сәуір сәуірде April Apr',
    'май мая май мамыр мамырда May May',
    'июнь июня июн. маусым маусымда June Jun',
    'июль июля июл. шілде шілдеде July Jul',
    'август августа авг. тамыз тамызда August Aug',
    'сентябрь сентября сент. қыркүйек қыркүйекте September Sept',
    'октябрь октября окт. қазан қазанда October Oct',
    'ноябрь ноября нояб. қараша қарашада November Nov',
    'декабрь декабря дек. желтоқсан желтоқсанда December Dec',
  ];
  for (const [index, list] of names.entries()) {
    const start = `2023-${String(index + 1).padStart(2, '0')}-01`;
    for (const name of list.split(' ')) {
      for (const text of [`${name} 2023`, `2023 ${name}`, `${name} 23`, `${name.toUpperCase()} 2023 г.`]) {
        const read = readPeriod(text);
        assert.equal(`${read?.kind} ${read?.start_date} ${read?.note}`, `month ${start} `, text);
      }
      assert.equal(readPeriod(`1 ${name} 2023`)?.end_date, null, `1 ${name} 2023`);
    }
  }
});

test('quarters and half-years of all spellings follow each other without gaps', () => {
  const roman = ['I', 'II', 'III', 'IV'];
  const quarters = [...roman.keys()].flatMap((at) => {
    const [n, r] = [at + 1, roman[at]];
    return [`${n} кв. 2022`, `${r} квартал 2022`, `2022Q${n}`, `2022 ж. ${r} тоқсан`, `${n}-тоқсан 2022`].map(
      (text) => [text, `2022-${String(3 * at + 1).padStart(2, '0')}-01 quarter`] as const,
    );
  });
  const halves = [0, 1].flatMap((at) =>
    [`${at + 1} полугодие 2022`, `${roman[at]} жартыжылдық 2022`, `2022H${at + 1}`].map(
      (text) => [text, `2022-${at === 0 ? '01' : '07'}-01 half_year`] as const,
    ),
  );
  for (const [text, meant] of [...quarters, ...halves]) {
    const read = readPeriod(text);
    assert.equal(`${read?.start_date} ${read?.kind}`, meant, text);
  }
  assert.equal(readPeriod('5 кв. 2022'), undefined, 'no fifth quarter');
});

test('2011-12 is a year beside 2012-13, and December without it', () => {
  const kinds = (...texts: string[]) => readPeriods(texts).map((read) => read?.kind);
  assert.deepEqual(kinds('2010-11', '2011-12', '2012-13'), ['split_year', 'split_year', 'split_year']);
  assert.deepEqual(kinds('2011-11', '2011-12', '2012-01'), ['month', 'month', 'month']);
});

test('a year stands for all of it, its last day or its first; nothing else changes', () => {
  const year = readPeriod('2020');
  assert.ok(year !== undefined);
  const dates = (reading: 'whole' | 'end' | 'start') => {
    const { start_date: start, end_date: end } = yearAs(year, reading);
    return [start, end];
  };
  assert.deepEqual(dates('whole'), ['2020-01-01', '2020-12-31']);
  assert.deepEqual(dates('end'), ['2020-12-31', null]);
  assert.deepEqual(dates('start'), ['2020-01-01', null]);
  const month = readPeriod('2020-05');
  assert.ok(month !== undefined);
  assert.deepEqual(yearAs(month, 'end'), month);
});

test('a long text costs little and names no period', () => {
  assert.equal(readPeriod(`2020 ${'. '.repeat(100_000)}`), undefined);
  const start = performance.now();
  for (let turn = 0; turn < 100; turn += 1) readPeriod(`${'1 . '.repeat(70)}2020`);
  assert.ok(performance.now() - start < 2_000);
});
