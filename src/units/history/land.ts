import { type Change, keepsLand, type Succession } from './succession.ts';

/** Returns the current code of the successor of a former unit, through changes that keep its land or its code. */
export function currentSuccessorOf(kato: string, until: string, succession: Succession): string | undefined {
  const changes = succession.changesFrom(kato, until);
  const next = changes.find((change) => keepsLand(change) || change.to === kato)?.to;
  if (next === undefined || next === null) return undefined;
  const unit = succession.versionAt(next, until);
  return unit === undefined ? next : currentSuccessorOf(next, unit.valid_to, succession);
}

interface Period {
  readonly start_date: string;
  readonly end_date: string | null;
}

/** Returns the day whose units a value refers to: the end of its period, because annual figures are published for those units. */
export const dayOf = ({ start_date: start, end_date: end }: Period): string => end ?? start;

/** Returns the changes of the land of a current unit between the dates of a table, oldest first. */
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
 * Returns, by code, the day since which the succeeding unit has its present land, YYYY-MM-DD, if that day lies between
 * the dates of a table: earlier values refer to other land. Codes without such a day are omitted.
 */
export function landSinceOf(dates: readonly Period[], succession: Succession): ReadonlyMap<string, string> {
  const since = new Map<string, string>();
  for (const code of succession.codes) {
    const until = succession.isRetired(code) ? succession.versionsOf(code).at(-1)?.valid_to : undefined;
    const current = until === undefined ? code : currentSuccessorOf(code, until, succession);
    const day = current === undefined ? undefined : breaksOf(current, dates, succession).at(-1)?.date;
    if (day !== undefined) since.set(code, day);
  }
  return since;
}

/** Returns the day before which no unit with this code or land existed; undefined if unknown. */
export function beginningOf(kato: string, succession: Succession): string | undefined {
  const [oldest] = chainOf(kato, succession);
  return oldest !== undefined && oldest.from !== oldest.to && !keepsLand(oldest) ? oldest.date : undefined;
}

/** Returns the chain of changes that led to a current unit, oldest first. */
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
