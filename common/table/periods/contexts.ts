/**
 * Numbers unrelated to the time of a column, and periods that serve as bases or bounds. All patterns match lower-case
 * texts with one kind of dash and space, without `ё`.
 */

const number = String.raw`\d+(?: \d{3})*(?:[.,]\d+)?`;
/** Years are part of a quantity only with some doubt; see `afterWeakYear`. */
const quantity = String.raw`(?!(?:19|20)\d\d(?!\d|[ ,.]\d{3}))${number}`;
const until = String.raw`(?: ?(?:-|до|to|дейін) ?)`;
const unit = [
  String.raw`лет|жас\p{L}*|years? (?:old|of age|and)|yrs`,
  String.raw`га|гектар\p{L}*|ha|hectares?|кв\.? ?к?м|[кk]?[мm][²³23]|куб\.? ?м|км|km|мм|mm|см|cm|метр\p{L}*`,
  String.raw`т|t|тонн\p{L}*|tonn?e?s?|кг|kg|ц|центнер\p{L}*|литр\p{L}*|л`,
  String.raw`тыс\p{L}*|мың|млн|миллион\p{L}*|млрд|миллиард\p{L}*|thousand|thsd|million|mln|billion|bln`,
  String.raw`чел|человек\p{L}*|адам\p{L}*|жител\p{L}*|населени\p{L}*|тұрғын\p{L}*|халық\p{L}*|халқ\p{L}*|persons?|people|inhabitants?|population`,
  String.raw`голов\p{L}*|бас|heads?|шт|штук\p{L}*|дана|единиц\p{L}*|ед|бірлік\p{L}*|units?|мест|орын|коек|орынға`,
  String.raw`тг|тенге|теңге|₸|kzt|tenge|руб\p{L}*|долл\p{L}*|usd|us\$|\$|eur|евро|€`,
  String.raw`балл\p{L}*|ұпай|points?|квт\p{L}*|мвт\p{L}*|kwh?|mw|гкал|°c?|час\p{L}*|сағат|hours?`,
].join('|');
const unitEnd = String.raw`(?![\p{L}\d])`;
const wordStart = String.raw`(?<![\p{L}\p{N}/.,'-])`;
const label = [
  String.raw`№|#|n°|no\.|приложени\p{L}*|таблиц\p{L}*|табл\.?|форм(?:а|ы|е|у|ой)?|пункт\p{L}*|раздел\p{L}*|глав\p{L}*|стат(?:ья|ьи|ье)`,
  String.raw`класс\p{L}*|групп\p{L}*|категори\p{L}*|тип(?:а|ов)?|зон\p{L}*|топ|уровень|разряд\p{L}*`,
  String.raw`кесте\p{L}*|қосымша\p{L}*|нысан\p{L}*|санат\p{L}*|сынып\p{L}*|топ\p{L}*`,
  String.raw`table|tab\.|form|annex|appendix|section|chapter|class|group|category|type|zone|level|grade`,
].join('|');
const roman = '(?:x?(?:ix|iv|v?i{1,3}|v)|x)';

/** Other numbers: `15-64 лет`, `на 1000 жителей`, `№ 45`, `PM2.5`, `100 %`. */
export const otherNumbers: readonly RegExp[] = [
  // Fractions and powers of units, and units without a number that look like parts of a year.
  new RegExp(String.raw`${wordStart}(?:кв|куб)\.? ?(?:к?м|метр\p{L}*|километр\p{L}*)${unitEnd}`, 'gu'),
  new RegExp(
    String.raw`${wordStart}(?:(?:в|per|a|each) (?:месяц|квартал|сутки|день|month|quarter|day|week)|(?:month|quarter)ly)${unitEnd}`,
    'gu',
  ),
  new RegExp(
    `${wordStart}(?:${label}) ?(?:-|№)? ?(?:${quantity}(?:[./-]\\d{1,3})*(?![./-]?\\d)|${roman}${unitEnd})(?: ?- ?\\p{L}{1,4}${unitEnd})?`,
    'gu',
  ),
  new RegExp(`${wordStart}${quantity}(?:${until}${quantity})?\\+? ?-?(?:${unit})${unitEnd}`, 'gu'),
  new RegExp(`${wordStart}${quantity}(?:${until}${quantity})? ?%`, 'gu'),
  new RegExp(`[<>≤≥] ?${quantity}`, 'gu'),
  // `на 1000 родившихся`, `per 1,000 births`: the base of a rate.
  new RegExp(String.raw`${wordStart}(?:на|per|әр|в расчете на) 1(?:[ .,]?000)+(?![\d])`, 'gu'),
  /10\^-?\d+/g,
  // `2010 = 100`: the patterns for base years handle its year.
  /(?<==\s?)1(?:00)?(?!\d|[.,]\d) ?%?/g,
];

