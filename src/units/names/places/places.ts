import { type ClassifiedUnit, classifier, parentOf } from '../../classifier/classifier.ts';
import { distanceBetween } from '../near-sounds.ts';
import {
  type PlaceCell,
  type PlaceKind,
  type PlaceLevel,
  type PlaceName,
  readPlace,
} from './place-spelling.ts';

/** A unit below the districts. */
export interface Place {
  readonly kato: string;
  readonly level: PlaceLevel;
  readonly name: string;
  readonly name_kk: string | null;
  readonly name_en: string | null;
  /** Code of the unit above. */
  readonly parent: string | null;
}

/** A unit below the districts that the service stores with its border. */
export type StoredPlace = Omit<Place, 'parent'>;

/** Places with a name, and how the name was found. */
export interface PlaceHits {
  readonly places: readonly Place[];
  readonly by: 'name' | 'sound' | 'near';
}

export type Places = ReturnType<typeof createPlaces>;

/** A place whose names are parsed when they are first compared: most tables need those of a few districts and of one level. */
interface Known extends Place {
  readonly read: () => { readonly names: readonly PlaceName[]; readonly kind: PlaceKind };
}

/** Names of different sounds that are compared letter by letter, and the differences that may be a slip. */
const [shortest, long] = [5, 9];

/** Creates the search for names of places within units, of the classifier and of those that the service stores. */
export function createPlaces(stored: readonly StoredPlace[]) {
  const own = Map.groupBy(stored, ({ kato }) => parentOf(kato));
  const added = new Map(stored.map((unit) => [unit.kato, unit]));
  const known = new Map<string, readonly Known[]>();

  /** The places directly within a unit, and those within them. */
  function within(kato: string): readonly Known[] {
    const found = known.get(kato) ?? read(kato);
    known.set(kato, found);
    return found;
  }

  function read(kato: string): readonly Known[] {
    const { units, childrenOf } = classifier();
    const listed = childrenOf(kato).flatMap((unit) => (isPlace(unit) ? [unit] : []));
    const others = (own.get(kato) ?? []).flatMap((unit) =>
      units.get(unit.kato)?.level === unit.level ? [] : [{ ...unit, parent: kato }],
    );
    return [...listed, ...others].flatMap((unit) => [toKnown(unit), ...within(unit.kato)]);
  }

  function toKnown(unit: Place): Known {
    let parsed: ReturnType<Known['read']> | undefined;
    return { ...unit, read: () => (parsed ??= parse(unit)) };
  }

  function parse(unit: Place): ReturnType<Known['read']> {
    const also = added.get(unit.kato);
    const texts = [unit.name, unit.name_kk, unit.name_en, also?.name, also?.name_kk, also?.name_en];
    const names = [...new Set(texts.flatMap((text) => text ?? []))].map(readPlace);
    const kind = names.find((name) => name.kind !== undefined)?.kind;
    return { names, kind: kind ?? (unit.level === 'okrug' ? 'rural' : 'village') };
  }

  return {
    /** Returns the places of a level within a unit, by code. */
    placesIn: (kato: string, level: PlaceLevel): readonly Place[] =>
      within(kato).filter((each) => each.level === level),
    /** Returns a place with a code that lies in a unit. */
    placeOf: (kato: string, code: string): Place | undefined =>
      within(kato).find((each) => each.kato === code),
    /**
     * Finds the places in units that have the name of a cell: with the same letters, else with the same sound, else with a letter or two
     * more, fewer or different. Those of another kind than the word beside the name says come apart.
     */
    find(
      codes: readonly string[],
      cell: PlaceCell,
      level: PlaceLevel | undefined,
    ): PlaceHits & { readonly ofOtherKind: readonly Place[] } {
      const wanted = level ?? cell.level;
      const all = codes
        .flatMap((code) => within(code))
        .filter((each) => wanted === undefined || each.level === wanted);
      const same = all.filter((each) => each.read().names.some(({ key }) => key === cell.key));
      const sounding = all.filter((each) =>
        each.read().names.some((name) => soundsLike(name, cell, each.level)),
      );
      if (sounding.length > 0) {
        const hits = split(sounding, cell, 'sound');
        const [only, other] = hits.places;
        // Letters decide nothing between places of one sound: tables replace Kazakh letters by Russian ones.
        return other === undefined && only !== undefined && same.includes(only)
          ? { ...hits, by: 'name' }
          : hits;
      }
      return split(
        all.filter((each) => each.read().names.some((name) => isNear(name.sound, cell.sound))),
        cell,
        'near',
      );
    },
  };
}

function isPlace(unit: ClassifiedUnit): unit is ClassifiedUnit & Place {
  return unit.level === 'okrug' || unit.level === 'settlement';
}

function split(found: readonly Known[], { kind }: PlaceCell, by: PlaceHits['by']) {
  const places: readonly Known[] = found.filter((each) => kind === undefined || each.read().kind === kind);
  return { places, by, ofOtherKind: found.filter((each) => !places.includes(each)) };
}

const adjective = /sk~$/;
const stemOf = (sound: string): string => sound.replace(adjective, '');

/** «Карасу» and «Карасуский» are one rural district in lists of either language; so are «Сакен Сейфуллин» and «С. Сейфуллин». */
function soundsLike(name: PlaceName, cell: PlaceName, level: PlaceLevel): boolean {
  if (name.sound === cell.sound) return true;
  if (name.initialed !== undefined && (name.initialed === cell.sound || name.initialed === cell.initialed)) {
    const areBothWhole = name.initialed === cell.initialed && !isInitial(name, cell);
    if (!areBothWhole) return true;
  }
  return level === 'okrug' && stemOf(name.sound) === stemOf(cell.sound);
}

/** Returns true if one of two names has an initial in the place of a first name. */
const isInitial = (name: PlaceName, cell: PlaceName): boolean =>
  name.sound === name.initialed || cell.sound === cell.initialed;

function isNear(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length);
  if (length < shortest || Math.abs(one.length - other.length) > 2) return false;
  return distanceBetween(one, other) <= (length < long ? 1 : 2);
}
