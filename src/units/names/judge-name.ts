import type { Entry, Hits, Language, NameIndex, Unit } from './name-index.ts';
import {
  allOf,
  type Candidate,
  confidences,
  fitting,
  type Judgement,
  none,
  type Reason,
} from './judgement.ts';
import { soundOf } from './letters.ts';
import { type NamePart, readSpelling, type Spelling } from './spelling.ts';

/** A row of the request. */
export interface AskedName {
  readonly name: string;
  /** Name or code of the row's region, if the table contains it. */
  readonly region?: string | null | undefined;
  /** Common level of all rows, if known. */
  readonly level?: 'region' | 'district' | null | undefined;
}

/** Constraints of a row on the location of its unit. */
interface Wanted {
  readonly regions: ReadonlySet<string> | undefined;
  readonly level: AskedName['level'];
}

/**
 * Matches a name by itself and with the constraints of its row.
 * @param mayBeNear true to look for names that differ in a letter, which costs more
 */
export function judgeName(index: NameIndex, asked: AskedName, mayBeNear: boolean): Judgement {
  const spelling = readSpelling(asked.name);
  const wanted = { regions: regionsOf(index, asked.region), level: asked.level };
  if (spelling.code !== undefined) return judgeCode(index, spelling.code, spelling);
  if (spelling.parts.length === 0) return judgeNameless(index, asked, spelling, wanted);
  if (spelling.isBelow) return none('below_district');
  const { main, regions, isClear } = mainPart(index, spelling.parts);
  if (main === undefined) return none('unknown');
  const place = { ...wanted, regions: regions ?? wanted.regions };
  const judged = judgePart(index, main, place, mayBeNear);
  if (!isClear && judged.status !== 'none')
    return { ...judged, status: 'doubtful', reason: 'unclear', isOpen: false };
  if (!spelling.isTotal || judged.status !== 'exact') return judged;
  return { ...judged, status: 'likely', remark: 'total_of_unit' };
}

/** «Всего» beside the name of a region is the region itself. */
function judgeNameless(
  { units }: NameIndex,
  { level }: AskedName,
  { isTotal, isCountry }: Spelling,
  { regions }: Wanted,
): Judgement {
  if (isCountry) return none('country');
  if (!isTotal) return none('empty');
  const [region, other] = [...units.values()].filter(
    (unit) => unit.level === 'region' && regions?.has(unit.region) === true,
  );
  if (region === undefined || other !== undefined || level === 'district') return none('total');
  const candidate = { unit: region, confidence: confidences.total, languages: new Set<Language>() };
  return {
    status: 'likely',
    reason: 'region',
    remark: 'total_of_unit',
    candidates: [candidate],
    isOpen: false,
  };
}

/** Finds the parts of the unit and of its location: «Акмолинская область, Аккольский район». */
function mainPart(index: NameIndex, parts: readonly NamePart[]) {
  const [first] = parts;
  if (parts.length === 1) return { main: first, regions: undefined, isClear: true };
  const hasDistrict = parts.some(({ kind, gender }) => (kind ?? gender) === 'district');
  const read = parts.map((part) => {
    const entries = allOf(index, part);
    const isRegion = part.kind === 'region' || part.gender === 'region';
    const meant = fitting(entries, part);
    const isOnlyRegion =
      meant.length > 0 && meant.every(({ units }) => units.every(({ level }) => level === 'region'));
    // «г. Астана, Есильский район»: a city of that rank is the location of its district.
    const isAround = part.kind === undefined || (part.kind === 'city' && hasDistrict);
    const codes = new Set(meant.flatMap(({ units }) => units.map(({ kato }) => kato)));
    return { part, entries, codes, isRegion: isRegion || (isAround && isOnlyRegion) };
  });
  const named = read.filter(({ isRegion }) => !isRegion);
  // A region in two languages is the unit itself.
  const others = named.length > 0 ? named : read;
  // Of names with a kind, the one with the fewest units is the clearest.
  if (others.every(({ part: { kind, gender } }) => (kind ?? gender) !== undefined))
    others.sort((a, b) => rankOf(a.codes) - rankOf(b.codes));
  const regions = new Set(
    read.flatMap(({ isRegion, part, entries }) => (isRegion ? prefixesOf(entries, part) : [])),
  );
  const [main, ...more] = others;
  if (main === undefined) return { main: first, regions: undefined, isClear: false };
  const isClear = more.every((each) => main.codes.size > 0 && main.codes.isSubsetOf(each.codes));
  return { main: main.part, regions: named.length > 0 && regions.size > 0 ? regions : undefined, isClear };
}

