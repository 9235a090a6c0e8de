import { isOfUnit, unitOf } from '../areas/by-unit.ts';
import type { Unit } from '../areas/areas-schema.ts';
import { formatDay, formatPeriod } from '../../common/formats/days.ts';
import { formatHectares } from '../../common/formats/hectares.ts';
import { formatNumber } from '../../common/formats/numbers.ts';
import { hectare } from '../../common/table/measure-units.ts';
import { republicCode, type UnitLevel, unitLevels } from '../../common/maps/units/levels.ts';
import type { Message } from '../lib/message.ts';
import { type Language, translate } from '../messages/languages/translate.ts';
import { registerProblems, registerReasons, registerWords } from '../messages/registers/english.ts';
import { classifier } from '../units/classifier/classifier.ts';
import { beginningOf, breaksOf, dayOf } from '../units/history/land.ts';
import type { Succession } from '../units/history/succession.ts';
import { differenceClasses } from './difference-classes.ts';
import type { Reason, RegisterComparison, RegisterRow, Side, SideName } from './schema.ts';
import type { RasterValue, RasterValues, TableValue, TableValues } from './sides.ts';

/** A register with its values. */
export interface ReadSide {
  readonly facts: Side;
  readonly values: TableValues | RasterValues;
}

/** The administrative units that registers refer to. */
export interface KnownUnits {
  /** Current units by code. */
  readonly names: ReadonlyMap<string, Unit>;
  readonly succession: Succession;
  readonly version: number;
}

interface Wanted {
  /** Undefined for the deepest level on which both registers have values. */
  readonly by: UnitLevel | undefined;
  /** The unit to which the comparison is limited. */
  readonly kato: string | undefined;
  readonly language: Language;
}

type Sides = Readonly<Record<SideName, ReadSide>>;
const sideNames = ['a', 'b'] as const satisfies readonly SideName[];

/** Names of hectares in tables, without points and in lower case. */
const hectares = new RegExp(`^(?:${hectare})$`, 'u');

/** Returns a unit of measurement in the form in which two of them are compared. */
function measureOf(unit: string): string {
  const plain = unit
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s.]+/gu, ' ')
    .trim();
  return hectares.test(plain) ? 'ha' : plain;
}

/**
 * Returns the unit of measurement of all compared values. With a factor for one register it is the unit of the other one, with a
 * factor for both it is the hectare.
 * @throws {Problem} `invalid` if the units differ, or one is unknown, and the request has no factor
 */
export function comparedUnit(a: Side, b: Side): string | null {
  if (a.factor !== null && b.factor !== null) return 'ha';
  if (a.factor !== null) return ownUnit(b);
  if (b.factor !== null) return ownUnit(a);
  if (a.unit === null && b.unit === null) return null;
  if (a.unit === null) throw registerProblems.unitUnknown(a.name, 'a_factor');
  if (b.unit === null) throw registerProblems.unitUnknown(b.name, 'b_factor');
  if (measureOf(a.unit) !== measureOf(b.unit)) {
    if (b.kind === 'raster') throw registerProblems.notHectares(a.name, a.unit, 'a_factor');
    if (a.kind === 'raster') throw registerProblems.notHectares(b.name, b.unit, 'b_factor');
    throw registerProblems.unitsDiffer(a.unit, b.unit);
  }
  return ownUnit(a);
}

const ownUnit = ({ unit }: Side): string | null =>
  unit === null ? null : measureOf(unit) === 'ha' ? 'ha' : unit;

