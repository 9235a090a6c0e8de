import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { periodForms } from './forms.ts';
import { readPeriod, readPeriods } from './read.ts';
import { folded, tokensOf } from './tokens.ts';

const spell = (text: string) => {
  const read = readPeriod(text);
  return read === undefined ? 'none' : `${read.start_date}/${read.end_date ?? ''} ${read.kind}`;
};

/** Each form with its reading and sample texts; bars separate Russian, Kazakh and English. */
const examples: Readonly<Record<string, readonly [string, string]>> = {
  'day as numbers, year first': ['2023-03-05/ day', '2023.03.05 | 2023-03-05 ж. | 2023/03/05'],
  'day as numbers': ['2023-03-05/ day', 'на 05.03.2023 г.; 5.3.23 | 05.03.2023 ж. | 05/03/2023'],
  'day, month and year': [
    '2023-03-05/ day',
    'на 5 марта 2023 г.; 5-е марта 2023 | 5 наурыз 2023 | 5th March 2023; 5-Mar-23',
  ],
  'year, day and month': ['2023-03-05/ day', '2023 г., 5 марта | 2023 жылғы 5 наурызға | 2023, 5 March'],
  'month, day and year': ['2023-03-05/ day', 'март 5, 2023 | наурыз 5, 2023 | March 5th, 2023; Mar. 5, 2023'],
  'days of two months': [
    '2023-01-15/2023-03-31 days',
    '15 января – 31 марта 2023; с 15 янв. по 31 мар. 2023 г. | 15 қаңтар – 31 наурыз 2023 | 15 January to 31 March 2023',
  ],
  'year and days of two months': [
    '2023-01-15/2023-03-31 days',
    '2023 г., 15 января - 31 марта | 2023 жылғы 15 қаңтар – 31 наурыз | 2023: 15 January – 31 March',
  ],
  'days of two months, months first': [
    '2023-01-15/2023-03-31 days',
    'янв 15 - мар 31, 2023 | қаң 15 - нау 31, 2023 | January 15 – March 31, 2023',
  ],
  'days of one month': [
    '2023-05-01/2023-05-10 days',
    'с 1 по 10 мая 2023; 1–10 мая 2023 г. | 1-10 мамыр 2023 | 1-10 May 2023',
  ],
  'year and days of one month': [
    '2023-05-01/2023-05-10 days',
    '2023 г., 1–10 мая | 2023 жылғы 1-10 мамыр | 2023, 1-10 May',
  ],
  'days of one month, month first': [
    '2023-05-01/2023-05-10 days',
    'май 1-10, 2023 | мамыр 1-10, 2023 | May 1–10, 2023',
  ],
  'days as numbers of one year': [
    '2023-01-01/2023-03-31 days',
    '01.01-31.03.2023 г.; с 01.01 по 31.03.2023 | 01.01–31.03.2023 ж. | 01.01–31.03.2023',
  ],
  'ten days of a month': [
    '2023-05-11/2023-05-20 days',
    'II декада мая 2023; 2-я декада мая 2023 г. | 2-онкүндік мамыр 2023 | ',
  ],
  'year and ten days of a month': [
    '2023-05-21/2023-05-31 days',
    '2023 г., май, 3-я декада | 2023 жылғы мамыр 3-онкүндігі | ',
  ],
  'months from one to another': [
    '2023-01-01/2023-03-31 months',
    "янв.-март 2023; январь – март 2023 года; янв–мар'23; с января по март 2023; ЯНВ.—МАР. 2023Г. | қаң.-нау. 2023; қаңтар–наурыз айлары 2023 ж. | Jan.-Mar. 2023; January–March 2023; from January to March 2023; January through March 2023",
  ],
  'year and months from one to another': [
    '2023-01-01/2023-09-30 months',
    '2023 янв.–сент.; 2023 г. янв.-сен.; 2023 год (январь - сентябрь) | 2023 ж. қаң.-қырк.; 2023 жылғы қаңтар-қыркүйек | 2023 Jan.–Sept.',
  ],
  'months counted': [
    '2023-01-01/2023-09-30 months',
    '9М 2023; 9м2023; 9 мес. 2023; за 9 месяцев 2023 г.; девять месяцев 2023; первые 9 месяцев 2023 | 9 ай 2023; тоғыз ай 2023 | 9M 2023; 9 months of 2023; first nine months of 2023',
  ],
  'year and months counted': [
    '2023-01-01/2023-06-30 months',
    '2023 6М; 2023 г., 6 мес. | 2023 жылғы 6 ай; 2023 ж. алты айда | 2023 6M; 2023, 6 months',
  ],
  'quarter, its number first': [
    '2023-04-01/2023-06-30 quarter',
    '2 кв. 2023; II кв. 2023; 2-й квартал 2023 г.; второй квартал 2023; за 2 квартал 23 | 2-тоқсан 2023; II тоқсан 2023 ж.; екінші тоқсан 2023 | 2Q 2023; 2nd quarter 2023; second quarter of 2023; 2Q23',
  ],
  'quarter, its number last': [
    '2023-04-01/2023-06-30 quarter',
    'кв. 2 2023; квартал II, 2023 г.; кв.2-2023 | тоқсан 2, 2023 | Q2 2023; Q2-23; quarter 2, 2023',
  ],
  'year and quarter': [
    '2023-04-01/2023-06-30 quarter',
    '2023 2-й квартал; 2023 г., II кв.; 2023 (2 кв.) | 2023 ж. 2-тоқсан; 2023 жылғы II тоқсан | 2023 2Q; 2023, second quarter',
  ],
  'year and quarter, its number last': [
    '2023-04-01/2023-06-30 quarter',
    '2023 кв. 2; 2023, квартал II | 2023 тоқсан 2 | 2023Q2; 2023-Q2; 2023 Q2',
  ],
  'several of quarter': [
    '2023-01-01/2023-09-30 months',
    'I-III кв. 2023; 1-3 кварталы 2023; I–III кварталы 2023 г.; I кв. – III кв. 2023; с 1 по 3 квартал 2023 | 1-3 тоқсан 2023; I–III тоқсан 2023 ж. | 1-3 Q 2023; 1st to 3rd quarter 2023',
  ],
  'several of quarter, numbers last': [
    '2023-01-01/2023-09-30 months',
    'кв. 1-3 2023 | тоқсан 1–3, 2023 | Q1-Q3 2023; Q1–3 2023; Q1 to Q3 2023',
  ],
  'year and several of quarter': [
    '2023-01-01/2023-09-30 months',
    '2023 I-III кв.; 2023 г., 1–3 кварталы | 2023 ж. I-III тоқсан; 2023 жылғы 1-3 тоқсан | 2023, 1-3 quarters',
  ],
  'year and several of quarter, numbers last': [
    '2023-01-01/2023-09-30 months',
    '2023 кв. 1-3 | 2023 тоқсан 1-3 | 2023Q1-Q3; 2023 Q1–3',
  ],
  'half-year, its number first': [
    '2023-01-01/2023-06-30 half_year',
    '1-е полугодие 2023; 1 пол. 2023; I п/г 2023 г.; первая половина 2023 года; 1-ое полугод. 2023 | 1-жартыжылдық 2023; І жартыжылдығы 2023 ж.; 1 ж/ж 2023 | 1H 2023; 1st half 2023; first half of 2023',
  ],
  'half-year, its number last': [
    '2023-01-01/2023-06-30 half_year',
    'полугодие 1 2023; полугодие I, 2023 | жартыжылдық 1, 2023 | H1 2023; H1-23; half 1, 2023',
  ],
  'year and half-year': [
    '2023-07-01/2023-12-31 half_year',
    '2023 г. 2-е полугодие; 2023, II пол.; 2023 год второе полугодие | 2023 ж. 2-жартыжылдық; 2023 жылғы екінші жартыжылдық | 2023 2H; 2023, second half',
  ],
  'year and half-year, its number last': [
    '2023-07-01/2023-12-31 half_year',
    '2023 полугодие 2 | 2023 жартыжылдық 2 | 2023H2; 2023 H2',
  ],
  'several of half-year': [
    '2023-01-01/2023-12-31 months',
    '1-2 полугодие 2023; I–II полугодия 2023 | I–II жартыжылдық 2023 | 1-2 H 2023',
  ],
  'several of half-year, numbers last': [
    '2023-01-01/2023-12-31 months',
    'полугодие 1-2, 2023 | жартыжылдық 1-2, 2023 | H1-H2 2023',
  ],
  'year and several of half-year': [
    '2023-01-01/2023-12-31 months',
    '2023 I-II полугодия | 2023 ж. 1-2 жартыжылдық | 2023, 1-2 halves',
  ],
  'year and several of half-year, numbers last': [
    '2023-01-01/2023-12-31 months',
    '2023 полугодие 1-2 | 2023 жартыжылдық 1-2 | 2023H1-H2',
  ],
  'month and year': [
    '2023-09-01/2023-09-30 month',
    'сентябрь 2023; в сент. 2023 г.; за сентябрь месяц 2023; сен-2023 | қыркүйек 2023; қыркүйек айы 2023 ж. | September 2023; Sept. 2023; Sep-2023',
  ],
  'year and month': [
    '2023-09-01/2023-09-30 month',
    '2023 сентябрь; 2023 г., сент. | 2023 жылғы қыркүйек; 2023 ж. қырк. | 2023 September; 2023-Sep',
  ],
  'month and year of two digits': [
    '2023-09-01/2023-09-30 month',
    "сен.23; сент'23 | қырк. 23 | Sep-23; Sept '23",
  ],
  'year and number of a month behind m': [
    '2023-09-01/2023-09-30 month',
    '2023М09 | 2023М9 | 2023M09; 2023-M09',
  ],
  'number of a month and year': ['2023-09-01/2023-09-30 month', '09.2023 г. | 09.2023 ж. | 9/2023; 09-2023'],
  'year and number of a month': ['2023-09-01/2023-09-30 month', '2023.09 | 2023.09 | 2023-09; 2023/09'],
  season: ['2023-03-01/2023-05-31 months', 'весна 2023; весной 2023 г. | көктем 2023 | spring 2023'],
  'year and season': ['2023-09-01/2023-11-30 months', '2023 г., осень | 2023 жылғы күз | 2023 autumn'],
  'winter of two years': [
    '2022-12-01/2023-02-28 months',
    'зима 2022/23; зимой 2022-2023 гг. | қыс 2022/23 | winter 2022/2023',
  ],
  'two years and their winter': [
    '2022-12-01/2023-02-28 months',
    '2022/23, зима | 2022/2023 қыс | 2022/23 winter',
  ],
  'years from one to another': [
    '2018-01-01/2022-12-31 years',
    '2018–2022 гг.; за 2018-2022 годы; 2018/2022 | 2018-2022 жж. | 2018-2022',
  ],
  'year that begins in another': [
    '2022-07-01/2023-06-30 split_year',
    '2022/23; 2022/23 с.-х. год; сезон 2022/23 | 2022/23 ауыл шаруашылығы жылы | 2022/23 marketing year',
  ],
  'year that begins in another, with a dash': [
    '2022-07-01/2023-06-30 split_year',
    '2022-23 | 2022–23 ж. | 2022-23 season',
  ],
  year: [
    '2023-01-01/2023-12-31 year',
    '2023; за 2023 год; 2023г.; 2023.0; план на 2023 г. | 2023 ж.; 2023 жылы | FY2023; in 2023; pop2023',
  ],
};
/** Valid only beside other columns; see `read.test.ts`. */
const besideOthers = 'year that begins in another, with a dash, beside its like';