/** A word with a number attached: `CO2`, `COVID-19`. After a word of time, the number is one of time as well. */
export const codeWord = /(?<![\p{L}\p{N}])(\p{L}{1,12})-?\d{1,3}(?:[.,]\d)?(?![\d/'-]|[.,]\d)/gu;

/** Number of an item in a list: `1.2. Посевы`. */
export const listNumber = /^ *\d{1,2}(?:\.\d{1,2})*[.)] *(\p{L}{3,})/u;

/** A number in brackets that distinguishes columns of one name. */
export const copyNumber = /\(\d{1,2}\)(?=\s*$)/;

/** Words before a period that is not the period of the column: a base year, a bound, the date of a document. */
export const beforeReference: readonly RegExp[] = [
  // в % к 2015 г., к уровню 2015 года, к соответствующему периоду
  /(?<![\p{L}.])(?:ко?|против|сравнени[юяе]м? с(?:о)?|отношени[юяие]м? ко?|vs\.?|versus|compared (?:to|with)|relative to|against|over|% of|per ?cent(?:age)? of|% to) (?:the )?(?:(?:уровн\p{L}+|соответств\p{L}+|аналогичн\p{L}+|прошл\p{L}+|предыдущ\p{L}+|базисн\p{L}+|базов\p{L}+|том[ау]|тому же|период\p{L}*|месяц\p{L}*|level|of|same|period|corresponding) )*\(?$/u,
  // в ценах 2010 года
  /(?<!\p{L})(?:в|по|к) (?:(?!текущ|действу|действова)\p{L}+ )?(?:ценах|ценам|тарифах) (?:на )?\(?$/u,
  /(?<!\p{L})(?:constant|base(?: year)?|базисн\p{L}+(?: год\p{L}*)?|базов\p{L}+(?: год\p{L}*)?|база|базис|базалық)[ :-]*\(?$/u,
  /(?<!\p{L})prices? of (?:the year )?$/u,
  // до 1990 года, с 2010 года, since 2010
  /(?<!\p{L})(?<!и )(?:до|после|ранее|позднее|позже|старше|начиная со?|со?|since|before|after|until|till|from|prior to|as from|up to|through) \(?$/u,
  /(?<!\p{L})(?:родивш|рожденн|построенн|основанн|введенн|born|built|туған|салынған)\p{L}* (?:в|in)? ?$/u,
  // приказ от 12.03.2019
  /(?<!\p{L})(?:от|dated) \(?$/u,
  /(?<!\p{L})(?:приказ|постановлени|решени|распоряжени|закон|указ|письм|протокол|договор|order|decree|resolution|law)\p{L}*(?: (?:№|no\.?) ?[\d/-]+)? (?:of )?$/u,
  // Отчет сформирован 12.02.2024
  /(?<!\p{L})(?:сформирован|составлен|выгружен|обновлен|утвержден|подписан|дата (?:отчета|формирования|составления|выгрузки|печати)|generated|created|updated|printed|жасалған|құрылған)\p{L}*:? ?\(?$/u,
  // 100 = 2010
  /100 ?%? ?= ?$/u,
];

/** The same, after the period. */
export const afterReference: readonly RegExp[] = [
  /^[ .]*(?:год\p{L}*|г\.?|жыл\p{L}*|ж\.?)?\)?\s*=\s*1(?:00)?(?!\d|[.,]\d)/u,
  /^[ .]*(?:год\p{L}*|г\.?)? ?(?:принят|взят|постройк|рожден|выпуска|основан|создан|ввода|built|born|салынған|туған|салынған)/u,
  /^[ .]*(?:г\.? ?р\.?)(?!\p{L})/u,
  // Date of a document: its number follows.
  /^[ .]*(?:год\p{L}*|г\.?|жыл\p{L}*|ж\.?)?[ ,]*(?:№|n ?\d)/u,
  // 2010 жылғы бағалармен, 2015 prices, 2015 US$
  /^[ .]*(?:жыл\p{L}*|ж\.?)?[ .]*(?:тұрақты|салыстырмалы|орташа)? ?баға(?:мен|лар(?:мен|ымен|ында)|сымен|сында|да)(?!\p{L})/u,
  /^[ ,]*(?:constant )?(?:prices|us\$|u\.s\. dollars|international)(?!\p{L})/u,
  /^[ .]*(?:жыл(?:ға|мен|ғы деңгейге)?|деңгейі(?:не|мен))?[ ]*(?:қарағанда|салыстырғанда|қатынас\p{L}*|шаққанда)/u,
  // 2022 жылғы тиісті кезеңге пайызбен
  /^[ .]*(?:жыл\p{L}*|ж\.?)? ?(?:тиісті|сәйкес|осы|дәл осындай) (?:кезең|ай|тоқсан|күн)\p{L}*(?:[гғкқн][ае]|[мбп]ен)[ ,]*(?:%|пайыз|қарағанда|салыстырғанда|қатынас)/u,
  /^[ .]*(?:жыл(?:ға|дың)|ж\.?)[ ,]*(?:%|пайыз\p{L}*)/u,
  /^[ .]*(?:жыл\p{L}*|ж\.?)? ?(?:дейін|бастап|кейін)(?!\p{L})/u,
];

/** A Kazakh period in the dative case before a percentage is a base: «2022 жылғы 1 желтоқсанға пайызбен». */
export const inDative = /(?:[гғкқ][ае]|[мбп]ен)$/u;
export const percentBehind = /^ ?(?:%|пайыз)/u;

/** Four digits before a unit may be an amount: `2000 тг`. */
export const afterWeakYear = new RegExp(String.raw`^ ?(?:${unit})${unitEnd}`, 'u');

export const beginsWithUnit = new RegExp(`^(?:${unit})${unitEnd}`, 'iu');