/** Compares two registers unit by unit. */
export function compareRegisters(
  sides: Sides,
  units: KnownUnits,
  { by: wanted, kato, language }: Wanted,
): RegisterComparison {
  const unit = comparedUnit(sides.a.facts, sides.b.facts);
  const asker = createAsker(sides, units);
  const levels = levelsOf(sides, asker);
  const by = wanted ?? usualLevel(levels);
  const tables = { a: asker.at('a', by), b: asker.at('b', by) };
  const codes = [...new Set([...tables.a.keys(), ...tables.b.keys()])].toSorted();
  const compared = codes.flatMap((code) => {
    const named = asker.unitOf(code, by);
    if (kato !== undefined && !isOfUnit(named, kato)) return [];
    const [a, b] = [valueOf(sides.a.facts, tables.a.get(code)), valueOf(sides.b.facts, tables.b.get(code))];
    if (a === null && b === null) return [];
    const difference = a === null || b === null ? null : b - a;
    return [
      { named, a, b, difference, share: difference === null || a === null ? null : shareOf(difference, a) },
    ];
  });
  const { classes, indexOf } = differenceClasses(
    compared.flatMap(({ difference }) => difference ?? []),
    { unit: unit === 'ha' ? translate(registerWords.ha, language) : (unit ?? ''), language },
  );
  const reasonsOf = createReasons(sides, units, language);
  const rows = compared
    .map(({ named, ...row }): RegisterRow => ({
      ...named,
      ...row,
      class: indexOf(row.difference ?? (row.b === null ? 'a' : 'b')),
      reasons: reasonsOf.unit(named.kato, { a: tables.a.get(named.kato), b: tables.b.get(named.kato) }),
    }))
    .toSorted(bySize);
  const both = rows.filter(({ difference }) => difference !== null);
  const [sumA, sumB] = [sumOf(both, 'a'), sumOf(both, 'b')];
  const only = (side: SideName) => {
    const own = rows.filter((row) => row.difference === null && row[side] !== null);
    return { units: own.length, value: sumOf(own, side) };
  };
  return {
    by,
    levels,
    unit,
    districts_version: units.version,
    a: sides.a.facts,
    b: sides.b.facts,
    reasons: reasonsOf.whole(by, { a: asker.unknown('a'), b: asker.unknown('b') }),
    classes: [...classes],
    rows,
    total: {
      units: both.length,
      a: sumA,
      b: sumB,
      difference: sumB - sumA,
      share: shareOf(sumB - sumA, sumA),
    },
    only_a: only('a'),
    only_b: only('b'),
  };
}

const shareOf = (difference: number, a: number): number | null => (a === 0 ? null : difference / a);
const sumOf = (rows: readonly RegisterRow[], side: SideName): number =>
  rows.reduce((sum, row) => sum + (row[side] ?? 0), 0);

/** The largest difference first; then units in one register, the greatest value first. */
function bySize(one: RegisterRow, other: RegisterRow): number {
  const isBoth = (row: RegisterRow) => row.difference !== null;
  if (isBoth(one) !== isBoth(other)) return isBoth(one) ? -1 : 1;
  const sizeOf = ({ difference, a, b }: RegisterRow) => Math.abs(difference ?? a ?? b ?? 0);
  return sizeOf(other) - sizeOf(one) || (one.kato < other.kato ? -1 : 1);
}

type UnitValue = TableValue | RasterValue;

/** Significant digits of a product: the factor of a person and the digits of a table have no more. */
const digits = 15;

function valueOf({ factor }: Side, own: UnitValue | undefined): number | null {
  const value = own?.value ?? null;
  return value === null || factor === null ? value : Number((value * factor).toPrecision(digits));
}