/** Sorts names without units last. */
const rankOf = ({ size }: ReadonlySet<string>): number => (size === 0 ? Infinity : size);

/** Returns the code prefixes of all regions that a text may mean, including former ones of a unit. */
function regionsOf(index: NameIndex, text: string | null | undefined): ReadonlySet<string> | undefined {
  if (text === null || text === undefined || text.trim() === '') return undefined;
  const { code, parts } = readSpelling(text);
  if (code !== undefined) return new Set([code.slice(0, 2)]);
  const found = parts.flatMap((part) => prefixesOf(allOf(index, part), part));
  return found.length > 0 ? new Set(found) : undefined;
}

function prefixesOf(entries: readonly Entry[], { kind, gender }: NamePart): string[] {
  const regional = entries.filter(
    ({ units }) => units.length > 0 && units.every(({ level }) => level === 'region'),
  );
  const said = kind ?? gender;
  const fitting = regional.filter((entry) => said === undefined || entry.kind === said);
  return (fitting.length > 0 ? fitting : said === undefined ? regional : []).flatMap(({ units, isFormer }) =>
    units.flatMap(({ region, pastRegions }) =>
      isFormer && units.length > 1 ? [region, ...pastRegions] : [region],
    ),
  );
}

function judgePart(index: NameIndex, part: NamePart, wanted: Wanted, mayBeNear: boolean): Judgement {
  const judged = index
    .find(part)
    .flatMap((hits) => (hits.entries.length > 0 ? [judgeHits(hits, part, wanted)] : []));
  const fitting = judged.find(({ reason }) => reason !== 'other_kind' && reason !== 'other_region');
  const best = fitting ?? judged.at(-1);
  if (best !== undefined) return best;
  if (!mayBeNear) return none('unknown');
  return judgeNear(index.findNear(part), part, wanted);
}

function judgeHits({ entries, by }: Hits, part: NamePart, wanted: Wanted): Judgement {
  const known = entries.filter(({ units }) => units.length > 0);
  if (known.length === 0) return none('not_in_service');
  const ofKind = fitting(known, part);
  const placed = merged(ofKind.filter((entry) => entry.units.some((unit) => isIn(unit, wanted))));
  const fits = preferToday(placed, wanted);
  const [only, other] = fits;
  if (only === undefined) {
    const reason = ofKind.length === 0 ? 'other_kind' : 'other_region';
    return asking(merged(ofKind.length === 0 ? known : ofKind), reason, confidences.misfit);
  }
  if (other !== undefined) return { ...asking(fits, 'several', 0.9 / fits.length), isOpen: true };
  const [unit, divided] = only.units;
  if (unit === undefined || divided !== undefined) return asking(fits, 'divided', confidences.misfit);
  if (by === 'sound' && hasOtherVowels(part.key, unit)) return asking(fits, 'similar', 0.6);
  const isMoved = wanted.regions !== undefined && !wanted.regions.has(unit.region);
  const confidence = only.isFormer ? confidences.former : confidences[by === 'name' ? 'name' : 'sound'];
  return {
    status: by === 'name' ? 'exact' : 'likely',
    reason: only.isFormer ? 'former_name' : by === 'name' ? 'name' : 'sound',
    remark: only.isFormer ? 'former_name' : isMoved ? 'former_region' : null,
    candidates: [{ unit, confidence, languages: only.languages }],
    isOpen: false,
    isNoun: (part.kind ?? part.gender) === undefined && unit.kind === 'district' && only.isTown,
  };
}

const doubledVowels = (text: string): ReadonlySet<string> =>
  new Set([...text.toLowerCase().matchAll(/([aouаоуәөүұ])\1/g)].map(([, vowel = '']) => soundOf(vowel)));

/** Returns true if a key doubles a vowel that no name of the unit doubles: it may be a misspelling of another name. */
function hasOtherVowels(key: string, { name, name_kk: kazakh, name_en: english }: Unit): boolean {
  const known = doubledVowels([name, kazakh, english].join(' '));
  return !doubledVowels(key).isSubsetOf(known);
}

