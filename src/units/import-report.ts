import type { UnitLevel } from '../../common/maps/units/levels.ts';
import { republicCode, unitLevels } from '../../common/maps/units/levels.ts';
import type { Database } from '../database/tables/tables.ts';
import { classifier, parentOf } from './classifier/classifier.ts';
import { type DistrictLevels, isFormerUnit, readLevels, removedBy, type Replacement } from './change.ts';
import type { DistrictRow } from './rows.ts';
import { type Cover, createCover } from './cover.ts';

/** A unit above, beside its units of a level. */
export interface MeasuredCover extends Cover {
  readonly kato: string;
  readonly name: string;
}

/** Findings about the given units of a level, as on a map. */
export interface LevelReport {
  readonly level: UnitLevel;
  /** Number of units that are given. */
  readonly given: number;
  /** Units of the classifier on this level: those with borders after the import, and all. */
  readonly bordered: number;
  readonly classified: number;
  /** Given codes that the classifier lacks. */
  readonly unknownCodes: readonly string[];
  /** Given codes that the classifier has on another level. */
  readonly otherLevel: readonly string[];
  /** Given codes of units that have had another level in the service. */
  readonly moved: readonly string[];
  /** Given units without a border above them, which are not measured. */
  readonly unmeasured: number;
  /** The units above, by code. */
  readonly covers: readonly MeasuredCover[];
}

interface Given {
  readonly levels: DistrictLevels;
  batches(): AsyncIterable<readonly DistrictRow[]>;
}

/** Compares given units with the classifier and with the borders above them, as all will be after the import. */
export async function reportOnImport(
  db: Database,
  given: Given,
  replacement: Replacement,
): Promise<readonly LevelReport[]> {
  const before = await readLevels(db);
  const removed = new Set(removedBy(before, given.levels, replacement));
  const after = new Map([...before, ...given.levels].filter(([code]) => !removed.has(code)));
  const aboveOf = (code: string) => borderAbove(code, after);
  const reports: LevelReport[] = [];
  for (const level of unitLevels) {
    const codes = [...given.levels].flatMap(([code, each]) => (each === level ? [code] : []));
    if (codes.length === 0) continue;
    const { units } = classifier();
    const above = new Set(codes.flatMap((code) => aboveOf(code) ?? []));
    reports.push({
      level,
      given: codes.length,
      bordered: [...after].filter(([code, each]) => each === level && units.get(code)?.level === level)
        .length,
      classified: [...units.values()].filter((unit) => unit.level === level).length,
      unknownCodes: codes.filter((code) => !units.has(code)),
      otherLevel: codes.filter((code) => units.has(code) && units.get(code)?.level !== level),
      moved: codes.filter((code) => (before.get(code) ?? level) !== level),
      unmeasured: codes.filter((code) => aboveOf(code) === undefined).length,
      covers: await measure(db, given, { above, level, aboveOf, after }),
    });
  }
  return reports;
}

/** Returns the code of the nearest unit above that has a border. */
function borderAbove(code: string, after: ReadonlyMap<string, UnitLevel>): string | undefined {
  const level = after.get(code);
  for (let above = parentOf(code); above !== null; above = parentOf(above)) {
    if (above !== code && after.has(above) && after.get(above) !== level) return above;
    if (above === republicCode) return undefined;
  }
  return undefined;
}

interface Measuring {
  readonly above: ReadonlySet<string>;
  readonly level: UnitLevel;
  readonly aboveOf: (code: string) => string | undefined;
  readonly after: ReadonlyMap<string, UnitLevel>;
}

const codesPerRead = 50;

async function measure(
  db: Database,
  { levels, batches }: Given,
  { above, level, aboveOf, after }: Measuring,
): Promise<readonly MeasuredCover[]> {
  const covers = new Map<string, ReturnType<typeof createCover> & { readonly name: string }>();
  const begin = (code: string, name: string, geometry: string) =>
    covers.set(code, { ...createCover(geometry), name });
  await readStored(
    db,
    [...above].filter((code) => !levels.has(code)),
    begin,
  );
  if ([...above].some((code) => levels.has(code)))
    for await (const batch of batches())
      for (const unit of batch)
        if (above.has(unit.kato_code) && !isFormerUnit(unit)) begin(unit.kato_code, unit.name, unit.geometry);
  for await (const batch of batches())
    for (const unit of batch)
      if (levels.get(unit.kato_code) === level && !isFormerUnit(unit))
        covers.get(aboveOf(unit.kato_code) ?? '')?.add(unit.geometry);
  const others = [...after].flatMap(([code, each]) =>
    each === level && !levels.has(code) && above.has(aboveOf(code) ?? '') ? [code] : [],
  );
  await readStored(db, others, (code, _, geometry) => covers.get(aboveOf(code) ?? '')?.add(geometry));
  return [...covers]
    .map(([kato, { name, result }]) => ({ kato, name, ...result() }))
    .toSorted((one, other) => (one.kato < other.kato ? -1 : 1));
}

/** Reads stored units a few at a time: one may have megabytes. */
async function readStored(
  db: Database,
  codes: readonly string[],
  take: (code: string, name: string, geometry: string) => void,
): Promise<void> {
  for (let from = 0; from < codes.length; from += codesPerRead) {
    const rows = await db
      .selectFrom('districts')
      .select(['kato_code', 'name', 'geometry'])
      .where('kato_code', 'in', codes.slice(from, from + codesPerRead))
      .execute();
    for (const { kato_code: code, name, geometry } of rows) take(code, name, geometry);
  }
}