/** Creates the finder of the values of a level. */
function createAsker(sides: Sides, { names, succession }: KnownUnits) {
  const known = classifier().units;
  const formerOf = (code: string) => succession.versionsOf(code).at(-1);
  /** The level of a code in a table; undefined for another text. */
  const levelOfCode = (code: string): UnitLevel | undefined =>
    names.get(code)?.level ?? known.get(code)?.level ?? formerOf(code)?.level ?? levelByDigits(code);
  const byLevel = (values: TableValues) => Map.groupBy(values.byCode, ([code]) => levelOfCode(code));
  const grouped = {
    a: sides.a.values.kind === 'table' ? byLevel(sides.a.values) : undefined,
    b: sides.b.values.kind === 'table' ? byLevel(sides.b.values) : undefined,
  };
  return {
    at(side: SideName, level: UnitLevel): ReadonlyMap<string, UnitValue> {
      const { values } = sides[side];
      if (values.kind === 'raster') return values.levels.has(level) ? values.at(level).byCode : new Map();
      return new Map(grouped[side]?.get(level) ?? []);
    },
    /** Returns the codes of a table that no unit has or had. */
    unknown(side: SideName): readonly string[] {
      const { values } = sides[side];
      if (values.kind === 'raster') return [];
      return [...values.byCode.keys()]
        .filter((code) => !names.has(code) && !known.has(code) && formerOf(code) === undefined)
        .toSorted();
    },
    unitOf(code: string, level: UnitLevel): Unit {
      const unit = names.get(code) ?? known.get(code) ?? formerOf(code);
      if (unit === undefined) return unitOf(names, code, level);
      const { name, name_kk, name_en } = unit;
      return { kato: code, name, name_kk, name_en, level };
    },
  };
}

/** Returns the level of a code that no list has, by its zeros. */
function levelByDigits(code: string): UnitLevel | undefined {
  if (!/^\d{9}$/.test(code)) return undefined;
  if (code === republicCode) return 'republic';
  if (code.endsWith('0000000')) return 'region';
  if (code.endsWith('00000')) return 'district';
  return code.endsWith('000') ? 'okrug' : 'settlement';
}

function levelsOf(sides: Sides, asker: ReturnType<typeof createAsker>): RegisterComparison['levels'] {
  return unitLevels.flatMap((level) => {
    const [a, b] = sideNames.map((side) => {
      const withNumber = [...asker.at(side, level)].filter(
        ([, own]) => valueOf(sides[side].facts, own) !== null,
      );
      return new Set(withNumber.map(([code]) => code));
    });
    if (a === undefined || b === undefined || a.size + b.size === 0) return [];
    return [{ level, a: a.size, b: b.size, both: a.intersection(b).size }];
  });
}

/** The deepest level on which both registers have values; without one, the level with most values. */
function usualLevel(levels: RegisterComparison['levels']): UnitLevel {
  const shared = levels.findLast(({ both }) => both > 0);
  const most = levels.toSorted((one, other) => other.a + other.b - (one.a + one.b))[0];
  return (shared ?? most)?.level ?? 'district';
}

/** Less land does not explain a difference in whole hectares. */
const leastHectares = 0.5;
/** The day of borders of today, after every change. */
const today = { start_date: '9999-12-31', end_date: null } as const;

interface Pair {
  readonly a: UnitValue | undefined;
  readonly b: UnitValue | undefined;
}

