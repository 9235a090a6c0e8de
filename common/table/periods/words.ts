/** Meaning of a token in the name of a period; a text becomes a string of these signs. */
export type Sign =
  | 'Y' // a year of four digits
  | 'd' // one or two digits
  | 'z' // a zero alone
  | 'n' // another number
  | 'c' // a number as a word: nine
  | 'M' // a month; its number is the value
  | 'Q' // quarter
  | 'H' // half-year
  | 'O' // a number of months
  | 'S' // a season; the value is the number of its first month
  | 'D' // a third of a month
  | 'T' // another word for a time: week, day
  | 'R' // a Roman numeral or an ordinal
  | 'B' // beginning
  | 'E' // end
  | 's' // the ending of an ordinal: 1-й, 1st
  | 'x' // the m of 2021M01 and 9M 2021
  | 'g' // year
  | 't' // to
  | 'w' // of, in, ...: does not change the meaning
  | 'a' // a number that is not a time
  | '?' // a word unrelated to time
  | ' '
  | '.'
  | ','
  | '/'
  | '-'
  | "'"
  | '*'; // any other character

interface Word {
  readonly sign: Sign;
  readonly value: number;
}

const russianEnding = '(?:[ьяею]|ем)?';
const kazakhEnding =
  '(?:[ыі]|[ғгқк][ае]|[дт][ае]н?|н[ае]н?|[дт][ае]ғ[ыі]|[дт]егі|[ыі]н(?:[ае]|д[ае]|[ае]н|дағы|дегі)|[ндт][ыі]ң|[мбп]ен)?';

