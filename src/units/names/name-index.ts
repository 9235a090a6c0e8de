import { otherNames, olderNames, pastSpellings, youngUnits } from './other-names.ts';
import { createNearSounds } from './near-sounds.ts';
import { type Kind, type NamePart, readSpelling } from './spelling.ts';

export type Language = 'ru' | 'kk' | 'en';

/** A stored unit without its borders. */
export interface StoredUnit {
  readonly kato: string;
  readonly level: 'region' | 'district';
  readonly name: string;
  readonly name_kk: string | null;
  readonly name_en: string | null;
}

export interface Unit extends StoredUnit {
  readonly kind: Kind;
  /** First two digits of the code, which a region and its districts share. */
  readonly region: string;
  /** Prefixes of the regions to which its land belonged before. */
  readonly pastRegions: ReadonlySet<string>;
}

/** A former name of units, with the code of its time. */
export interface PastName {
  readonly kato: string;
  readonly name: string;
  readonly name_kk: string | null;
  readonly name_en: string | null;
  /** First day on which the unit had another name, YYYY-MM-DD; undefined if unknown. */
  readonly valid_to?: string | undefined;
}

/** The curated history of units. */
export interface Past {
  formerNames(): readonly PastName[];
  successorsOf(
    code: string,
    at?: string,
  ): readonly { readonly kato: string | null; readonly isSame: boolean }[];
}

/** Units with a name. */
export interface Entry {
  /** One unit; several if the unit of that name was divided; none if the service does not have it. */
  readonly units: readonly Unit[];
  readonly kind: Kind;
  readonly languages: ReadonlySet<Language>;
  readonly isFormer: boolean;
  /** True for a district whose name, without a word such as «район», may be that of a town. */
  readonly isTown: boolean;
}

export interface Hits {
  readonly entries: readonly Entry[];
  /** Kind of match: equal spelling, equal sound, or a difference of one or two letters. */
  readonly by: 'name' | 'sound' | 'near';
  /** Number of different letters. */
  readonly distance: number;
}

export interface NameIndex {
  readonly units: ReadonlyMap<string, Unit>;
  /** Current units that succeed the one with this code, the one with the code today first; `isSame` as in the history. */
  unitsOfCode(
    code: string,
  ): readonly { readonly unit: Unit; readonly isSame: boolean; readonly isPast: boolean }[];
  /** Returns names with the same spelling, then those with the same sound. */
  find(part: NamePart): readonly Hits[];
  /** For names that `find` does not know: names with a similar sound. */
  findNear(part: NamePart): Hits;
}

/** Builds the index of all names of these units, once for each version of them. */
export function createNameIndex(stored: readonly StoredUnit[], past: Past): NameIndex {
  const pastRegions = new Map(stored.map(({ kato }) => [kato, new Set<string>()]));
  const units = new Map(
    stored.map((unit): [string, Unit] => [
      unit.kato,
      {
        ...unit,
        kind: kindOf(unit),
        region: unit.kato.slice(0, 2),
        pastRegions: pastRegions.get(unit.kato) ?? new Set(),
      },
    ]),
  );
  const keys = new Map<string, Entry[]>();
  const sounds = new Map<string, Entry[]>();
  const add = (
    name: string,
    entry: Omit<Entry, 'languages' | 'isTown'>,
    languages: readonly Language[],
  ): void => {
    const [part, other] = readSpelling(name).parts;
    if (part === undefined || other !== undefined) return;
    const isTown = entry.kind === 'district' && part.gender === undefined && !isOfPerson(name, languages);
    const whole = { ...entry, languages: new Set(languages), isTown };
    for (const [names, key] of [
      [keys, part.key],
      [sounds, part.sound],
    ] as const) {
      const known = names.get(key);
      if (known === undefined) names.set(key, [whole]);
      else known.push(whole);
    }
  };

  for (const unit of units.values()) {
    const entry = { units: [unit], kind: unit.kind, isFormer: false };
    for (const [language, name] of namesOf(unit)) add(name, entry, [language]);
    for (const name of listOf(otherNames[unit.kato])) add(name, entry, languagesOf(name, unit));
  }
  for (const unit of units.values())
    for (const name of listOf(olderNames[unit.kato]))
      add(name, { units: [unit], kind: unit.kind, isFormer: true }, languagesOf(name, unit));
  for (const former of past.formerNames()) addFormer(former);
  for (const name of listOf(youngUnits)) {
    const [part] = readSpelling(name).parts;
    if (part !== undefined && !keys.has(part.key))
      add(name, { units: [], kind: 'district', isFormer: false }, []);
  }

  function addFormer(former: PastName): void {
    const { kato, name, valid_to: until } = former;
    const at = until === undefined ? undefined : dayBefore(until);
    const successors = past.successorsOf(kato, at).flatMap(({ kato: code, isSame }) => {
      const unit = code === null ? undefined : units.get(code);
      return unit === undefined ? [] : [{ unit, isSame }];
    });
    const region = kato.slice(0, 2);
    for (const { unit } of successors) if (unit.region !== region) pastRegions.get(unit.kato)?.add(region);
    const level = /^\d{2}0+$/.test(kato) ? 'region' : 'district';
    const kind = kindOf({ ...former, level });
    const entry = { units: successors.map(({ unit }) => unit), kind, isFormer: true };
    for (const each of [...namesOf(former).map(([, text]) => text), ...listOf(pastSpellings[name])]) {
      const [part] = readSpelling(each).parts;
      const known = part === undefined ? [] : (keys.get(part.key) ?? []);
      // A successor with this name today is that unit: names do not decide if the land is the same.
      const isStill = known.some(
        (one) => one.kind === kind && one.units.some((unit) => entry.units.includes(unit)),
      );
      if (!isStill && entry.units.length > 0) add(each, entry, languagesOf(each, { kind, name }));
    }
  }

  const near = createNearSounds([...sounds.keys()]);
  return {
    units,
    unitsOfCode(code) {
      const own = units.get(code);
      const today = own === undefined ? [] : [{ unit: own, isSame: true, isPast: false }];
      const versions = past.formerNames().filter(({ kato }) => kato === code);
      const earlier = versions.flatMap(({ valid_to: until }) =>
        past.successorsOf(code, until === undefined ? undefined : dayBefore(until)).flatMap((successor) => {
          const unit = successor.kato === null ? undefined : units.get(successor.kato);
          return unit === undefined || unit === own ? [] : [{ unit, isSame: successor.isSame, isPast: true }];
        }),
      );
      return [...today, ...earlier];
    },
    find: ({ key, sound, kind, gender }) => {
      const exact = keys.get(key) ?? [];
      const alike = { entries: sounds.get(sound) ?? [], by: 'sound', distance: 0 } as const;
      if (exact.length === 0) return [alike];
      // Without a word for its kind, a name may be that of another unit in a loose spelling: «Костанай» for «Қостанай»
      // is the region as well. So may the name of a district of a city: «район Есиль». Abbreviations sound too similar.
      const isLoose = ((kind ?? gender) === undefined && key.length > 3) || exact.every(isWithinCity);
      return isLoose ? [{ ...alike, by: 'name' }] : [{ entries: exact, by: 'name', distance: 0 }, alike];
    },
    findNear: ({ sound }) => {
      const { distance, found } = near(sound);
      return { entries: found.flatMap((each) => sounds.get(each) ?? []), by: 'near', distance };
    },
  };
}

