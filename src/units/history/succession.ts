import type { UnitLevel } from '../../../common/maps/units/levels.ts';

/** Kind of change of a unit. A recode or a rename leaves the land unchanged. */
export type ChangeKind = 'recode' | 'rename' | 'split' | 'merge' | 'border';

export interface Act {
  readonly kind: 'decree' | 'decision';
  readonly number: string | null;
  readonly signed: string | null;
  readonly date: string;
  /** Meaning of `date`: day of entry into force, publication or signature; or about that day. */
  readonly date_is: 'force' | 'published' | 'signed' | 'about';
  readonly source: string;
  readonly note?: string | undefined;
}

/** A former unit: from a day, or from before the known history, until the first day on which it was another. */
export interface FormerUnit {
  readonly kato: string;
  readonly level: UnitLevel;
  readonly name: string;
  readonly name_kk: string | null;
  readonly name_en: string | null;
  readonly valid_from: string | null;
  readonly valid_to: string;
}

/** On `date` the unit with the code `from` became the one with the code `to`, or gave land to it. */
export interface Change {
  readonly kind: ChangeKind;
  readonly date: string;
  readonly from: string;
  /** Null if the code is unknown. */
  readonly to: string | null;
  readonly to_name: string | null;
  /** Share of the land of `from`, 0 to 1; null if unknown. */
  readonly share_area: number | null;
  readonly act: Act;
}

export interface UnitHistory {
  readonly former: readonly FormerUnit[];
  readonly changes: readonly Change[];
}

/** A current unit that succeeds an earlier one. */
export interface Successor {
  /** Null if the code is unknown. */
  readonly kato: string | null;
  /** Name when the unit began, if its code is unknown. */
  readonly name: string | null;
  /** The changes in between, in chronological order. */
  readonly changes: readonly Change[];
  /** True for the same land: only recodes and renames lie in between. */
  readonly isSame: boolean;
  /** Share of the land of the earlier unit, 0 to 1; null if unknown. */
  readonly shareArea: number | null;
}

export const keepsLand = ({ kind }: Pick<Change, 'kind'>): boolean => kind === 'recode' || kind === 'rename';

export type Succession = ReturnType<typeof createSuccession>;

/** Follows changes of units. A unit is identified by its code and the day on which it ended; current units have not ended. */
export function createSuccession({ former, changes }: UnitHistory) {
  const versions = Map.groupBy(
    former.toSorted((one, other) => (one.valid_to < other.valid_to ? -1 : 1)),
    ({ kato }) => kato,
  );
  const ended = Map.groupBy(changes, ({ from, date }) => `${from} ${date}`);
  const begun = Map.groupBy(changes, ({ to, date }) => `${to} ${date}`);
  /** Returns true if no current unit has the code. */
  function isRetired(code: string): boolean {
    const last = versions.get(code)?.at(-1)?.valid_to;
    return last !== undefined && !changes.some(({ to, date }) => to === code && date >= last);
  }

  /** Returns the former unit that had a code on a day; undefined for a current unit. */
  function versionAt(code: string, day: string): FormerUnit | undefined {
    return versions.get(code)?.find(({ valid_from: from, valid_to: to }) => day < to && (from ?? '') <= day);
  }

  function follow(code: string, until: string | undefined, path: readonly Change[]): Successor[] {
    const next = until === undefined ? [] : (ended.get(`${code} ${until}`) ?? []);
    if (next.length === 0) {
      const shares = path.map(({ share_area: share }) => share);
      return [
        {
          kato: code,
          name: null,
          changes: path,
          isSame: path.every(keepsLand),
          shareArea: shares.includes(null)
            ? null
            : shares.reduce<number>((all, share) => all * (share ?? 0), 1),
        },
      ];
    }
    return next.flatMap((change) => {
      const further = [...path, change];
      if (change.to === null) {
        const { share_area: shareArea, to_name: name } = change;
        return [{ kato: null, name, changes: further, isSame: false, shareArea }];
      }
      return follow(change.to, versionAt(change.to, change.date)?.valid_to, further);
    });
  }

  return {
    /** Like `successorsOf` of the curated file. */
    successorsOf(code: string, at?: string): readonly Successor[] {
      const unit =
        at !== undefined ? versionAt(code, at) : isRetired(code) ? versions.get(code)?.at(-1) : undefined;
      return follow(code, unit?.valid_to, []);
    },
    isRetired,
    versionAt,
    /** Changes that ended a unit. */
    changesFrom: (code: string, day: string): readonly Change[] => ended.get(`${code} ${day}`) ?? [],
    /** Changes that began a unit. */
    changesTo: (code: string, day: string): readonly Change[] => begun.get(`${code} ${day}`) ?? [],
    /** Returns the last changes that led to a code, optionally before a day. */
    lastChangesTo(code: string, until: string | undefined): readonly Change[] {
      const earlier = changes.filter(({ to, date }) => to === code && (until === undefined || date < until));
      const last = earlier.reduce((day, { date }) => (date > day ? date : day), '');
      return earlier.filter(({ date }) => date === last);
    },
    /** All codes in changes. */
    codes: new Set(changes.flatMap(({ from, to }) => [from, ...(to === null ? [] : [to])])),
    /** All units that had a code, oldest first. */
    versionsOf: (code: string): readonly FormerUnit[] => versions.get(code) ?? [],
  };
}
