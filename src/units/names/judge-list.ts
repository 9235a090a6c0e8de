import { setImmediate } from 'node:timers/promises';
import { type AskedName, judgeName } from './judge-name.ts';
import type { Candidate, Judgement, Reason } from './judgement.ts';
import type { NameIndex, Unit } from './name-index.ts';
import { readSpelling } from './spelling.ts';

/** Limit of different names that are compared letter by letter; tables have fewer unknown names. */
const maxNear = 2000;
/** Number of rows that must agree before they decide for the rest of a list. */
const enough = 3;
/** Number of different names that are matched before other requests are served: a few milliseconds. */
const namesPerTurn = 500;

export interface AskedList {
  readonly rows: readonly AskedName[];
  /** Code of the region above the first row, when a table is sent in parts. */
  readonly above?: string | null | undefined;
}

/**
 * Matches the names of a list row by row. If a name alone fits several units, the surrounding rows decide if they leave one: the region
 * above, the language, the common level, or units that other rows already have. Otherwise the match stays doubtful.
 */
export async function judgeList(index: NameIndex, { rows, above }: AskedList): Promise<Judgement[]> {
  const alone = doubtReusedCodes(index, rows, await judgeAlone(index, rows));
  // In a table with a column of regions, no row heads the next ones.
  const areHeaded = !rows.some(({ region }) => region);
  const withRegions = areHeaded ? resolveRegions(index, alone, above ?? undefined) : alone;
  const blocks = areHeaded ? blocksOf(index, withRegions, above ?? undefined) : [];
  return resolveRest({ rows, judged: withRegions, blocks }, { ...traitsOf(alone, rows), areHeaded });
}

async function judgeAlone(index: NameIndex, rows: readonly AskedName[]): Promise<Judgement[]> {
  const known = new Map<string, Judgement>();
  const alone: Judgement[] = [];
  let near = 0;
  for (const row of rows) {
    const key = JSON.stringify([row.name, row.region, row.level]);
    const judged = known.get(key) ?? judgeName(index, row, near < maxNear);
    if (!known.has(key)) {
      known.set(key, judged);
      if (['similar', 'unknown'].includes(judged.reason)) near += 1;
      // Serves other requests meanwhile.
      if (known.size % namesPerTurn === 0) await setImmediate();
    }
    alone.push(judged);
  }
  return alone;
}

/** In a table with codes of an older classifier, a code that another unit has today may be the former one. */
function doubtReusedCodes(index: NameIndex, rows: readonly AskedName[], judged: Judgement[]): Judgement[] {
  if (!judged.some(({ reason }) => reason === 'former_code')) return judged;
  return judged.map((judgement, at) => {
    const { code, parts } = readSpelling(rows[at]?.name ?? '');
    if (judgement.reason !== 'code' || code === undefined || parts.length > 0) return judgement;
    const found = index.unitsOfCode(code).filter(({ isSame }) => isSame);
    if (found.length < 2) return judgement;
    const candidates = found.map(({ unit }) => ({ unit, confidence: 0.5, languages: new Set<never>() }));
    return { ...judgement, status: 'doubtful', reason: 'code_reused', remark: 'former_code', candidates };
  });
}

const sureOf = ({ status, candidates: [first, other] }: Judgement): Unit | undefined =>
  (status === 'exact' || status === 'likely') && other === undefined ? first?.unit : undefined;

const belongs = ({ region, pastRegions }: Unit, to: string): boolean => region === to || pastRegions.has(to);

/** Resolves the rows that head a region: «Абай» above the districts of the region is not the district. */
function resolveRegions(
  index: NameIndex,
  judged: readonly Judgement[],
  above: string | undefined,
): Judgement[] {
  const following = nextRegions(judged);
  let region = index.units.get(above ?? '')?.region;
  return judged.map((judgement, at) => {
    const sure = sureOf(judgement);
    if (sure?.level === 'region') region = sure.region;
    if (!judgement.isOpen) return judgement;
    const next = following[at];
    if (next === undefined || next === region) return judgement;
    const heads = judgement.candidates.filter(({ unit }) => unit.level === 'region' && unit.region === next);
    const [head, other] = heads;
    if (head === undefined || other !== undefined) return judgement;
    region = head.unit.region;
    return resolved(judgement, head, 'rows_around');
  });
}

/** For each row, returns the region of the next two certain districts, unless a region comes before them. */
function nextRegions(judged: readonly Judgement[]): (string | undefined)[] {
  const following: (string | undefined)[] = Array.from({ length: judged.length });
  let next: readonly string[] = [];
  for (let at = judged.length - 1; at >= 0; at -= 1) {
    const [first, second] = next;
    following[at] = first === second ? first : undefined;
    const judgement = judged[at];
    const sure = judgement && sureOf(judgement);
    if (sure !== undefined) next = sure.level === 'region' ? [] : [sure.region, ...next.slice(0, 1)];
  }
  return following;
}

