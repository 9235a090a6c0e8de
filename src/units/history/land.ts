import { type Change, keepsLand, type Succession } from './succession.ts';

/** The code of today under which a unit of before goes on: through changes that keep its land, or its code. */
export function heirOf(kato: string, until: string, succession: Succession): string | undefined {
  const changes = succession.changesFrom(kato, until);
  const next = changes.find((change) => keepsLand(change) || change.to === kato)?.to;
  if (next === undefined || next === null) return undefined;
  const unit = succession.versionAt(next, until);
  return unit === undefined ? next : heirOf(next, unit.valid_to, succession);
}

interface Period {
  readonly start_date: string;
  readonly end_date: string | null;
}

/** A value of a period belongs to the units at its end: figures of a year are published for those. */
export const dayOf = ({ start_date: start, end_date: end }: Period): string => end ?? start;

/** The changes of the land of a unit of today that lie between the dates of a table, the oldest first. */
export function breaksOf(kato: string, dates: readonly Period[], succession: Succession): readonly Change[] {
  const days = dates.map(dayOf);
  return chainOf(kato, succession).filter(
    (change) =>
      !keepsLand(change) &&
      change.from === change.to &&
      days.some((day) => day < change.date) &&
      days.some((day) => change.date <= day),
  );
}

/**
 * Returns since when the unit that goes on from a code has the land of today, YYYY-MM-DD, where that lies between the dates of a
 * table: values before it are of other land. Codes without such a day are left out.
 */
export function landSinceOf(dates: readonly Period[], succession: Succession): ReadonlyMap<string, string> {
  const since = new Map<string, string>();
  for (const code of succession.codes) {
    const until = succession.isRetired(code) ? succession.versionsOf(code).at(-1)?.valid_to : undefined;
    const heir = until === undefined ? code : heirOf(code, until, succession);
    const day = heir === undefined ? undefined : breaksOf(heir, dates, succession).at(-1)?.date;
    if (day !== undefined) since.set(code, day);
  }
  return since;
}

/** The day before which there was no unit of this code or land; undefined where none is known. */
export function beginningOf(kato: string, succession: Succession): string | undefined {
  const [oldest] = chainOf(kato, succession);
  return oldest !== undefined && oldest.from !== oldest.to && !keepsLand(oldest) ? oldest.date : undefined;
}

/** The changes that led to a unit of today one after the other, the oldest first. */
function chainOf(kato: string, succession: Succession): readonly Change[] {
  const chain: Change[] = [];
  let [code, until]: [string, string | undefined] = [kato, undefined];
  for (;;) {
    const changes = succession.lastChangesTo(code, until);
    const change = changes.find((each) => keepsLand(each) || each.from === each.to) ?? changes[0];
    if (change === undefined) return chain;
    chain.unshift(change);
    if (!keepsLand(change) && change.from !== change.to) return chain;
    [code, until] = [change.from, change.date];
  }
}
