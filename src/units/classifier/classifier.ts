import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { z } from 'zod';
import { republicCode, type UnitLevel, unitLevels } from '../../../common/maps/units/levels.ts';

/** A unit of the classifier. */
export interface ClassifiedUnit {
  readonly kato: string;
  readonly level: UnitLevel;
  /** Russian name, with its type: «Карааульский с.о.». */
  readonly name: string;
  readonly name_kk: string;
  readonly name_en: string | null;
  /** Code of the unit above; null for the country. */
  readonly parent: string | null;
}

export type Classifier = ReturnType<typeof createClassifier>;

const Line = z.tuple([z.string().regex(/^\d{9}$/), z.enum(unitLevels), z.string().min(1), z.string().min(1)]);

const republic: ClassifiedUnit = {
  kato: republicCode,
  level: 'republic',
  name: 'Республика Казахстан',
  name_kk: 'Қазақстан Республикасы',
  name_en: 'Republic of Kazakhstan',
  parent: null,
};

let read: Classifier | undefined;

/** Reads the classifier NK RK 11-2025 once: 15,594 units, some megabytes. seeds/classifier has its source and licence. */
export function classifier(): Classifier {
  read ??= createClassifier(readUnits());
  return read;
}

function readUnits(): Omit<ClassifiedUnit, 'parent'>[] {
  const file = new URL('../../../seeds/classifier/units.tsv.br', import.meta.url);
  const lines = brotliDecompressSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [kato, level, name, name_kk] = Line.parse(line.split('\t'));
    return { kato, level, name, name_kk, name_en: null };
  });
}

function createClassifier(listed: readonly Omit<ClassifiedUnit, 'parent'>[]) {
  const levels = new Map(listed.map(({ kato, level }) => [kato, level]));
  const all = [republic, ...listed.map((unit) => ({ ...unit, parent: aboveOf(unit.kato, levels) }))];
  const units: ReadonlyMap<string, ClassifiedUnit> = new Map(all.map((unit) => [unit.kato, unit]));
  const children = Map.groupBy(all, ({ parent }) => parent);
  return {
    /** All units by code, in the order of their codes. */
    units,
    /** Returns the units directly below a unit. */
    childrenOf: (kato: string): readonly ClassifiedUnit[] => children.get(kato) ?? [],
    /** Returns true if a unit lies in another one, at any depth, by the codes of the classifier. */
    isWithin(kato: string, above: string): boolean {
      for (let code = parentIn(units, kato); code !== null; code = parentIn(units, code))
        if (code === above) return true;
      return false;
    },
  };
}

const parentIn = (units: ReadonlyMap<string, ClassifiedUnit>, kato: string): string | null =>
  units.has(kato) ? (units.get(kato)?.parent ?? null) : aboveOf(kato, units);

/** Codes of the units that may lie above one: a code is its unit's two, four or six digits with zeros behind. */
function aboveOf(kato: string, known: { has(code: string): boolean }): string | null {
  if (!/^\d{9}$/.test(kato)) return null;
  const above = [6, 4, 2].map((digits) => kato.slice(0, digits).padEnd(9, '0'));
  return above.find((code) => code !== kato && known.has(code)) ?? republicCode;
}

/** Returns the code of the unit above a unit, by the classifier or else by its digits; null if there is none. */
export function parentOf(kato: string): string | null {
  return parentIn(classifier().units, kato);
}
