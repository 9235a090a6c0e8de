import type { DistrictMatches } from '../../service/types.ts';
import type { NamedRow } from './match-names.ts';

export type Match = DistrictMatches['matches'][number];
export type MatchedUnit = DistrictMatches['units'][number];

/** Rows with the same name and the same result: they are corrected together. */
export interface Place extends NamedRow {
  readonly match: Match;
  /** Indices of the rows in the table, from 0. */
  readonly rows: readonly number[];
}

/** Places that need a decision, certain ones, and those without a unit. */
export interface Sorted {
  /** Places with several units or no known one: kinds of doubt with the most rows first, then in the order of the table. */
  readonly questions: readonly Place[];
  readonly likely: readonly Place[];
  readonly certain: readonly Place[];
  /** Totals, the country, villages and empty cells, which need no unit. */
  readonly others: readonly Place[];
}

/** The chosen unit of a place: null for none; places without a choice have the unit that was found. */
export type Choices = ReadonlyMap<Place, string | null>;

const quiet: readonly Match['reason'][] = ['total', 'country', 'below_district', 'empty'];

/** Groups equal rows. */
export function placesOf(rows: readonly NamedRow[], matches: readonly Match[]): readonly Place[] {
  const places = new Map<string, { readonly place: Place; readonly rows: number[] }>();
  for (const [at, match] of matches.entries()) {
    const row = rows[at];
    if (row === undefined) break;
    const found = match.candidates.map(({ kato }) => kato);
    const named = [row.name.trim(), row.region?.trim(), row.district?.trim()];
    const key = JSON.stringify([named, match.status, match.reason, found]);
    const known = places.get(key);
    if (known === undefined) {
      const numbers = [at];
      places.set(key, { place: { ...row, match, rows: numbers }, rows: numbers });
    } else known.rows.push(at);
  }
  return Array.from(places.values(), ({ place }) => place);
}

export function sortPlaces(places: readonly Place[]): Sorted {
  const isBackground = ({ match }: Place): boolean => match.status === 'none' && quiet.includes(match.reason);
  const isOpen = ({ match: { status } }: Place): boolean => status === 'doubtful' || status === 'none';
  const open = places.filter((place) => isOpen(place) && !isBackground(place));
  return {
    // Questions with candidates come first, since they are answered quickly.
    questions: open.toSorted((one, other) => rank(one) - rank(other)),
    likely: places.filter(({ match }) => match.status === 'likely'),
    certain: places.filter(({ match }) => match.status === 'exact'),
    others: places.filter(isBackground),
  };
}

const rank = ({ match: { status } }: Place): number => (status === 'doubtful' ? 0 : 1);

/** The unit of a place; undefined while a question has no answer. */
export function unitOf(place: Place, choices: Choices): string | null | undefined {
  const chosen = choices.get(place);
  if (chosen !== undefined) return chosen;
  return place.match.status === 'doubtful' ? undefined : place.match.kato;
}

export interface Codes {
  /** Code of each row; null if it is not a unit, or its question is open. */
  readonly codes: readonly (string | null)[];
  /** Number of rows whose question is open. */
  readonly openRows: number;
}

/** Returns the code of each row of a table. */
export function codesOf(places: readonly Place[], choices: Choices, rowCount: number): Codes {
  const codes: (string | null)[] = Array.from({ length: rowCount }, () => null);
  let openRows = 0;
  for (const place of places) {
    const unit = unitOf(place, choices);
    if (unit === undefined) openRows += place.rows.length;
    for (const row of place.rows) codes[row] = unit ?? null;
  }
  return { codes, openRows };
}

/** A region with its units, itself first, as people look for a unit. */
export interface RegionUnits {
  readonly region: string;
  readonly units: readonly MatchedUnit[];
}

/** Units by region, all in the order of their codes. */
export function byRegion(units: readonly MatchedUnit[]): readonly RegionUnits[] {
  const groups = Map.groupBy(units, ({ kato }) => kato.slice(0, 2));
  return Array.from(groups, ([region, all]) => ({
    region,
    units: all.toSorted((one, other) => levelRank(one) - levelRank(other)),
  }));
}

const levelRank = ({ level }: MatchedUnit): number =>
  ['region', 'district', 'okrug', 'settlement'].indexOf(level);