/** Russian, Kazakh and English names of months with their endings; an abbreviation is three or more letters of a name. */
const monthNames = [
  [`январ${russianEnding}`, `қаңтар${kazakhEnding}`, 'january'],
  [`феврал${russianEnding}`, `ақпан${kazakhEnding}`, 'february'],
  ['март(?:[аеу]|ом)?', `наурыз${kazakhEnding}`, 'march'],
  [`апрел${russianEnding}`, `сәуір${kazakhEnding}`, 'april'],
  ['ма(?:[йяею]|ем)', `мамыр${kazakhEnding}`, 'may'],
  [`июн${russianEnding}`, `маусым${kazakhEnding}`, 'june'],
  [`июл${russianEnding}`, `шілде${kazakhEnding}`, 'july'],
  ['август(?:[аеу]|ом)?', `тамыз${kazakhEnding}`, 'august'],
  [`сентябр${russianEnding}`, `қыркүйе[кг]${kazakhEnding}`, 'september'],
  [`октябр${russianEnding}`, `қазан${kazakhEnding}`, 'october'],
  [`ноябр${russianEnding}`, `қараша${kazakhEnding}`, 'november'],
  [`декабр${russianEnding}`, `желтоқсан${kazakhEnding}`, 'december'],
] as const;
const months = monthNames.map((names) => new RegExp(`^(?:${names.join('|')})$`));
/** Common initial letters of all forms of a name. */
const monthStems = monthNames.map((names) => names.map((name) => name.replace(/[([].*$/, '')));
const shortestAbbreviation = 3;
const longestName = 9;

/** First month of each season; winter continues into the next year. */
const seasons: readonly (readonly [number, RegExp])[] = [
  [12, /^(?:зима|зимы|зимой|зиму|қыс(?:ы|та|тың)?|winter)$/],
  [3, /^(?:весна|весны|весной|весну|көктем(?:і|де|нің)?|spring)$/],
  [6, /^(?:лето|лета|летом|жаз(?:ы|да|дың)?|summer)$/],
  [9, /^(?:осень|осени|осенью|күз(?:і|де|дің)?|autumn|fall)$/],
];

const ordinals = [
  /^(?:перв(?:ый|ая|ое|ого|ой|ом|ому|ую|ые|ых)|бірінші|first)$/,
  /^(?:втор(?:ой|ая|ое|ого|ом|ому|ую|ые|ых)|екінші|second)$/,
  /^(?:треть(?:я|е|его|ей|ем|ему|ю|и|их)|третий|үшінші|third)$/,
  /^(?:четверт(?:ый|ая|ое|ого|ой|ом|ому|ую|ые|ых)|төртінші|fourth)$/,
];
const romans = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii'];
const countWords = new Map([
  ...['три', 'үш', 'three'].map((word) => [word, 3] as const),
  ...['шесть', 'алты', 'six'].map((word) => [word, 6] as const),
  ...['девять', 'тоғыз', 'nine'].map((word) => [word, 9] as const),
  ...['двенадцать', 'twelve'].map((word) => [word, 12] as const),
]);

const signs: readonly (readonly [Sign, RegExp])[] = [
  ['Q', /^(?:кв|квартал\p{L}*|q|qtr|quarters?|тоқсан\p{L}*|тоқс)$/u],
  ['H', /^(?:пг|пол|полуг|полугод\p{L}*|половин\p{L}*|h|hy|hal(?:f|ves)|жарты|жартыжылд[ыі][қғ]\p{L}*)$/u],
  ['O', /^(?:мес|месяц(?:а|ев|ы|ам)?|ай|айда|айы(?:нда|ның|ндағы)?|айдың|айлары\p{L}*|months?|mo)$/u],
  ['D', /^(?:декад(?:а|ы|у|е)|онкүндік|онкүндіг[іе]\p{L}*)$/u],
  [
    'T',
    /^(?:недел[яюеи]|неделям|апта\p{L}*|weeks?|wk|сутки|сутках|день|дн(?:я|ей|и)|күн(?:і|де)?|days?|триместр\p{L}*|семестр\p{L}*|trimester|semester|пятидневк\p{L}*|decades?|декад)$/u,
  ],
  // Months and parts of a year in neighbouring languages, which are not read.
  [
    'T',
    /^(?:yanvar|fevral|mart|aprel|iyun|iyul|avgust|senty?abr|okty?abr|noyabr|dekabr|chorak|yarim|чейрек|жарым)\p{L}*$/u,
  ],
  ['T', /^(?:январ|феврал|апрел|август|сентябр|октябр|ноябр|декабр)(?!\p{L}*ск)\p{L}+$/u],
  ['B', /^(?:нач|начал[оаеу]|бас(?:ы|ына|ында|ындағы)|beginning|start)$/],
  ['E', /^(?:кон|кон(?:ец|ц[аеу])|соң(?:ы|ына|ында|ындағы)|аяғ(?:ы|ына|ында|ындағы)|end)$/],
  ['s', /^(?:ый|ой|ий|й|ое|ая|е|я|го|му|ом|м|х|ую|st|nd|rd|th|ші|шы|інші|ыншы|нші)$/],
  ['g', /^(?:г|гг|год(?:[ауы]|ов|ам|ах|ом)?|ж|жж|жыл\p{L}*|years?|yr|fy)$/u],
  ['t', /^(?:по|до|to|through|till|until|дейін)$/],
  ['w', /^(?:за|на|в|во|со?|состоянию|период|календарный|as|of|at|in|the|for|from|on|half-year)$/],
  ['w', /^(?:бойынша|аралығы\p{L}*|кезең\p{L}*|арналған|соңғы)$/u],
];

const none: Word = { sign: '?', value: 0 };

/** Reads a word of lower-case letters without `ё`. */
export function readWord(word: string): Word {
  const month = monthOf(word);
  if (month !== undefined) return { sign: 'M', value: month };
  const season = seasons.find(([, spelling]) => spelling.test(word));
  if (season !== undefined) return { sign: 'S', value: season[0] };
  const ordinal = ordinals.findIndex((spelling) => spelling.test(word));
  if (ordinal >= 0) return { sign: 'R', value: ordinal + 1 };
  const roman = romanOf(word);
  if (roman > 0) return { sign: 'R', value: roman };
  const count = countWords.get(word);
  if (count !== undefined) return { sign: 'c', value: count };
  if (word === 'm' || word === 'м') return { sign: 'x', value: 0 };
  const sign = signs.find(([, spelling]) => spelling.test(word))?.[0];
  return sign === undefined ? none : { sign, value: 0 };
}

function monthOf(word: string): number | undefined {
  if (word.length < shortestAbbreviation) return undefined;
  const named = months.findIndex((spelling) => spelling.test(word));
  if (named >= 0) return named + 1;
  if (word.length > longestName) return undefined;
  const short = monthStems.findIndex((stems) =>
    stems.some((stem) => stem.length > 3 && stem.startsWith(word)),
  );
  return short < 0 ? undefined : short + 1;
}

/** Roman numerals as typed, with Cyrillic lookalikes. `x` alone may be a multiplication sign. */
function romanOf(word: string): number {
  const latin = word.replaceAll('і', 'i').replaceAll('х', 'x');
  return word === 'х' ? 0 : romans.indexOf(latin) + 1;
}

/** An academic year. */
export const ofStudies = /учеб|(?<!\p{L})уч(?!\p{L})|(?<!\p{L})оқу(?!\p{L})|school|academic/u;

/** Signs that must be understood; others may accompany a period. */
export const isOfTime: ReadonlySet<Sign> = new Set<Sign>([
  'Y',
  'd',
  'z',
  'n',
  'M',
  'Q',
  'H',
  'O',
  'S',
  'D',
  'T',
  'R',
  'B',
  'E',
]);
