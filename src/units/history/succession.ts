/** How one unit became another. A recode or a rename leaves the land as it was. */
export type ChangeKind = 'recode' | 'rename' | 'split' | 'merge' | 'border';

export type UnitLevel = 'region' | 'district';

export interface Act {
  readonly kind: 'decree' | 'decision';
  readonly number: string | null;
  readonly signed: string | null;
  readonly date: string;
  /** What `date` is: the day of entry into force, publication or signature; or about that day. */
  readonly date_is: 'force' | 'published' | 'signed' | 'about';
  readonly source: string;
  readonly note?: string | undefined;
}

/** A unit as it was: from a day, or from before anything is known, until the first day on which it was another. */
export interface FormerUnit {
  readonly kato: string;
  readonly level: UnitLevel;
  readonly name: string;
  readonly name_kk: string | null;
  readonly name_en: string | null;
  readonly valid_from: string | null;
  readonly valid_to: string;
}

/** On `date` the unit that had the code `from` became, or gave land to, the one with the code `to`. */
export interface Change {
  readonly kind: ChangeKind;
  readonly date: string;
  readonly from: string;
  /** Null where its code is not known. */
  readonly to: string | null;
  readonly to_name: string | null;
  /** The share of the land of `from`, 0 to 1; null where it is not known. */
  readonly share_area: number | null;
  readonly act: Act;
}

export interface UnitHistory {
  readonly former: readonly FormerUnit[];
  readonly changes: readonly Change[];
}

/** A unit of today that came of an earlier one. */
export interface Successor {
  /** Null where its code is not known. */
  readonly kato: string | null;
  /** What it was called when it began, where its code is not known. */
  readonly name: string | null;
  /** The changes that lie between, in the order of time. */
  readonly changes: readonly Change[];
  /** It is the same land: nothing but recodes and renames lie between. */
  readonly isSame: boolean;
  /** The share of the land of the earlier unit, 0 to 1; null where it is not known. */
  readonly shareArea: number | null;
}

export const keepsLand = ({ kind }: Pick<Change, 'kind'>): boolean => kind === 'recode' || kind === 'rename';

export type Succession = ReturnType<typeof createSuccession>;

/** Follows changes of units. A unit is known by its code and the day on which it ended; units of today have not ended. */
export function createSuccession({ former, changes }: UnitHistory) {
  const versions = Map.groupBy(
    former.toSorted((one, other) => (one.valid_to < other.valid_to ? -1 : 1)),
    ({ kato }) => kato,
  );
  const ended = Map.groupBy(changes, ({ from, date }) => `${from} ${date}`);
  const begun = Map.groupBy(changes, ({ to, date }) => `${to} ${date}`);
  /** No unit of today has the code. */
  function isRetired(code: string): boolean {
    const last = versions.get(code)?.at(-1)?.valid_to;
    return last !== undefined && !changes.some(({ to, date }) => to === code && date >= last);
  }

  /** The unit of before that had a code on a day; undefined where it is one of today. */
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
    /** As `successorsOf` of the curated file. */
    successorsOf(code: string, at?: string): readonly Successor[] {
      const unit =
        at !== undefined ? versionAt(code, at) : isRetired(code) ? versions.get(code)?.at(-1) : undefined;
      return follow(code, unit?.valid_to, []);
    },
    isRetired,
    versionAt,
    /** The changes with which a unit ended. */
    changesFrom: (code: string, day: string): readonly Change[] => ended.get(`${code} ${day}`) ?? [],
    /** The changes with which a unit began. */
    changesTo: (code: string, day: string): readonly Change[] => begun.get(`${code} ${day}`) ?? [],
    /** The last changes that led to a code, before a day where one is given. */
    lastChangesTo(code: string, until: string | undefined): readonly Change[] {
      const earlier = changes.filter(({ to, date }) => to === code && (until === undefined || date < until));
      const last = earlier.reduce((day, { date }) => (date > day ? date : day), '');
      return earlier.filter(({ date }) => date === last);
    },
    /** All codes that changes led from or to. */
    codes: new Set(changes.flatMap(({ from, to }) => [from, ...(to === null ? [] : [to])])),
    /** All units that had a code, the oldest first. */
    versionsOf: (code: string): readonly FormerUnit[] => versions.get(code) ?? [],
  };
}