suite('each form of a period', () => {
  test('has examples', () => {
    const names = periodForms.map(({ name }) => name).filter((name) => name !== besideOthers);
    assert.deepEqual(Object.keys(examples).toSorted(), names.toSorted());
  });

  for (const { name, signs } of periodForms) {
    const [meant, texts] = examples[name] ?? [];
    if (texts === undefined) continue;
    test(name, () => {
      const languages = texts.split('|').map((part) => part.split(';').map((text) => text.trim()));
      assert.equal(languages.length, 3);
      for (const text of languages.flat().filter((each) => each !== '')) {
        assert.equal(spell(text), meant, text);
        const row = tokensOf(folded(text)).map(({ sign }) => sign);
        const isThere = row.some((_, at) => {
          signs.lastIndex = at;
          return signs.test(row.join(''));
        });
        assert.ok(isThere, `${text} has the form, ${row.join('')}`);
      }
    });
  }
});

test('periods are joined, and their beginning and end are days', () => {
  const cases: Readonly<Record<string, string>> = {
    '01.2023-03.2023': '2023-01-01/2023-03-31 months',
    '2023-01 - 2023-03': '2023-01-01/2023-03-31 months',
    '2023M01–2023M03': '2023-01-01/2023-03-31 months',
    'декабрь 2022 – февраль 2023': '2022-12-01/2023-02-28 months',
    'IV кв. 2022 - I кв. 2023': '2022-10-01/2023-03-31 months',
    'с 2018 по 2022 год': '2018-01-01/2022-12-31 years',
    'на к.г. 2023': '2023-12-31/ day',
    'на н.г. 2023': '2023-01-01/ day',
    'на нач. 2023': '2023-01-01/ day',
    '2023 год на конец года': '2023-12-31/ day',
    'человек, на начало года 2023': '2023-01-01/ day',
    '2023 ж. соңына': '2023-12-31/ day',
    'на конец I квартала 2023 г.': '2023-03-31/ day',
    'end of March 2023': '2023-03-31/ day',
    'на начало 2022/23 учебного года': '2022-09-01/ day',
  };
  for (const [text, meant] of Object.entries(cases)) assert.equal(spell(text), meant, text);
});