interface Block {
  readonly region: string | undefined;
  /** Numbers of rows under the same heading that are in the region, and that are not. */
  agree: number;
  differ: number;
}

/** Returns the region above each row, if the rows below it agree that they belong to it. */
function blocksOf(
  index: NameIndex,
  judged: readonly Judgement[],
  above: string | undefined,
): (string | undefined)[] {
  let block: Block = { region: index.units.get(above ?? '')?.region, agree: 0, differ: 0 };
  const all = new Set<Block>();
  const blocks = judged.map((judgement) => {
    const sure = sureOf(judgement);
    if (sure?.level === 'region') block = { region: sure.region, agree: 0, differ: 0 };
    else if (sure !== undefined && block.region !== undefined)
      block[belongs(sure, block.region) ? 'agree' : 'differ'] += 1;
    all.add(block);
    return block;
  });
  const sum = (count: (each: Block) => number) => [...all].reduce((so, each) => so + count(each), 0);
  const areHeaded = sum(({ agree }) => agree) >= Math.max(5, 10 * sum(({ differ }) => differ));
  const ofOne = onlyRegion(judged);
  return blocks.map(({ region, agree, differ }) => {
    // Without a heading: districts of one region, whose name is above the table.
    if (region === undefined) return ofOne;
    // Cities of that rank often stand together without districts: «Алматы» below Astana is not one of its districts.
    const isAsAll = areHeaded && agree + differ === 0 && region < firstCapital;
    return isAsAll || agree > 3 * differ ? region : undefined;
  });
}

const firstCapital = '70';

/** Returns the only region of all certain districts of a list. */
function onlyRegion(judged: readonly Judgement[]): string | undefined {
  const sure = judged.map(sureOf).filter((unit) => unit?.level === 'district');
  const [only, other] = new Set(sure.map((unit) => unit?.region));
  const open = judged.filter(({ isOpen }) => isOpen).length;
  return other === undefined && sure.length >= Math.max(enough, open) ? only : undefined;
}

interface Traits {
  readonly isRussian: boolean;
  /** Town names in Russian stand for districts. */
  readonly hasNouns: boolean;
  /** The same for a list in English or Kazakh in Latin script, with less evidence. */
  readonly hasLatinNouns: boolean;
  /** The common kind of all rows of known kind. */
  readonly kinds: 'regions' | 'cities' | 'districts' | undefined;
  /** Codes of certain rows. */
  readonly taken: ReadonlySet<string>;
}

const kazakhLetters = /[әғқңөұүһі]|облысы|ауданы/i;
const isRussianText = (text: string): boolean =>
  /\p{Script=Cyrillic}/u.test(text) && !kazakhLetters.test(text);

/** Derives the common properties of a list from the rows that are certain by themselves. */
function traitsOf(judged: readonly Judgement[], rows: readonly AskedName[]): Traits {
  const kazakh = rows.filter(({ name, region }) => kazakhLetters.test(`${name} ${region ?? ''}`)).length;
  const latin = rows.filter(
    ({ name }) => /\p{Script=Latin}/u.test(name) && !/\p{Script=Cyrillic}/u.test(name),
  ).length;
  const hasKazakh = kazakh >= enough && kazakh * 4 >= rows.length;
  const taken = new Set<string>();
  const counts = { regions: 0, capitals: 0, cities: 0, districts: 0 };
  let russian = 0;
  let other = 0;
  let nouns = 0;
  const unknown = new Set<Judgement>();
  for (const judgement of judged) {
    const sure = sureOf(judgement);
    if (judgement.reason === 'unknown' || judgement.reason === 'similar') unknown.add(judgement);
    if (sure === undefined) continue;
    if (judgement.isNoun === true) {
      if (!taken.has(sure.kato)) nouns += 1;
      taken.add(sure.kato);
      continue;
    }
    if (!taken.has(sure.kato)) {
      taken.add(sure.kato);
      if (sure.level === 'region') counts[sure.kind === 'city' ? 'capitals' : 'regions'] += 1;
      else counts[sure.kind === 'city' ? 'cities' : 'districts'] += 1;
    }
    const languages = judgement.candidates[0]?.languages;
    if (languages?.size === 1) {
      if (languages.has('ru')) russian += 1;
    }
    if (languages !== undefined && languages.size > 0 && !languages.has('ru')) other += 1;
  }
  const isOfRegions = counts.regions >= enough && counts.cities + counts.districts === 0;
  const isOfCities = counts.cities >= enough && counts.regions + counts.districts === 0;
  const isOfDistricts = counts.cities + counts.districts >= enough && counts.regions + counts.capitals === 0;
  return {
    hasNouns: hasKazakh || (nouns >= 10 && nouns >= 20 * unknown.size),
    hasLatinNouns: nouns >= enough && nouns >= 5 * unknown.size && latin * 2 > rows.length,
    isRussian: russian >= enough && russian >= 5 * other,
    kinds: isOfRegions ? 'regions' : isOfCities ? 'cities' : isOfDistricts ? 'districts' : undefined,
    taken,
  };
}

