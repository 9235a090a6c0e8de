import { readKatoText } from '../../../common/table/kato-code.ts';
import { kindOf, type Kind, lineOf, periodOf } from './cells.ts';
import type { Cell, Role } from './types.ts';

const word = (words: string): RegExp => new RegExp(`(?<![\\p{L}])(?:${words})`, 'iu');
/** Words of headers, in Russian, Kazakh and English. */
const words = {
  code: word('като|kato|код|code|шифр'),
  kato: word('като|kato|te\\b'),
  name: word('район|аудан|district|наименован|назван|атау|территор|аумақ|город|қала|name|населен|елді'),
  region: word('област|облыс|регион|region|oblast|өңір|province'),
  period: word(
    'год|жыл|year|период|кезең|period|дата|күн|date|месяц|ай(?![\\p{L}])|month|квартал|тоқсан|quarter|время|уақыт|time',
  ),
  indicator: word('показател|көрсеткіш|indicator|variable|measure'),
  number: /^(?:№|no\.?|n|#|п\/п|р\/с|№ ?п\/п|№ ?р\/с|рет ?№?)$/i,
};

/** The first digits of all codes; amounts of nine digits begin otherwise as well. */
const ofRegion = /^(?:1[0159]|2[37]|3[1359]|4[37]|5[59]|6[123]|7[159])/;
const rowsLookedAt = 500;
/** A long table repeats each time and each indicator; what has more different texts is something else. */
const maxRepeated = 400;

interface Facts {
  readonly column: number;
  readonly name: string;
  readonly counts: Readonly<Record<Kind, number>>;
  /** Cells that are not empty. */
  readonly filled: number;
  readonly distinct: number;
  /** Cells with nine digits that begin like those of a region. */
  readonly places: number;
}

/** Guesses what each column holds from its name and its cells. */
export function guessRoles(names: readonly string[], rows: readonly (readonly Cell[])[]): readonly Role[] {
  const step = Math.max(1, Math.floor(rows.length / rowsLookedAt));
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
  const places = facts.filter(({ column }) => ['code', 'name', 'region'].includes(roles[column] ?? ''));
  const keys = new Set(sample.map((row) => places.map(({ column }) => lineOf(row[column])).join('\t'))).size;
  const isRepeated = places.length > 0 && keys < sample.length;
  for (const each of facts) {
    if (roles[each.column] !== 'period') continue;
    const isTime =
      words.period.test(each.name) ||
      (isRepeated && each.distinct <= maxRepeated && each.distinct * 2 <= sample.length);
    if (!isTime) roles[each.column] = each.counts.text > 0 ? 'note' : 'value';
  }
  keepBest('period', (each) => each.distinct, 'note');
  const hasPeriod = roles.includes('period');
  for (const each of facts) {
    if (roles[each.column] !== 'note' || each.counts.text === 0 || !isRepeated) continue;
    const isNamed = words.indicator.test(each.name);
    if (isNamed && each.distinct > 1 && each.distinct <= maxRepeated && (hasPeriod || keys < sample.length))
      roles[each.column] = 'indicator';
  }
  keepBest('indicator', (each) => each.distinct, 'note');
  return roles;
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
  let places = 0;
  for (const row of sample) {
    const cell = row[column] ?? null;
    const kind = kindOf(cell);
    counts[kind] += 1;
    if (kind === 'code' && ofRegion.test(readKatoText(lineOf(cell)).katoCode)) places += 1;
    if (cell !== null) texts.add(lineOf(cell));
  }
  return { column, name, counts, filled: sample.length - counts.empty, distinct: texts.size, places };
}

function firstRole({ name, counts, filled, places }: Facts): Role {
  const { code, number, period, missing, error } = counts;
  const isTimed = periodOf(name) !== undefined;
  if (filled === 0) return isTimed ? 'value' : 'note';
  if (words.number.test(name)) return 'note';
  if (places * 2 >= filled && !isTimed) return 'code';
  if (isTimed) return 'value';
  if (period * 10 >= filled * 9) return 'period';
  const values = number + period + code + missing + error;
  if (values * 2 > filled && number + period + code > 0)
    return words.kato.test(name) && number > 0 ? 'code' : 'value';
  return 'note';
}

/** Chooses the column of names: by its name, else the first of different texts; a coarser one beside it is that of regions. */
function chooseNames(facts: readonly Facts[], roles: Role[]): void {
  const texts = facts.filter(
    ({ column, counts, filled }) => roles[column] === 'note' && counts.text * 2 > filled && filled > 0,
  );
  const spoken = texts.filter(({ name }) => words.name.test(name) || words.region.test(name));
  const candidates = spoken.length > 0 ? spoken : texts.slice(0, 1);
  const rank = (each: Facts): number => each.distinct - each.column / 1000;
  const isPlace = ({ name }: Facts): boolean =>
    !words.indicator.test(name) && !/ед\.? ?изм|единиц|өлшем|unit/i.test(name);
  const [best, ...others] = candidates.filter(isPlace).toSorted((a, b) => rank(b) - rank(a));
  if (best === undefined) return;
  roles[best.column] = 'name';
  const region = others.find(
    ({ name, column, distinct }) =>
      words.region.test(name) && column < best.column && distinct < best.distinct,
  );
  if (region !== undefined) roles[region.column] = 'region';
}