test('years of prices, bases, bounds and documents, and other numbers, do not date a column', () => {
  const texts = `
    В ценах 2010 года, млрд тенге 2021; в процентах к 2015 году 2021 г.; 2021 г. в % к 2015 г.; млн. 2015 долл. США 2021
    2010=100, 2021; Индекс (2010 = 100 %) 2021; Дома до 1990 года постройки 2021; Тариф 2000 тг, 2021; 2021 к уровню 2019 г.
    Приложение 2 к приказу от 12.03.2019 № 45 Площадь пашни за 2021 год; январь-март 2020 против 2021 2021
    2010 жылғы бағалармен, 2021; 2015 жылға %-бен, 2021 ж.; 2019 жылғы 12 наурыздағы № 45 бұйрығына 2021 жыл
    2021, in 2015 prices; constant 2015 US$, 2021; 2021 as % of 2015; 2021 vs 2015; since 2010, 2021; Order No. 45 of 12 March 2019: 2021
    Население 15-64 лет, 2021; на 1000 жителей, 2021; PM2.5 2021; CO2, тыс. тонн 2021; кв. м 2021; 1.2. Посевы 2021; COVID-19 2021
    тенге в месяц 2021; форма 29-сх 2021; Группа II 2021; первичная заболеваемость 2021; 2021 год 1); 2021 год¹⁾; 2021 (2)
    Ірі қара мал 2021; Сары май 2021; Ет, сүт, май 2021; Қара металл 2021; Жел электр станциялары 2021; Қаз еті 2021; Қар суы 2021; 2021 жылғы мал басы; Октябрьский район, 2021
    Spring wheat 2021; Winter barley, 2021; 2021 год в % к соответствующему периоду 2020 г.; 2021 ж. 2020 жылғы тиісті кезеңге %-бен
    построенные в 1990, 2021; 65 лет и старше 2021; базисный 2010 год 2021; 1500 га 2021; за 2018–2022 гг. 2021; 2021 год 2021 г.`;
  for (const text of texts.split(/[;\n]/).map((each) => each.trim())) {
    if (text === '' || text.startsWith('январь-март')) continue;
    assert.equal(spell(text), '2021-01-01/2021-12-31 year', text);
  }
});

