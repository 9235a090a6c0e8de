import { setImmediate } from 'node:timers/promises';
import { judgeList } from '../judge-list.ts';
import { type AskedName, judgeName } from '../judge-name.ts';
import { confidences, type Judgement, none, type Reason } from '../judgement.ts';
import type { NameIndex } from '../name-index.ts';
import { readSpelling, type Spelling } from '../spelling.ts';
import { type PlaceCell, type PlaceLevel, readPlace } from './place-spelling.ts';
import type { Place, Places } from './places.ts';

/** A row of the request: a place of any level. */
export interface AskedPlace extends Omit<AskedName, 'level'> {
  /** Name or code of the district, or code of the rural district, in which the place lies. */
  readonly district?: string | null | undefined;
  readonly level?: AskedName['level'] | PlaceLevel;
}

/** A judgement whose candidates are units of any level. */
export interface PlaceJudgement extends Omit<Judgement, 'candidates'> {
  readonly candidates: readonly { readonly unit: { readonly kato: string }; readonly confidence: number }[];
}

interface Index {
  /** Regions and districts that a row can be. */
  readonly units: NameIndex;
  /** Regions and districts in which a place can lie, with those of the classifier that have no borders. */
  readonly districts: NameIndex;
  readonly places: Places;
}

export interface JudgedPlaces {
  readonly judged: readonly PlaceJudgement[];
  /** The places that rows can be corrected to: those of the districts that rows name, and all candidates. */
  readonly places: readonly Place[];
}

/** Number of rows that must agree before they decide for the rest of a list. */
const enough = 3;
/** Number of rows that are matched before other requests are served. */
const rowsPerTurn = 200;

/**
 * Matches the names of a list with units of any level. A place below the districts is looked for within its district, which the row, its
 * cell or a row above names; without a district it is asked about.
 */
export async function judgePlaces(
  index: Index,
  { rows, above }: { readonly rows: readonly AskedPlace[]; readonly above?: string | null | undefined },
): Promise<JudgedPlaces> {
  const cells = rows.map(cellOf);
  const upper = rows.flatMap(({ name, region, level }, at) =>
    cells[at] === undefined ? [{ name, region, level: isPlaceLevel(level) ? undefined : level }] : [],
  );
  const judgedUpper = await judgeList(index.units, { rows: upper, above });
  const found = createScopes(index);
  const judged: PlaceJudgement[] = [];
  let heading = headingOf(index, above ?? undefined);
  let next = 0;
  for (const [at, cell] of cells.entries()) {
    const row = rows[at];
    if (row === undefined) break;
    if (at % rowsPerTurn === rowsPerTurn - 1) await setImmediate();
    if (cell !== undefined) {
      judged.push(judgePlace(index, found, { row, cell, heading }));
      continue;
    }
    const judgement = judgedUpper[next] ?? none('unknown');
    next += 1;
    const isBelow = judgement.reason === 'below_district';
    if (isBelow && heading !== undefined) {
      judged.push(judgePlace(index, found, { row, cell: readPlace(row.name), heading }));
      continue;
    }
    if (!isBelow) heading = headingAfter(judgement, heading);
    judged.push(judgement);
  }
  return { judged: resolveLevels(judged), places: found.all() };
}

const isPlaceLevel = (level: AskedPlace['level']): level is PlaceLevel =>
  level === 'okrug' || level === 'settlement';

/** Parses the cell of a row that is a place below the districts; undefined for a region, a district or a total of them. */
function cellOf({ name, district, level }: AskedPlace): PlaceCell | undefined {
  if (isPlaceLevel(level)) return readPlace(name);
  if (level) return undefined;
  if (!district?.trim()) {
    const cell = readPlace(name);
    return cell.above !== undefined && cell.level === 'okrug' ? cell : undefined;
  }
  const cell = readPlace(name);
  const { parts } = readSpelling(name);
  const isUpper = parts.some(({ kind }) => kind === 'region' || kind === 'district');
  return isUpper && cell.level !== 'okrug' ? undefined : cell;
}

function headingOf({ units }: Index, code: string | undefined): string | undefined {
  return units.units.get(code ?? '')?.level === 'district' ? code : undefined;
}

/** A district heads the rows below it until another unit, or a row that may be one. */
function headingAfter(
  { status, reason, candidates }: Judgement,
  before: string | undefined,
): string | undefined {
  const quiet: readonly Reason[] = ['total', 'country', 'empty'];
  if (status === 'none') return quiet.includes(reason) ? before : undefined;
  const [first] = candidates;
  const isSure = status === 'exact' || status === 'likely';
  return isSure && first?.unit.level === 'district' ? first.unit.kato : undefined;
}

interface Scope {
  /** Codes of the units that a text may mean. */
  readonly codes: readonly string[];
  readonly isSure: boolean;
}

type Scopes = ReturnType<typeof createScopes>;

