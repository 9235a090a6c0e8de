/** A figure is either a duration (less is better) or a rate (more is better). */
export type Goal = { readonly atMost: number } | { readonly atLeast: number };

/** Work that the service and a peer do in turn. */
export interface Contest {
  readonly name: string;
  readonly peer: string;
  /** The unit of the results of `own` and `other`, such as `s` or `requests/s`. */
  readonly unit: string;
  /** The figure of the service as a share of that of the peer. */
  readonly goal: Goal;
  readonly own: () => Promise<number>;
  readonly other: () => Promise<number>;
}

/** The result of a comparison, with one figure per round. */
export interface Row extends Pick<Contest, 'name' | 'peer' | 'unit' | 'goal'> {
  readonly own: readonly number[];
  readonly others: readonly number[];
  /** Further facts about the figure, by name with unit. */
  readonly facts?: Readonly<Record<string, number | string>>;
}

/** Runs both in turn, round by round. */
export async function hold(contest: Contest, rounds: number): Promise<Row> {
  const { name, peer, unit, goal } = contest;
  const [own, others]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    own.push(await contest.own());
    others.push(await contest.other());
  }
  return { name, peer, unit, goal, own, others };
}

/** Returns the median of the ratios of the rounds: disturbances of the machine affect both sides. */
export function ratioOf({ own, others }: Pick<Row, 'own' | 'others'>): number {
  return median(own.map((figure, round) => figure / (others[round] ?? Number.NaN)));
}

export function isReached(row: Row): boolean {
  const ratio = ratioOf(row);
  return 'atMost' in row.goal ? ratio <= row.goal.atMost : ratio >= row.goal.atLeast;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const half = sorted.length / 2;
  const [low = Number.NaN, high = low] = sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1);
  return (low + high) / 2;
}

export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return (performance.now() - startedMs) / 1000;
}