const isWithinCity = ({ units }: Entry): boolean =>
  units.every(({ level, region }) => level === 'district' && Number(region) >= firstCapital);

function namesOf(unit: Pick<StoredUnit, 'name' | 'name_kk' | 'name_en'>): [Language, string][] {
  const names: [Language, string | null][] = [
    ['ru', unit.name],
    ['kk', unit.name_kk],
    ['en', unit.name_en],
  ];
  return names.flatMap(([language, name]): [Language, string][] => (name === null ? [] : [[language, name]]));
}

const listOf = (names: string | undefined): string[] =>
  (names ?? '').split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));

/** A Russian district name is an adjective unless the district is named after a person; these exceptions are nouns. */
const russianNouns = /^(?:Аксуат|Алтай|Самар|Есиль|Нура|Алматы|Сарыарка|Байконыр|Туран)$/;
/** A Russian name that is not an adjective is a person's name, except for these. */
const isOfPerson = (name: string, languages: readonly Language[]): boolean =>
  languages.includes('ru') && !russianNouns.test(name);
const isAdjective = (name: string): boolean => readSpelling(name).parts[0]?.gender !== undefined;

/** Returns the languages in which lists use this name for a unit: «Талгар» is the district in Kazakh, and its town in Russian. */
function languagesOf(name: string, unit: Pick<Unit, 'kind' | 'name'>): readonly Language[] {
  if (/\p{Script=Latin}/u.test(name)) return ['en', 'kk'];
  if (/[әғқңөұүһі]/i.test(name)) return ['kk'];
  const isTown = unit.kind === 'district' && isAdjective(unit.name) && !isAdjective(name);
  return isTown && !russianNouns.test(name) ? ['kk'] : ['ru'];
}

/** First code prefix of cities with the rank of a region, and first number of districts within a region; cities have lower numbers. */
const firstCapital = 70;
const firstDistrict = 32;

/** Returns the kind of a unit from its names, otherwise from the digits of its code. */
function kindOf(unit: StoredUnit): Kind {
  const parts = namesOf(unit).flatMap(([, name]) => readSpelling(name).parts);
  const said =
    parts.find(({ kind }) => kind !== undefined)?.kind ?? parts.find(({ gender }) => gender)?.gender;
  const first = Number(unit.kato.slice(0, 2));
  if (unit.level === 'region') return said ?? (first >= firstCapital ? 'city' : 'region');
  if (said !== undefined) return said;
  return first < firstCapital && Number(unit.kato.slice(2, 4)) < firstDistrict ? 'city' : 'district';
}

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}
