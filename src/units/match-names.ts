import type { z } from 'zod';
import type { Database } from '../database/tables/tables.ts';
import { readDistrictsVersion } from '../database/districts-version.ts';
import { formerNames, successorsOf } from './history/curated.ts';
import { listUnits } from './names/current-units.ts';
import { classifier } from './classifier/classifier.ts';
import { createNameIndex, type StoredUnit, type Unit } from './names/name-index.ts';
import { judgePlaces, type PlaceJudgement } from './names/places/judge-places.ts';
import { createPlaces, type Place } from './names/places/places.ts';
import type { DistrictMatches, DistrictMatchInput } from './names/names-schema.ts';

const maxCandidates = 8;

/** Creates the matcher of names for one process. Its index is built once for each version of the districts. */
export function createNameMatcher(db: Database) {
  let kept: { readonly version: number; readonly index: Promise<Index> } | undefined;

  function indexOf(version: number): Promise<Index> {
    // A version that is read late may be the older one: the newer index serves it.
    if (kept !== undefined && kept.version >= version) return kept.index;
    const index = readIndex(db);
    const made = { version, index };
    kept = made;
    index.catch(() => {
      if (kept === made) kept = undefined; // the next request retries
    });
    return index;
  }

  return async (asked: z.infer<typeof DistrictMatchInput>): Promise<DistrictMatches> => {
    const version = await readDistrictsVersion(db);
    const index = await indexOf(version);
    const { judged, places } = await judgePlaces(index, asked);
    return {
      districts_version: version,
      matches: judged.map(toMatch),
      units: [...Array.from(index.units.units.values(), toUnit), ...places.map(toPlaceUnit)],
    };
  };
}

type Index = Parameters<typeof judgePlaces>[0];

async function readIndex(db: Database): Promise<Index> {
  const stored = await listUnits(db);
  const past = { formerNames, successorsOf };
  const upper = stored.flatMap(({ level, ...unit }) =>
    level === 'region' || level === 'district' ? [{ ...unit, level }] : [],
  );
  const places = stored.flatMap(({ level, ...unit }) =>
    level === 'okrug' || level === 'settlement' ? [{ ...unit, level }] : [],
  );
  return {
    units: createNameIndex(upper, past),
    districts: createNameIndex(districtsAround(upper), past),
    places: createPlaces(places),
  };
}

/** Adds the districts of the classifier that have no borders; a code that is a city there is no district around others. */
export function districtsAround(upper: readonly StoredUnit[]): readonly StoredUnit[] {
  const { units } = classifier();
  const known = upper.filter(({ kato, level }) => (units.get(kato)?.level ?? level) === level);
  const codes = new Set(known.map(({ kato }) => kato));
  const added = [...units.values()].flatMap(({ kato, level, name, name_kk, name_en }) =>
    level === 'district' && !codes.has(kato) ? [{ kato, level, name, name_kk, name_en }] : [],
  );
  return [...known, ...added];
}

/** Fields in the order of the schema, as in every answer. */
function toUnit({ kato, level, kind, name, name_kk, name_en }: Unit): DistrictMatches['units'][number] {
  return { kato, level, kind, name, name_kk, name_en };
}

function toPlaceUnit({
  kato,
  level,
  name,
  name_kk,
  name_en,
  parent,
}: Place): DistrictMatches['units'][number] {
  return { kato, level, kind: level, name, name_kk, name_en, parent };
}

function toMatch({ status, reason, remark, candidates }: PlaceJudgement): DistrictMatches['matches'][number] {
  const [first] = candidates;
  return {
    status,
    kato: status === 'exact' || status === 'likely' ? (first?.unit.kato ?? null) : null,
    candidates: candidates
      .slice(0, maxCandidates)
      .map(({ unit, confidence }) => ({ kato: unit.kato, confidence: Math.round(confidence * 100) / 100 })),
    reason,
    remark,
  };
}