test('what is not understood whole has no date', () => {
  const texts = `
    5 кв. 2022; Q1-Q5 2023; март-январь 2023; зима 2023; 5-я неделя 2023; 2023 1; 2023 I; I 2023; 01-03 2023; 15 мес. 2023
    первое и второе полугодие 2023; 1 кв. и 2 кв. 2023; I, III кв. 2023; 2021, 2022; 2022 и 2023; 2023/2022; 2023 2022
    январь 2022 февраль 2023; декабрь 2022 - февраль; за 10 дней 2023; с начала 2023 года; 31.02.2023; 13.2023; 2023-13; H3 2023
    в % к 2015 году; 2010=100; до 1990 года постройки; план до 2030 года; с 2010 года; приказ от 12.03.2019 № 45; Тариф 2000 тг
    2022 жылғы 1 желтоқсанға пайызбен; 2022 жылғы қаңтар-қыркүйекке %-бен; 2022 жылғы қаңтар-қыркүйекпен салыстырғанда, %
    2022 жылғы тиісті кезеңге пайызбен; 2022 жылғы тиісті кезең; соответствующий период 2022 г.; на аналогичную дату 2022 года
    yanvar-sentabr 2023; mart 2023; 2023-жылдын январь-сентябрында; 2 чейрек 2023; same period of 2022; 2023 жылғы жылыту маусымы; январь/февраль 2023; I/II кв. 2023
    к декабрю 2022; против 2021 г.; 2025 жылға дейін; 2019 жылға қарағанда; in 2015 prices; since 2010; Население 5 2023; II 2023 г.`;
  for (const text of texts.split(/[;\n]/).map((each) => each.trim())) assert.equal(spell(text), 'none', text);
});

