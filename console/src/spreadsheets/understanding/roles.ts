import { speaksOfTime } from '../../../../common/table/periods/read.ts';
import { kindOf, type Kind, lineOf, periodOf } from '../model/cells.ts';
import type { Cell, Role } from '../model/types.ts';
import { isRegionCode, isRegionName, isTotal, isUnitName } from './unit-words.ts';

const word = (words: string): RegExp => new RegExp(`(?<![\\p{L}])(?:${words})`, 'iu');
/** Words of headers, in Russian, Kazakh and English. */
const words = {
  code: word('като|kato|код|code|шифр|октмо|окато|соате'),
  kato: word('като|kato|te\\b'),
  name: word('район|аудан|district|наименован|назван|атау|территор|аумақ|город|қала|name|населен|елді'),
  region: word('област|облыс|регион|region|oblast|өңір|province'),
  period: word(
    'год|жыл|year|период|кезең|period|дата|күн|date|месяц|ай(?![\\p{L}])|month|квартал|тоқсан|quarter|время|уақыт|time',
  ),
  indicator: word('показател|көрсеткіш|indicator|variable|measure'),
  /** Years of other facts than the values, such as when a school was built. */
  otherYear: word('основан|образован|постройк|рожден|ввод|создан|құрыл|салын|built|founded|born'),
  amount: word(
    'тенге|теңге|тг|kzt|руб|долл|usd|бюджет|сумм|стоимост|доход|расход|выручк|tenge|budget|amount|cost',
  ),
  number:
    /^(?:№|no\.?|n|#|п\/п|р\/с|№ ?п\/п|№ ?р\/с|рет ?№?|(?:№|номер|код) ?(?:строки|стр\.?)|жол(?:дың)? (?:№|коды|нөмірі))$/iu,
};

const rowsExamined = 500;
/** A long table repeats each time and each indicator; a column with more different texts has another role. */
const maxRepeated = 400;

interface Facts {
  readonly column: number;
  readonly name: string;
  readonly counts: Readonly<Record<Kind, number>>;
  /** Number of cells that are not empty. */
  readonly filled: number;
  readonly distinct: number;
  /** Number of cells that number the rows from 1, if the column has no name. */
  readonly numbers: number;
  /** Number of different texts without names of totals. */
  readonly named: number;
  /** Number of cells with a word for a region of the country. */
  readonly regions: number;
  /** Number of cells with nine digits that begin like those of a region. */
  readonly places: number;
  /** Number of cells with a part of a year: `I квартал`, `январь`; numbers count if the name of the column says so. */
  readonly partsOfYear: number;
  /** Number of cells that look like names of regions or districts. */
  readonly units: number;
  /** Number of cells that name a time, also with another word: `2020 (оценка)`. */
  readonly times: number;
  /** Number of short codes that are whole numbers. */
  readonly wholes: number;
}

/** The part of a year that the numbers of a column count, if its name gives one. */
export const partNames: readonly (readonly [RegExp, string, number])[] = [
  [/^(?:номер )?(?:квартал|тоқсан|quarter|qtr)\p{L}*$/iu, 'кв.', 4],
  [/^(?:номер )?(?:месяц|month|ай|айы)$/iu, 'мес', 12],
  [/^(?:номер )?(?:полугоди|жартыжылдық|half)\p{L}*(?:-year| year)?$/iu, 'полугодие', 2],
];

/** Guesses the role of each column from its name and its cells. */
export function guessRoles(names: readonly string[], rows: readonly (readonly Cell[])[]): readonly Role[] {
  const step = Math.max(1, Math.floor(rows.length / rowsExamined));
  const sample = rows.filter((_, index) => index % step === 0);
  const facts = names.map((name, column) => factsOf(name, column, sample));
  const roles = facts.map(firstRole);
  const keepBest = (role: Role, rank: (facts: Facts) => number, other: Role): void => {
    const all = facts.filter(({ column }) => roles[column] === role);
    const [best] = all.toSorted((a, b) => rank(b) - rank(a));
    for (const { column } of all) if (column !== best?.column) roles[column] = other;
  };
  keepBest('code', (each) => each.distinct + (words.kato.test(each.name) ? sample.length : 0), 'note');
  chooseNames(facts, roles);
  // Names identify places where truncated codes do not.
  if (roles.includes('name'))
    for (const { column, counts, filled, name, wholes } of facts) {
      const isShort = roles[column] === 'code' && counts.code * 2 < filled;
      const isOther = roles[column] === 'value' && words.code.test(name) && wholes === filled;
      if (isShort || isOther) roles[column] = 'note';
    }
  // An unnamed column that numbers the rows is before their names.
  for (const { column, numbers, filled } of facts)
    if (roles[column] === 'value' && numbers === filled && column < roles.indexOf('name'))
      roles[column] = 'note';
  const code = facts.find(({ column }) => roles[column] === 'code');
  if (code !== undefined) demoteNames(code.column, facts, roles, sample);
  const places = facts.filter(({ column }) => ['code', 'name', 'region'].includes(roles[column] ?? ''));
  const keys = new Set(sample.map((row) => places.map(({ column }) => lineOf(row[column])).join('\t'))).size;
  const isRepeated = places.length > 0 && keys < sample.length;
  for (const each of facts) {
    if (roles[each.column] !== 'period') continue;
    const isTime =
      (words.period.test(each.name) && !words.otherYear.test(each.name)) ||
      (isRepeated && each.distinct <= maxRepeated && each.distinct * 2 <= sample.length);
    if (!isTime) roles[each.column] = each.counts.text > 0 ? 'note' : 'value';
  }
  const isPart = (each: Facts): boolean => each.partsOfYear * 10 >= each.filled * 9 && each.filled > 0;
  const wholeTimes = facts.filter((each) => roles[each.column] === 'period' && !isPart(each));
  const [best] = wholeTimes.toSorted((a, b) => b.distinct - a.distinct);
  for (const each of wholeTimes) if (each !== best) roles[each.column] = 'note';
  // A quarter or a month in a separate column belongs to the year in another.
  const part = facts.find((each) => isPart(each) && (best !== undefined || isRepeated));
  for (const each of facts) if (isPart(each) && each !== part) roles[each.column] = 'note';
  if (part !== undefined) roles[part.column] = 'period';
  const hasPeriod = roles.includes('period');
  for (const each of facts) {
    if (roles[each.column] !== 'note' || each.counts.text === 0 || !isRepeated) continue;
    const isNamed = words.indicator.test(each.name);
    if (isNamed && each.distinct > 1 && each.distinct <= maxRepeated && (hasPeriod || keys < sample.length))
      roles[each.column] = 'indicator';
  }
  keepBest('indicator', (each) => each.distinct, 'note');
  if (hasPeriod && !roles.includes('indicator')) findIndicator(facts, roles, sample);
  const crossed = hasPeriod || roles.includes('indicator') ? undefined : crossedColumn(facts, roles, rows);
  if (crossed !== undefined) roles[crossed] = 'indicator';
  return roles;
}

/** A column whose texts differ between rows of one code does not name the place. */
function demoteNames(
  code: number,
  facts: readonly Facts[],
  roles: Role[],
  sample: readonly (readonly Cell[])[],
): void {
  for (const { column } of facts) {
    if (roles[column] !== 'name') continue;
    const names = new Map<string, string>();
    const isOther = sample.some((row) => {
      const [place, name] = [lineOf(row[code]), lineOf(row[column])];
      const before = names.get(place);
      names.set(place, name);
      return place !== '' && before !== undefined && before !== name;
    });
    if (isOther) roles[column] = 'note';
  }
}

/** If places occur several times for one time, a column of few texts that distinguishes their rows is the indicator. */
function findIndicator(facts: readonly Facts[], roles: Role[], sample: readonly (readonly Cell[])[]): void {
  const ofKey = facts.filter(({ column }) =>
    ['code', 'name', 'region', 'period'].includes(roles[column] ?? ''),
  );
  const countBy = (columns: readonly Facts[]) =>
    new Set(sample.map((row) => columns.map(({ column }) => lineOf(row[column])).join('\t'))).size;
  const without = countBy(ofKey);
  if (without === sample.length) return;
  const candidates = facts.filter(
    ({ column, counts, filled, distinct }) =>
      roles[column] === 'note' && counts.text * 2 > filled && distinct > 1 && distinct <= maxRepeated,
  );
  const [best] = candidates.toSorted((a, b) => countBy([...ofKey, b]) - countBy([...ofKey, a]));
  if (best !== undefined && countBy([...ofKey, best]) > without) roles[best.column] = 'indicator';
}

function factsOf(name: string, column: number, sample: readonly (readonly Cell[])[]): Facts {
  const counts: Record<Kind, number> = {
    empty: 0,
    code: 0,
    number: 0,
    period: 0,
    missing: 0,
    error: 0,
    text: 0,
  };
  const texts = new Set<string>();
  const names = new Set<string>();
  const most = partNames.find(([spelling]) => spelling.test(name.trim()))?.[2];
  let [places, partsOfYear, wholes, times, units, regions, round, numbers] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (const row of sample) {
    const cell = row[column] ?? null;
    const kind = kindOf(cell);
    counts[kind] += 1;
    if (kind === 'code' && isRegionCode(cell)) {
      places += 1;
      if (lineOf(cell).endsWith('00')) round += 1;
    }
    if (cell === null) continue;
    const text = lineOf(cell);
    texts.add(text);
    if (name === '' && text === String(numbers + 1)) numbers += 1;
    if (!isTotal(cell)) names.add(text);
    if (isRegionName(cell)) regions += 1;
    if (/^\d{1,8}$/.test(text)) wholes += 1;
    if (periodOf(cell) !== undefined) times += 1;
    if (isUnitName(cell)) units += 1;
    const isNumber =
      most !== undefined && /^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= most;
    if (isNumber || (kind === 'text' && speaksOfTime(text) && isOnlyTime(text))) partsOfYear += 1;
  }
  const filled = sample.length - counts.empty;
  // Amounts of nine digits may begin like codes, but most codes of units end in zeros.
  if (words.amount.test(name) && !words.code.test(name) && round * 2 < places) places = 0;
  const [distinct, named] = [texts.size, names.size];
  return {
    column,
    name,
    counts,
    filled,
    distinct,
    named,
    places,
    partsOfYear,
    wholes,
    times,
    units,
    regions,
    numbers,
  };
}

/** Returns true for a part of a year that forms a period with a year and no other word. */
function isOnlyTime(text: string): boolean {
  return (
    periodOf(`${text} 2000`)?.note === '' ||
    periodOf(`2000 ${text}`)?.note === '' ||
    /^(?:I{1,3}|IV)$/.test(text)
  );
}

function firstRole({ name, counts, filled, places, partsOfYear, times }: Facts): Role {
  const { code, number, period, missing, error } = counts;
  const isTimed = periodOf(name) !== undefined;
  if (filled === 0) return isTimed ? 'value' : 'note';
  if (words.number.test(name)) return 'note';
  if (partsOfYear * 10 >= filled * 9 && !isTimed) return 'period';
  if (places * 2 >= filled && !isTimed) return 'code';
  if (isTimed) return 'value';
  if (period * 10 >= filled * 9) return 'period';
  const isOfTimes = words.period.test(name) && !words.otherYear.test(name) && counts.text * 2 > filled;
  if (isOfTimes && times * 10 >= filled * 9) return 'period';
  const values = number + period + code + missing + error;
  if (values * 2 > filled && number + period + code > 0)
    return words.kato.test(name) && number > 0 ? 'code' : 'value';
  return 'note';
}

/** Chooses the column of names: by its heading, or the first one of different texts; a coarser column beside it has the regions. */
function chooseNames(facts: readonly Facts[], roles: Role[]): void {
  const texts = facts.filter(
    ({ column, counts, filled }) => roles[column] === 'note' && counts.text * 2 > filled && filled > 0,
  );
  const titled = texts.filter(({ name }) => words.name.test(name) || words.region.test(name));
  const ofUnits = texts.filter(({ units, filled }) => units * 2 > filled);
  const candidates = titled.length > 0 ? titled : ofUnits.length > 1 ? ofUnits : texts.slice(0, 1);
  const isOfRegions = ({ name }: Facts): boolean => words.region.test(name) && !words.name.test(name);
  // If regions and districts are equally numerous, the names are those of districts.
  const rank = (each: Facts): number => each.named - each.column / 1000 - (isOfRegions(each) ? 0.9 : 0);
  const isPlace = ({ name, units, filled }: Facts): boolean =>
    units * 2 > filled || (!words.indicator.test(name) && !/ед\.? ?изм|единиц|өлшем|unit/i.test(name));
  const [best, ...others] = candidates.filter(isPlace).toSorted((a, b) => rank(b) - rank(a));
  if (best === undefined) return;
  roles[best.column] = 'name';
  const region = others.find(
    (each) =>
      (words.region.test(each.name) || each.regions * 2 > each.filled) &&
      each.column < best.column &&
      (each.named < best.named || (isOfRegions(each) && !isOfRegions(best))),
  );
  if (region !== undefined) roles[region.column] = 'region';
}

const crossedRowsExamined = 5000;
/** Limit of different texts, such as crops, kinds of animals or forms of property, that repeat for each place. */
const mostTexts = 100;
/** Minimum average number of rows of a place. */
const fewestRepeats = 1.5;
/** Minimum share of the possible pairs of a place and a text that occur. */
const fewestPairs = 0.5;

/**
 * Finds the column whose few texts repeat for each place, if no column has a time: `Регион | Культура | 2022 | 2023`. Undefined if no
 * column distinguishes all rows of a place. A place or a text may be written once for the rows below it.
 */
function crossedColumn(
  facts: readonly Facts[],
  roles: readonly Role[],
  rows: readonly (readonly Cell[])[],
): number | undefined {
  if (!roles.includes('value')) return undefined;
  const places = roles.flatMap((role, at) => (/^(?:code|name|region)$/.test(role) ? [at] : []));
  if (places.length === 0) return undefined;
  const sample = rows.slice(0, crossedRowsExamined);
  const placesOf = filledDown(places, sample);
  const count = new Set(placesOf).size;
  if (count * fewestRepeats > sample.length) return undefined;
  return facts.find(({ column, counts, filled, distinct, units }) => {
    const isOfTexts = roles[column] === 'note' && counts.text * 2 > filled && units * 2 <= filled;
    if (!isOfTexts || distinct < 2 || distinct > mostTexts || sample.length < 2 * distinct) return false;
    const pairs = new Set(filledDown([column], sample).map((text, at) => `${placesOf[at] ?? ''}\n${text}`));
    return pairs.size === sample.length && pairs.size >= fewestPairs * count * distinct;
  })?.column;
}

/** The texts of columns in each row; an empty cell takes the text above it. */
function filledDown(columns: readonly number[], rows: readonly (readonly Cell[])[]): readonly string[] {
  const last = columns.map(() => '');
  return rows.map((row) => {
    for (const [at, column] of columns.entries()) last[at] = lineOf(row[column]) || (last[at] ?? '');
    return last.join('\t');
  });
}
