import { setImmediate } from 'node:timers/promises';
import { type AskedName, judgeName } from './judge-name.ts';
import type { Candidate, Judgement, Reason } from './judgement.ts';
import type { NameIndex, Unit } from './name-index.ts';
import { readSpelling } from './spelling.ts';

/** So many different names of a list are compared letter by letter; tables have fewer that are unknown. */
const maxNear = 2000;
/** So many rows have to agree before the rest of a list goes by them. */
const enough = 3;
/** So many different names are judged before other requests have their turn: a few milliseconds. */
const namesPerTurn = 500;

export interface AskedList {
  readonly rows: readonly AskedName[];
  /** The code of the region whose row stands above the first, when rows are asked about in pieces. */
  readonly above?: string | null | undefined;
}

/**
 * Judges the names of a list, row by row. Where a name alone leaves several units, the rows around it decide when they leave one:
 * the region above, the language, the level that all have, or units that other rows are. What they leave open stays a question.
 */
export async function judgeList(index: NameIndex, { rows, above }: AskedList): Promise<Judgement[]> {
  const alone = doubtReusedCodes(index, rows, await judgeAlone(index, rows));
  // A table that says the regions of its rows is not one in which rows head others.
  const areHeaded = !rows.some(({ region }) => region);
  const withRegions = areHeaded ? settleRegions(index, alone, above ?? undefined) : alone;
  const blocks = areHeaded ? blocksOf(index, withRegions, above ?? undefined) : [];
  return settleRest({ rows, judged: withRegions, blocks }, { ...traitsOf(alone, rows), areHeaded });
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
      // Other requests have their turn meanwhile.
      if (known.size % namesPerTurn === 0) await setImmediate();
    }
    alone.push(judged);
  }
  return alone;
}

/** In a table with codes of an older classifier, a code that another unit has today may be that of before. */
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

/** Settles the rows that head a region: «Абай» above the districts of the region, and not the district. */
function settleRegions(
  index: NameIndex,
  judged: readonly Judgement[],
  above: string | undefined,
): Judgement[] {
  const below = regionsBelow(judged);
  let region = index.units.get(above ?? '')?.region;
  return judged.map((judgement, at) => {
    const sure = sureOf(judgement);
    if (sure?.level === 'region') region = sure.region;
    if (!judgement.isOpen) return judgement;
    const next = below[at];
    if (next === undefined || next === region) return judgement;
    const heads = judgement.candidates.filter(({ unit }) => unit.level === 'region' && unit.region === next);
    const [head, other] = heads;
    if (head === undefined || other !== undefined) return judgement;
    region = head.unit.region;
    return settled(judgement, head, 'rows_around');
  });
}

/** The region, for each row, of which the next two rows are that are surely districts, unless a region comes before them. */
function regionsBelow(judged: readonly Judgement[]): (string | undefined)[] {
  const below: (string | undefined)[] = Array.from({ length: judged.length });
  let next: readonly string[] = [];
  for (let at = judged.length - 1; at >= 0; at -= 1) {
    const [first, second] = next;
    below[at] = first === second ? first : undefined;
    const judgement = judged[at];
    const sure = judgement && sureOf(judgement);
    if (sure !== undefined) next = sure.level === 'region' ? [] : [sure.region, ...next.slice(0, 1)];
  }
  return below;
}

interface Block {
  readonly region: string | undefined;
  /** Rows under the same heading that are in the region, and rows that are not. */
  agree: number;
  differ: number;
}

/** The region that a row is under, where the rows under the same one agree that they are in it. */
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
    // Without a heading: the districts of one region, whose name is above the table.
    if (region === undefined) return ofOne;
    // Cities of that rank often stand together, without districts: «Алматы» below Astana is none of its districts.
    const isAsAll = areHeaded && agree + differ === 0 && region < firstCapital;
    return isAsAll || agree > 3 * differ ? region : undefined;
  });
}

const firstCapital = '70';

/** Returns the region that all districts of a list are in, as far as they are sure. */
function onlyRegion(judged: readonly Judgement[]): string | undefined {
  const sure = judged.map(sureOf).filter((unit) => unit?.level === 'district');
  const [only, other] = new Set(sure.map((unit) => unit?.region));
  const open = judged.filter(({ isOpen }) => isOpen).length;
  return other === undefined && sure.length >= Math.max(enough, open) ? only : undefined;
}

interface Traits {
  readonly isRussian: boolean;
  /** Names that are a town in Russian are districts all the same. */
  readonly hasNouns: boolean;
  /** The same of a list in English or Kazakh in Latin letters, by fewer of them. */
  readonly hasLatinNouns: boolean;
  /** What all rows are of which it is known. */
  readonly kinds: 'regions' | 'cities' | 'districts' | undefined;
  /** Codes of rows that are sure. */
  readonly taken: ReadonlySet<string>;
}

const kazakhLetters = /[әғқңөұүһі]|облысы|ауданы/i;
const isRussianText = (text: string): boolean =>
  /\p{Script=Cyrillic}/u.test(text) && !kazakhLetters.test(text);

/** Finds what the rows of a list have in common, from those that are sure by themselves. */
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

interface Settling {
  readonly rows: readonly AskedName[];
  readonly judged: readonly Judgement[];
  /** The region that each row is under, where it is known. */
  readonly blocks: readonly (string | undefined)[];
}

function settleRest(
  { rows, judged, blocks }: Settling,
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
      if (other === undefined && fewer.length < left.length) return settled(judgement, only, reason);
      left = fewer;
    }
    return {
      ...judgement,
      candidates: [...left, ...judgement.candidates.filter((each) => !left.includes(each))],
    };
  });
}

/** «Талгар» alone is the town, whose district is «Талгарский» in Russian; a list of districts, or of a region, has the district. */
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

/** A unit of elsewhere among the districts of a region is a question: it may be one of the region in another spelling. */
function strayIn(judgement: Judgement, block: string | undefined): Judgement {
  const sure = sureOf(judgement);
  if (block === undefined || sure?.level !== 'district' || belongs(sure, block)) return judgement;
  return { ...judgement, status: 'doubtful', reason: 'other_region' };
}

/** One letter that differs is a slip where the name without it is in the region that the rows around are in. */
function slipIn(judgement: Judgement, block: string | undefined): Judgement {
  const [only, other] = judgement.candidates;
  if (block === undefined || only === undefined || other !== undefined || only.confidence < 0.6)
    return judgement;
  return belongs(only.unit, block) ? { ...judgement, status: 'likely', remark: 'misspelled' } : judgement;
}

/** The chosen candidate alone: the page offers all other units all the same. */
function settled(judgement: Judgement, { unit, languages }: Candidate, reason: Reason): Judgement {
  return {
    ...judgement,
    status: 'likely',
    reason,
    candidates: [{ unit, languages, confidence: 0.9 }],
    isOpen: false,
  };
}