/** Creates the search for the districts of rows, each of which is found once. */
function createScopes({ districts, places }: Index) {
  const known = new Map<string, Scope>();
  const named = new Map<string, Place>();
  return {
    of(district: string, region: string | null | undefined): Scope {
      const key = JSON.stringify([district, region]);
      const scope = known.get(key) ?? scopeOf(district, region);
      known.set(key, scope);
      return scope;
    },
    /** Keeps places for the list of those to which rows can be corrected. */
    add(found: readonly Place[]): void {
      for (const place of found) named.set(place.kato, place);
    },
    all: (): readonly Place[] =>
      [...named.values()].toSorted((one, other) => (one.kato < other.kato ? -1 : 1)),
  };

  function scopeOf(district: string, region: string | null | undefined): Scope {
    const code = /^\s*(\d{6})000\s*$/.exec(district)?.[1];
    const parent = code === undefined ? undefined : `${code.slice(0, 4)}00000`;
    // The code of a rural district: its settlements.
    if (
      code !== undefined &&
      parent !== undefined &&
      !districts.units.has(`${code}000`) &&
      places.placeOf(parent, `${code}000`)
    )
      return { codes: [`${code}000`], isSure: true };
    const { status, candidates } = judgeName(districts, { name: district, region, level: 'district' }, false);
    const codes = candidates.map(({ unit }) => unit.kato);
    return { codes, isSure: (status === 'exact' || status === 'likely') && codes.length === 1 };
  }
}

interface Asked {
  readonly row: AskedPlace;
  readonly cell: PlaceCell;
  /** Code of the district above the row. */
  readonly heading: string | undefined;
}

function judgePlace({ places, units }: Index, scopes: Scopes, { row, cell, heading }: Asked): PlaceJudgement {
  const named = row.district?.trim() || cell.above;
  const scope = named
    ? scopes.of(named, row.region)
    : { codes: heading === undefined ? [] : [heading], isSure: heading !== undefined };
  const level = isPlaceLevel(row.level) ? row.level : undefined;
  for (const code of scope.codes) scopes.add(places.placesIn(code, level ?? cell.level ?? 'okrug'));
  if (cell.code !== undefined) return judgeCode(places, scope, cell);
  const spelling = readSpelling(row.name);
  if (spelling.parts.length === 0 && (spelling.isTotal || cell.key === ''))
    return judgeNameless(units, spelling, scope);
  if (scope.codes.length === 0) return none(named ? 'district_unknown' : 'no_district');
  const { places: found, by, ofOtherKind } = places.find(scope.codes, cell, level);
  scopes.add([...found, ...ofOtherKind]);
  const [only, other] = found;
  if (only === undefined)
    return ofOtherKind.length === 0
      ? none('unknown')
      : asking(ofOtherKind, by === 'near' ? 'similar' : 'other_kind');
  if (by === 'near') return asking(found, 'similar');
  if (other !== undefined) return { ...asking(found, 'several'), isOpen: true };
  if (!scope.isSure) return asking(found, 'district_unknown');
  const reason = named === undefined ? 'rows_around' : by;
  const confidence = named === undefined ? confidences.total : confidences[by];
  const status = by === 'name' && named !== undefined ? 'exact' : 'likely';
  return { ...none(reason), status, candidates: [{ unit: only, confidence }] };
}

/** A code decides for itself, unless it lies in another district than the row or has another name than the cell. */
function judgeCode(places: Places, { codes }: Scope, cell: PlaceCell): PlaceJudgement {
  const code = cell.code ?? '';
  const within = codes.length > 0 ? codes : [`${code.slice(0, 4)}00000`, `${code.slice(0, 2)}0000000`];
  const place = within.map((each) => places.placeOf(each, code)).find((each) => each !== undefined);
  if (place === undefined) return none('unknown');
  const isNamed = cell.key !== '';
  const named = isNamed ? places.find(within, cell, undefined) : undefined;
  const hasName =
    named === undefined || [...named.places, ...named.ofOtherKind].some(({ kato }) => kato === code);
  if (!hasName) return asking([place, ...(named?.places ?? [])], 'code_and_name');
  return { ...none('code'), status: 'exact', candidates: [{ unit: place, confidence: confidences.name }] };
}

/** «Всего» beside the name of a district is the district itself. */
function judgeNameless(
  { units }: NameIndex,
  { isTotal, isCountry }: Spelling,
  { codes, isSure }: Scope,
): PlaceJudgement {
  if (isCountry) return none('country');
  if (!isTotal) return none('empty');
  const unit = units.get(codes[0] ?? '');
  if (unit === undefined || !isSure) return none('total');
  const candidates = [{ unit, confidence: confidences.total }];
  return { ...none('total'), status: 'likely', reason: 'region', remark: 'total_of_unit', candidates };
}

function asking(places: readonly Place[], reason: Reason): PlaceJudgement {
  const confidence = reason === 'several' ? 0.9 / places.length : confidences.misfit;
  return { ...none(reason), status: 'doubtful', candidates: places.map((unit) => ({ unit, confidence })) };
}

/** A name of a rural district and of its village is that of the level that all other rows have. */
function resolveLevels(judged: readonly PlaceJudgement[]): readonly PlaceJudgement[] {
  const counts = { okrug: 0, settlement: 0 };
  const levelOf = (unit: { readonly kato: string }): PlaceLevel | undefined =>
    'level' in unit && (unit.level === 'okrug' || unit.level === 'settlement') ? unit.level : undefined;
  for (const { status, candidates } of judged) {
    const [first] = candidates;
    const level = status === 'exact' || status === 'likely' ? first && levelOf(first.unit) : undefined;
    if (level !== undefined) counts[level] += 1;
  }
  const { okrug, settlement } = counts;
  const common =
    okrug >= enough && settlement === 0
      ? 'okrug'
      : settlement >= enough && okrug === 0
        ? 'settlement'
        : undefined;
  if (common === undefined) return judged;
  return judged.map((judgement) => {
    if (!judgement.isOpen) return judgement;
    const [only, other] = judgement.candidates.filter(({ unit }) => levelOf(unit) === common);
    if (only === undefined || other !== undefined) return judgement;
    return { ...none('level'), status: 'likely', candidates: [{ ...only, confidence: confidences.total }] };
  });
}