/** Creates the finder of reasons. */
function createReasons(sides: Sides, { succession, version }: KnownUnits, language: Language) {
  const say = (message: Message) => translate(message, language);
  const ha = (area: number) => formatHectares(area, language);
  const day = (date: string) => formatDay(date, language);
  const reason = (
    code: Reason['code'],
    message: Message,
    { side = null, hectares: area = null, date = null }: Partial<Omit<Reason, 'code' | 'text'>> = {},
  ): Reason => ({ code, side, hectares: area, date, text: say(message) });
  const periodOf = (side: SideName) =>
    sides[side].facts.kind === 'raster' ? today : sides[side].facts.period;

  function ofTable(side: SideName, code: string, own: TableValue | undefined): readonly Reason[] {
    const { period } = sides[side].facts;
    if (own === undefined) {
      const since = succession.codes.has(code) ? beginningOf(code, succession) : undefined;
      const isLater = since !== undefined && period !== null && dayOf(period) < since;
      return [
        reason('not_listed', registerReasons.notListed(side), { side }),
        ...(isLater ? [reason('began', registerReasons.began(side, day(since)), { side, date: since })] : []),
      ];
    }
    const { value, text, from } = own;
    return [
      ...(value === null ? [reason('no_number', registerReasons.noNumber(side, text), { side })] : []),
      ...(from === undefined
        ? []
        : [
            reason('other_code', registerReasons.otherCode(side, from.code, day(from.until)), {
              side,
              date: from.until,
            }),
          ]),
    ];
  }

  function ofRaster(side: SideName, own: RasterValue | undefined): readonly Reason[] {
    if (own === undefined) return [reason('no_borders', registerReasons.noBorders(side), { side })];
    const parts = [
      ['outside_raster', registerReasons.outsideRaster, own.outside],
      ['no_data', registerReasons.noData, own.noData],
      ['not_chosen', registerReasons.notChosen, own.notChosen],
    ] as const;
    return parts.flatMap(([code, words, area]) =>
      area < leastHectares ? [] : [reason(code, words(side, ha(area)), { side, hectares: area })],
    );
  }

  function ofLand(code: string): readonly Reason[] {
    if (!succession.codes.has(code)) return [];
    const ended = succession.isRetired(code) ? succession.versionsOf(code).at(-1)?.valid_to : undefined;
    if (ended !== undefined) {
      const heirs = succession.successorsOf(code).flatMap((successor) => successor.kato ?? []);
      return [
        reason('ended', registerReasons.ended(day(ended), [...new Set(heirs)].toSorted()), { date: ended }),
      ];
    }
    const [a, b] = [periodOf('a'), periodOf('b')];
    if (a === null || b === null) return [];
    return breaksOf(code, [a, b], succession).map(({ date }) =>
      reason('land_changed', registerReasons.landChanged(day(date)), { date }),
    );
  }

  return {
    unit(code: string, pair: Pair): Reason[] {
      const own = sideNames.flatMap((side) => {
        const value = pair[side];
        if (sides[side].values.kind === 'table')
          return ofTable(side, code, value !== undefined && 'text' in value ? value : undefined);
        return ofRaster(side, value !== undefined && 'outside' in value ? value : undefined);
      });
      return [...own, ...ofLand(code)];
    },
    whole(by: UnitLevel, unknown: Readonly<Record<SideName, readonly string[]>>): Reason[] {
      const { a, b } = { a: sides.a.facts, b: sides.b.facts };
      const written = ({ period }: Side) =>
        period && formatPeriod(period.start_date, period.end_date, language);
      const [dateA, dateB] = [written(a), written(b)];
      const dates =
        dateA && dateB && dateA !== dateB ? [reason('dates', registerReasons.dates(dateA, dateB))] : [];
      const own = sideNames.flatMap((side): readonly Reason[] => {
        const { facts, values } = sides[side];
        const left = (facts.classes ?? []).filter((each) => !each.is_chosen);
        const outside = values.kind === 'raster' && values.levels.has(by) ? values.at(by).outsideUnits : 0;
        const { factor, period } = facts;
        return [
          ...(period === null ? [reason('no_date', registerReasons.noDate(side), { side })] : []),
          ...(factor === null
            ? []
            : [
                reason(
                  'factor',
                  registerReasons.factor(side, facts.unit ?? '', formatNumber(factor, language, 12)),
                  { side },
                ),
              ]),
          ...(values.kind === 'raster'
            ? [reason('borders_of_today', registerReasons.bordersOfToday(side, version), { side })]
            : []),
          ...(left.length === 0
            ? []
            : [
                reason(
                  'classes_left',
                  registerReasons.classesLeft(
                    side,
                    left.map(({ title, value }) => title ?? String(value)),
                  ),
                  { side },
                ),
              ]),
          ...(outside < leastHectares
            ? []
            : [
                reason('outside_units', registerReasons.outsideUnits(side, ha(outside)), {
                  side,
                  hectares: outside,
                }),
              ]),
          ...(unknown[side].length === 0
            ? []
            : [reason('unknown_codes', registerReasons.unknownCodes(side, unknown[side]), { side })]),
        ];
      });
      return [...dates, ...own];
    },
  };
}