/** A name with an extra letter, in the right region and of the right kind, is a misspelling; any other may be another place. */
function judgeNear({ entries, distance }: Hits, part: NamePart, wanted: Wanted): Judgement {
  const known = fitting(
    entries.filter(({ units }) => units.length > 0),
    part,
  );
  const fits = merged(known.filter((entry) => entry.units.some((unit) => isIn(unit, wanted))));
  const [only, other] = fits;
  if (only === undefined) return none('unknown');
  const isSlip = distance === 1 && part.sound.length > 6;
  const asked = asking(fits, 'similar', isSlip ? 0.6 : 0.5);
  const isSure = isSlip && other === undefined && only.units.length === 1 && wanted.regions !== undefined;
  return isSure ? { ...asked, status: 'likely', remark: 'misspelled' } : asked;
}

function isIn({ region, pastRegions, level }: Unit, { regions, level: wantedLevel }: Wanted): boolean {
  if (wantedLevel && level !== wantedLevel) return false;
  if (regions === undefined || regions.has(region)) return true;
  return [...pastRegions].some((past) => regions.has(past));
}

/** Current units of the region take precedence over those that left it, and current names over former ones. */
function preferToday(entries: readonly Entry[], { regions }: Wanted): readonly Entry[] {
  const today = entries.filter(({ units }) => units.some(({ region }) => regions?.has(region) !== false));
  const rest = today.length > 0 ? today : entries;
  const current = rest.filter(({ isFormer }) => !isFormer);
  return regions !== undefined && current.length > 0 ? current : rest;
}

/** Merges entries of the same units, with the languages of all. */
function merged(entries: readonly Entry[]): readonly Entry[] {
  const byUnits = new Map<string, Entry>();
  for (const entry of entries) {
    const key = entry.units.map(({ kato }) => kato).join();
    const known = byUnits.get(key);
    const isFormer = entry.isFormer && known?.isFormer !== false;
    const languages = new Set([...(known?.languages ?? []), ...entry.languages]);
    byUnits.set(key, { ...entry, isFormer, languages, isTown: entry.isTown && known?.isTown !== false });
  }
  return [...byUnits.values()];
}

function asking(entries: readonly Entry[], reason: Reason, confidence: number): Judgement {
  const candidates = new Map(
    entries.flatMap(({ units, languages }) =>
      units.map((unit): [string, Candidate] => [unit.kato, { unit, confidence, languages }]),
    ),
  );
  return { status: 'doubtful', reason, remark: null, candidates: [...candidates.values()], isOpen: false };
}

/** Matches a code, with the name beside it if the cell has both. */
function judgeCode(index: NameIndex, code: string, { parts }: Spelling): Judgement {
  const found = index.unitsOfCode(code);
  const toCandidate = (unit: Unit, confidence: number): Candidate => ({
    unit,
    confidence,
    languages: new Set(),
  });
  const [part] = parts;
  const named = part === undefined ? [] : fitting(allOf(index, part), part).flatMap(({ units }) => units);
  const both = found.filter(({ unit }) => named.some(({ kato }) => kato === unit.kato));
  const meant = named.length === 0 ? found : both;
  const today = meant.filter(({ isPast }) => !isPast);
  const [only, other] = today.length > 0 ? today : meant;
  if (only === undefined) {
    const all = new Set([...found.map(({ unit }) => unit), ...named]);
    if (all.size === 0) return judgeUnknownCode(index, code);
    const candidates = [...all].map((unit) => toCandidate(unit, confidences.misfit));
    return { status: 'doubtful', reason: 'code_and_name', remark: null, candidates, isOpen: false };
  }
  if (other !== undefined || !only.isSame) {
    const candidates = meant.map(({ unit }) => toCandidate(unit, confidences.misfit));
    return { status: 'doubtful', reason: 'divided', remark: 'former_code', candidates, isOpen: false };
  }
  const candidates = [toCandidate(only.unit, only.isPast ? confidences.former : confidences.name)];
  if (!only.isPast) return { status: 'exact', reason: 'code', remark: null, candidates, isOpen: false };
  return { status: 'exact', reason: 'former_code', remark: 'former_code', candidates, isOpen: false };
}

/**
 * A city without the villages of its administration has a code that differs from the city's in one digit; any other
 * code below a district has no unit.
 */
function judgeUnknownCode({ units }: NameIndex, code: string): Judgement {
  const unit = units.get(`${code.slice(0, 4)}00000`);
  if (unit === undefined || unit.level === 'region') return none('unknown');
  if (unit.kind !== 'city' || code.slice(4) !== '10000') return none('below_district');
  const candidates = [{ unit, confidence: confidences.region, languages: new Set<Language>() }];
  return { status: 'likely', reason: 'code', remark: null, candidates, isOpen: false };
}