interface Resolving {
  readonly rows: readonly AskedName[];
  readonly judged: readonly Judgement[];
  /** The region above each row, if known. */
  readonly blocks: readonly (string | undefined)[];
}

function resolveRest(
  { rows, judged, blocks }: Resolving,
  traits: Traits & { readonly areHeaded: boolean },
): Judgement[] {
  return judged.map((judgement, at) => {
    const block = blocks[at];
    if (judgement.reason === 'similar') return slipIn(judgement, block);
    if (!judgement.isOpen) return strayIn(nounIn(judgement, block, traits), block);
    const filters: [Reason, (candidate: Candidate) => boolean][] = [];
    if (block !== undefined)
      filters.push(['rows_around', ({ unit }) => unit.level === 'district' && belongs(unit, block)]);
    if (traits.isRussian && isRussianText(rows[at]?.name ?? ''))
      filters.push(['language', ({ languages }) => languages.has('ru')]);
    if (traits.kinds === 'regions') filters.push(['level', ({ unit }) => unit.level === 'region']);
    if (traits.kinds === 'cities') filters.push(['level', ({ unit }) => unit.kind === 'city']);
    if (traits.kinds === 'districts') filters.push(['level', ({ unit }) => unit.level === 'district']);
    const { candidates } = judgement;
    const isOfOneRegion = candidates.every(({ unit }) => unit.region === candidates[0]?.unit.region);
    if (traits.areHeaded && (traits.kinds === 'regions' || (isOfOneRegion && traits.taken.size >= enough)))
      filters.push(['other_rows', ({ unit }) => !traits.taken.has(unit.kato)]);
    let left = judgement.candidates;
    for (const [reason, isLeft] of filters) {
      const fewer = left.filter(isLeft);
      const [only, other] = fewer;
      if (only === undefined) continue;
      if (other === undefined && fewer.length < left.length) return resolved(judgement, only, reason);
      left = fewer;
    }
    return {
      ...judgement,
      candidates: [...left, ...judgement.candidates.filter((each) => !left.includes(each))],
    };
  });
}

/** «Талгар» alone is the town, whose district is «Талгарский» in Russian; in a list of districts, or of a region, it is the district. */
function nounIn(
  judgement: Judgement,
  block: string | undefined,
  { isRussian, hasNouns, hasLatinNouns }: Traits,
): Judgement {
  if (judgement.isNoun !== true) return judgement;
  const isForeign = judgement.candidates[0]?.languages.has('ru') === false;
  const isDistrict = (hasNouns || block !== undefined) && !(isRussian && isForeign);
  if (isDistrict) return judgement;
  if (hasLatinNouns) return { ...judgement, status: 'likely', reason: 'level' };
  return { ...judgement, status: 'doubtful', reason: 'other_kind' };
}

/** A unit of another region among the districts of a region is doubtful: it may be a unit of the region in another spelling. */
function strayIn(judgement: Judgement, block: string | undefined): Judgement {
  const sure = sureOf(judgement);
  if (block === undefined || sure?.level !== 'district' || belongs(sure, block)) return judgement;
  return { ...judgement, status: 'doubtful', reason: 'other_region' };
}

/** A name with one different letter is a misspelling if the unit is in the region of the surrounding rows. */
function slipIn(judgement: Judgement, block: string | undefined): Judgement {
  const [only, other] = judgement.candidates;
  if (block === undefined || only === undefined || other !== undefined || only.confidence < 0.6)
    return judgement;
  return belongs(only.unit, block) ? { ...judgement, status: 'likely', remark: 'misspelled' } : judgement;
}

/** Keeps only the chosen candidate: the page offers all other units anyway. */
function resolved(judgement: Judgement, { unit, languages }: Candidate, reason: Reason): Judgement {
  return {
    ...judgement,
    status: 'likely',
    reason,
    candidates: [{ unit, languages, confidence: 0.9 }],
    isOpen: false,
  };
}
