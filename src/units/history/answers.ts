import type { z } from 'zod';
import type { Database } from '../../database/tables/tables.ts';
import { inSnapshot } from '../../database/transaction.ts';
import { districtProblems } from '../../messages/service/english.ts';
import type { UnitLevel } from '../../../common/maps/units/levels.ts';
import type { Change, Succession } from './succession.ts';
import { classifier, type ClassifiedUnit, parentOf } from '../classifier/classifier.ts';
import { knownFrom } from './curated.ts';
import { type DistrictHistory, type DistrictList, toAct } from './schema.ts';
import { readSuccession } from './store.ts';
import { type DatedUnit, readUnitsAt } from './units-at.ts';

interface WantedUnits {
  /** Undefined for the current units. */
  readonly at: string | undefined;
  readonly level: UnitLevel | undefined;
  /** Code of a unit that contains the others, at any depth. */
  readonly within: string | undefined;
}

/**
 * Lists the units with borders, current or of a day. Of a level or within a unit, the current ones include those of the classifier that
 * have no borders.
 */
export async function listDistricts(
  db: Database,
  { at, level, within }: WantedUnits,
): Promise<z.infer<typeof DistrictList>> {
  const stored = await inSnapshot(db, async (trx) => await readUnitsAt(trx, { at, level }));
  const isClassified = at === undefined && (level !== undefined || within !== undefined);
  const units = isClassified ? withClassified(stored, level) : stored;
  const inside = units.filter(({ kato }) => within === undefined || classifier().isWithin(kato, within));
  return {
    at: at ?? null,
    known_from: knownFrom,
    data: inside.map((unit) => ({ ...toUnit(unit), parent: parentOf(unit.kato) })),
  };
}

/** Adds the units of the classifier that have no borders on their level. */
function withClassified(stored: readonly DatedUnit[], level: UnitLevel | undefined): readonly DatedUnit[] {
  const known = new Set(stored.map((unit) => `${unit.level} ${unit.kato}`));
  const added = [...classifier().units.values()].filter(
    (unit) => (level === undefined || unit.level === level) && !known.has(`${unit.level} ${unit.kato}`),
  );
  return [...stored, ...added.map(toDatedUnit)].toSorted((one, other) => (one.kato < other.kato ? -1 : 1));
}

/** A unit of the classifier alone: it has no borders, and no changes are known. */
function toDatedUnit({ kato, level, name, name_kk, name_en }: ClassifiedUnit): DatedUnit {
  return { kato, level, name, name_kk, name_en, valid_from: null, valid_to: null, borders: undefined };
}

/** Returns the units that have had a code. @throws {Problem} if there are none */
export async function districtHistory(db: Database, kato: string): Promise<z.infer<typeof DistrictHistory>> {
  return await inSnapshot(db, async (trx) => {
    const succession = await readSuccession(trx);
    const today = await readUnitsAt(trx, { at: undefined, level: undefined });
    const names = new Map(today.map((unit) => [unit.kato, unit.name]));
    const units: DatedUnit[] = [];
    for (const { valid_from: start, valid_to: end } of succession.versionsOf(kato)) {
      // A former unit is found on its first day, or on the day before any known change.
      const at = start ?? (end < knownFrom ? end : knownFrom);
      const found = (await readUnitsAt(trx, { at, level: undefined })).find((unit) => unit.kato === kato);
      if (found?.valid_to === end) units.push(found);
    }
    units.push(...today.filter((unit) => unit.kato === kato));
    const classified = units.length === 0 ? classifier().units.get(kato) : undefined;
    if (classified !== undefined) units.push(toDatedUnit(classified));
    if (units.length === 0) throw districtProblems.notFound();
    const toChange = ({ kind, date, from, to, to_name: toName, share_area, act }: Change) => {
      const later = to === null ? undefined : succession.versionAt(to, date);
      const earlier = succession.versionsOf(from).find(({ valid_to: end }) => end === date);
      return {
        kind,
        date,
        from,
        from_name: earlier?.name ?? null,
        from_name_kk: earlier?.name_kk ?? null,
        from_name_en: earlier?.name_en ?? null,
        to,
        to_name: to === null ? toName : (later?.name ?? names.get(to) ?? null),
        share_area,
        act: toAct(act),
      };
    };
    const before = units.flatMap(({ valid_from: start }) => changesBefore(succession, kato, start));
    const after = units.flatMap(({ valid_to: end }) => changesAfter(succession, kato, end));
    return {
      kato,
      known_from: knownFrom,
      units: units.map(toUnit),
      before: inOrder(before).map(toChange),
      after: inOrder(after).map(toChange),
    };
  });
}

/** Returns all changes that led to a unit and to its predecessors. */
function changesBefore(succession: Succession, code: string, start: string | null): readonly Change[] {
  if (start === null) return [];
  return succession.changesTo(code, start).flatMap((change) => {
    const { from, date } = change;
    const unit = succession.versionsOf(from).find(({ valid_to: end }) => end === date);
    return [...changesBefore(succession, from, unit?.valid_from ?? null), change];
  });
}

function changesAfter(succession: Succession, code: string, end: string | null): readonly Change[] {
  if (end === null) return [];
  return succession.changesFrom(code, end).flatMap((change) => {
    const { to, date } = change;
    const unit = to === null ? undefined : succession.versionAt(to, date);
    return [change, ...(unit === undefined ? [] : changesAfter(succession, unit.kato, unit.valid_to))];
  });
}

/** Sorts changes and removes duplicates: units with one code share the changes between them. */
function inOrder(changes: readonly Change[]): readonly Change[] {
  return [...new Set(changes)].toSorted((one, other) =>
    one.date < other.date ? -1 : one.date > other.date ? 1 : 0,
  );
}

function toUnit({ borders, ...unit }: DatedUnit): z.infer<typeof DistrictHistory>['units'][number] {
  return { ...unit, has_borders: borders !== undefined };
}
