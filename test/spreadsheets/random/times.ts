import { half, months, point, quarter, span, type Time, year } from '../truth.ts';
import type { Dice } from './dice.ts';

/** A time with its texts in a header: in one cell, or below its year. */
export interface Written {
  readonly time: Time;
  readonly text: string;
  /** The text below the year, where the year stands in the line above or in the title. */
  readonly part?: string;
  readonly of: number;
}

const romans = ['I', 'II', 'III', 'IV'];
const ordinals = {
  ru: ['первый', 'второй', 'третий', 'четвертый'],
  kk: ['бірінші', 'екінші', 'үшінші', 'төртінші'],
  en: ['first', 'second', 'third', 'fourth'],
};
const monthNames = {
  ru: 'январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь'.split(' '),
  kk: 'қаңтар ақпан наурыз сәуір мамыр маусым шілде тамыз қыркүйек қазан қараша желтоқсан'.split(' '),
  en: 'January February March April May June July August September October November December'.split(' '),
};
const shortNames = {
  ru: 'янв. фев. март апр. май июнь июль авг. сент. окт. нояб. дек.'.split(' '),
  kk: 'қаң. ақп. нау. сәу. мам. мау. шіл. там. қыр. қаз. қар. жел.'.split(' '),
  en: 'Jan. Feb. Mar. Apr. May June July Aug. Sept. Oct. Nov. Dec.'.split(' '),
};
const genitives = 'января февраля марта апреля мая июня июля августа сентября октября ноября декабря'.split(
  ' ',
);
const dashes = ['-', ' - ', '–', ' – ', '—', '‑', '−'];
const yearTexts = {
  ru: ['#', '# г.', '# год', '#г', 'за # год', '#*', '# г.¹⁾', '# (оценка)', '# план'],
  kk: ['#', '# ж.', '# жыл', '# жылы', '#ж', '# (жоспар)'],
  en: ['#', 'FY#', 'in #', '# (estimate)'],
};
export type Language = keyof typeof yearTexts;
const yearWords = { ru: ['# г.', '# год', '#', '# года'], kk: ['# ж.', '# жылғы', '#'], en: ['#'] };

