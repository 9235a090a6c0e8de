/** What a word means in the name of a period; anything else is `?`. */
export type WordSign =
  | 'M' // a month; its number is the value
  | 'Q' // quarter
  | 'H' // half-year
  | 'O' // months, counted
  | 'R' // a number in Roman numerals or as an ordinal
  | 'B' // beginning
  | 'E' // end
  | 's' // the ending of an ordinal: 1-й, 1st
  | 'x' // the m of 2021M01
  | 'w' // year, of, in, ...: does not change what is meant
  | '?';

export interface Word {
  readonly sign: WordSign;
  readonly value: number;
}

const russianEnding = '(?:[ьяею]|ем|ём)?';
const kazakhEnding =
  '(?:[ыі]|[ғгқк][ае]|[дт][ае]н?|н[ае]н?|[дт][ае]ғ[ыі]|[дт]егі|[ыі]н(?:[ае]|д[ае]|[ае]н|дағы|дегі)|[ндт][ыі]ң)?';

/** Russian, Kazakh and English names and abbreviations, by month. */
const months = [
  [`январ${russianEnding}|янв`, `қаңтар${kazakhEnding}|қаң|қаңт`, 'january|jan'],
  [`феврал${russianEnding}|фев|февр`, `ақпан${kazakhEnding}|ақп`, 'february|feb'],
  ['март(?:[аеу]|ом)?|мар', `наурыз${kazakhEnding}|нау|наур`, 'march|mar'],
  [`апрел${russianEnding}|апр`, `сәуір${kazakhEnding}|сәу`, 'april|apr'],
  ['ма(?:[йяею]|ем)', `мамыр${kazakhEnding}|мам`, 'may'],
  [`июн${russianEnding}|июн`, `маусым${kazakhEnding}|мау`, 'june|jun'],
  [`июл${russianEnding}|июл`, `шілде${kazakhEnding}|шіл`, 'july|jul'],
  ['август(?:[аеу]|ом)?|авг', `тамыз${kazakhEnding}|там`, 'august|aug'],
  [`сентябр${russianEnding}|сен|сент`, `қыркүйек${kazakhEnding}|қыркүйег[іе]|қыр|қырк`, 'september|sep|sept'],
  [`октябр${russianEnding}|окт`, `қазан${kazakhEnding}|қаз`, 'october|oct'],
  [`ноябр${russianEnding}|ноя|нояб`, `қараша${kazakhEnding}|қар`, 'november|nov'],
  [`декабр${russianEnding}|дек`, `желтоқсан${kazakhEnding}|жел|желт`, 'december|dec'],
].map((spellings) => new RegExp(`^(?:${spellings.join('|')})$`));

const numbers = [
  /^(?:i|і|перв\p{L}+|бірінші|first)$/u,
  /^(?:ii|іі|втор\p{L}+|екінші|second)$/u,
  /^(?:iii|ііі|трет\p{L}+|үшінші|third)$/u,
  /^(?:iv|іv|четверт\p{L}+|төртінші|fourth)$/u,
];

const signs: readonly (readonly [WordSign, RegExp])[] = [
  ['Q', /^(?:кв|квартал\p{L}*|q|qtr|quarter|тоқсан\p{L}*|тоқс)$/u],
  ['H', /^(?:пг|полуг|полугод\p{L}*|h|hy|half|жарты|жартыжылдық\p{L}*|жартыжылдығ\p{L}*)$/u],
  ['O', /^(?:мес|месяц\p{L}*|ай|ай[дл]\p{L}*|айы\p{L}*|months?|mo)$/u],
  ['B', /^(?:начал[оаеу]|басы\p{L}*|beginning|start)$/u],
  ['E', /^(?:кон(?:ец|ц[аеу])|соңы\p{L}*|аяғы\p{L}*|end)$/u],
  ['s', /^(?:ый|ой|ий|й|ое|ая|го|му|st|nd|rd|th|ші|шы|інші|ыншы|нші)$/],
  ['x', /^[mм]$/],
  ['w', /^(?:г|гг|год(?:[ауы]|ов|ам|ом)?|ж|жж|жыл\p{L}*|year|years|yr|fy|[yfx_])$/u],
  ['w', /^(?:за|на|по|во?|со?|до|от|состоянию|период|календарный|as|of|at|in|the|for|from|to|on|half-year)$/],
  ['w', /^(?:дейін|бойынша|аралығы\p{L}*|кезең\p{L}*|арналған)$/u],
];

/** Reads a word of lower-case letters without `ё`. */
export function readWord(word: string): Word {
  const month = months.findIndex((spelling) => spelling.test(word));
  if (month >= 0) return { sign: 'M', value: month + 1 };
  const number = numbers.findIndex((spelling) => spelling.test(word));
  if (number >= 0) return { sign: 'R', value: number + 1 };
  return { sign: signs.find(([, spelling]) => spelling.test(word))?.[0] ?? '?', value: 0 };
}

/** A year of schools and universities. */
export const ofStudies = /учеб|(?<!\p{L})уч(?!\p{L})|(?<!\p{L})оқу(?!\p{L})|school|academic/u;