test('what columns have in common dates them', () => {
  const starts = (...texts: string[]) => readPeriods(texts).map((read) => read?.start_date);
  const quarters = ['2023-01-01', '2023-04-01', '2023-07-01', '2023-10-01'];
  assert.deepEqual(starts('2023 I', '2023 II', '2023 III', '2023 IV'), quarters);
  assert.deepEqual(starts('2023 г. I', '2023 г. II'), [undefined, undefined], 'quarters or half-years');
  assert.deepEqual(starts('Посевы 2022 га', 'Посевы 2023 га'), ['2022-01-01', '2023-01-01']);
  assert.deepEqual(starts('% к 2019', '% к 2020'), [undefined, undefined]);
});

test('a word that is a month and a thing is read by what stands beside it', () => {
  const starts = (...texts: string[]) => readPeriods(texts).map((read) => read?.start_date ?? '-');
  assert.deepEqual(starts('Регион', 'май 2023'), ['-', '2023-05-01']);
  assert.deepEqual(starts('Өңір', 'Май 2023'), ['-', '-'], 'butter or May');
  assert.deepEqual(starts('Тауық 2023', 'Қаз 2023'), ['2023-01-01', '-'], 'goose or October');
  assert.deepEqual(starts('қыр 2023', 'қаз 2023', 'жел 2023'), ['2023-09-01', '2023-10-01', '2023-12-01']);
  assert.deepEqual(starts('Өндіріс, қаң.-қаз. 2023'), ['2023-01-01']);
});

test('a part of a year in two languages is one', () => {
  const cases: Readonly<Record<string, string>> = {
    'қаңтар / январь 2023': '2023-01-01/2023-01-31 month',
    'Ввод жилья, мамыр/май 2023': '2023-05-01/2023-05-31 month',
    'қаңтар-наурыз / январь-март 2023': '2023-01-01/2023-03-31 months',
    'I тоқсан / I квартал 2023 г.': '2023-01-01/2023-03-31 quarter',
    '9 айда / за 9 месяцев 2023': '2023-01-01/2023-09-30 months',
  };
  for (const [text, meant] of Object.entries(cases)) assert.equal(spell(text), meant, text);
});