/** Several times of one kind, written in the same way. */
export function someTimes(dice: Dice, language: Language): readonly Written[] {
  const first = dice.from(2008, 2022);
  const many = dice.from(1, 4);
  const of = Array.from({ length: many }, (_, at) => first + at);
  const word = dice.one(yearWords[language]);
  const withYear = (part: string, number: number) => {
    const named = word.replace('#', String(number));
    return language === 'kk' || dice.is(0.25) ? `${named} ${part}` : `${part} ${named}`;
  };
  const parted = (time: Time, part: string, number: number): Written => ({
    time,
    part,
    of: number,
    text: withYear(part, number),
  });
  const dash = dice.one(dashes);
  const kinds: readonly (() => readonly Written[])[] = [
    () => {
      const text = dice.one(yearTexts[language]);
      return of.map((each) => ({ time: year(each), text: text.replace('#', String(each)), of: each }));
    },
    () => {
      const count = dice.from(2, 4);
      const spelled = dice.one(quarterTexts(language));
      return of
        .slice(0, 2)
        .flatMap((each) =>
          romans.slice(0, count).map((_, at) => parted(quarter(each, at + 1), spelled(at), each)),
        );
    },
    () => {
      const spelled = dice.one(halfTexts(language));
      return of
        .slice(0, 2)
        .flatMap((each) => [0, 1].map((at) => parted(half(each, at + 1), spelled(at), each)));
    },
    () => {
      const names = dice.one([monthNames, shortNames])[language];
      return names.slice(0, dice.from(2, 6)).map((name, at) => parted(months(first, at + 1), name, first));
    },
    () => {
      const names = dice.one([monthNames, shortNames])[language];
      return [3, 6, 9, 12].map((count) =>
        parted(months(first, 1, count), `${names[0]}${dash}${names[count - 1]}`, first),
      );
    },
    () => {
      const texts = { ru: ['# мес.', '# месяцев', '#М'], kk: ['# ай', '# айда'], en: ['# months', '#M'] }[
        language
      ];
      const text = dice.one(texts);
      return [3, 6, 9].map((count) =>
        parted(months(first, 1, count), text.replace('#', String(count)), first),
      );
    },
    () => {
      const words = { ru: ['кв.', 'кварталы'], kk: ['тоқсан'], en: ['quarters'] }[language];
      const sign = dice.one(words);
      const isRoman = dice.is(0.5);
      const spelled = (at: number) => (isRoman ? romans[at - 1] : String(at));
      return [2, 3, 4].map((last) =>
        parted(months(first, 1, 3 * last), `${spelled(1)}${dash}${spelled(last)} ${sign}`, first),
      );
    },
    () => {
      const texts = {
        ru: ['на 1 января # г.', 'на 01.01.#', 'На начало # года', 'на н.г. #'],
        kk: ['# жылғы 1 қаңтарға', '01.01.# ж.', '# жылдың басына'],
        en: ['as of 1 January #', 'January 1, #', '#-01-01'],
      }[language];
      const text = dice.one(texts);
      return of.map((each) => ({
        time: point(`${each}-01-01`),
        text: text.replace('#', String(each)),
        of: each,
      }));
    },
    () => {
      const texts = {
        ru: ['на конец # года', 'на к.г. #', '31.12.#'],
        kk: ['# жылдың соңына'],
        en: ['end of #'],
      };
      const text = dice.one(texts[language]);
      return of.map((each) => ({
        time: point(`${each}-12-31`),
        text: text.replace('#', String(each)),
        of: each,
      }));
    },
    () => {
      const isShort = dice.is(0.5);
      return of.map((each) => ({
        time: span(`${each}-07-01`, `${each + 1}-06-30`),
        text: `${each}/${isShort ? String((each + 1) % 100).padStart(2, '0') : each + 1}`,
        of: each,
      }));
    },
    () => [
      {
        time: span(`${first}-12-01`, `${first + 1}-02-${new Date(Date.UTC(first + 1, 2, 0)).getUTCDate()}`),
        text: `${monthNames[language][11]} ${first}${dash}${monthNames[language][1]} ${first + 1}`,
        of: first,
      },
    ],
    () =>
      [1, 2].map((at) => ({
        time: span(`${first}-0${at}-01`, `${first}-0${at + 3}-${at === 1 ? '30' : '31'}`),
        text: `0${at}.${first}${dash}0${at + 3}.${first}`,
        of: first,
      })),
    () => [
      {
        time: span(`${first}-01-01`, `${first}-03-31`),
        text: {
          ru: `1 ${genitives[0]}${dash}31 ${genitives[2]} ${first}`,
          kk: `${first} жылғы 1 қаңтар${dash}31 наурыз`,
          en: `1 January${dash}31 March ${first}`,
        }[language],
        of: first,
      },
    ],
    () => [1, 2, 3].map((at) => ({ time: months(first, at), text: `0${at}.${first}`, of: first })),
    () => [1, 2, 3].map((at) => ({ time: months(first, at), text: `${first}M0${at}`, of: first })),
  ];
  return dice.one(kinds)();
}

function quarterTexts(language: Language): readonly ((at: number) => string)[] {
  const words = ordinals[language];
  return {
    ru: [
      (at: number) => `${romans[at]} кв.`,
      (at: number) => `${at + 1} кв.`,
      (at: number) => `${at + 1}-й квартал`,
      (at: number) => `${words[at]} квартал`,
      (at: number) => `кв. ${at + 1}`,
    ],
    kk: [
      (at: number) => `${at + 1}-тоқсан`,
      (at: number) => `${romans[at]} тоқсан`,
      (at: number) => `${words[at]} тоқсан`,
    ],
    en: [(at: number) => `Q${at + 1}`, (at: number) => `${at + 1}Q`, (at: number) => `${words[at]} quarter`],
  }[language];
}

function halfTexts(language: Language): readonly ((at: number) => string)[] {
  const words = ordinals[language];
  return {
    ru: [
      (at: number) => `${at + 1}-е полугодие`,
      (at: number) => `${romans[at]} полугодие`,
      (at: number) => `${at + 1} пол.`,
      (at: number) => `${at + 1} п/г`,
    ],
    kk: [(at: number) => `${at + 1}-жартыжылдық`, (at: number) => `${words[at]} жартыжылдық`],
    en: [(at: number) => `H${at + 1}`, (at: number) => `${words[at]} half`],
  }[language];
}
