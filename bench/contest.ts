/** A figure is compared by seconds (less is better) or by what is done in a second (more is better). */
export type Goal = { readonly atMost: number } | { readonly atLeast: number };

/** Work that the service and a peer do in turn. */
export interface Contest {
  readonly name: string;
  readonly peer: string;
  /** Unit of what `own` and `other` give, such as `s` or `requests/s`. */
  readonly unit: string;
  /** The service's figure as a share of the peer's. */
  readonly goal: Goal;
  readonly own: () => Promise<number>;
  readonly other: () => Promise<number>;
}

/** The outcome of a contest: one figure for each round. */
export interface Row extends Pick<Contest, 'name' | 'peer' | 'unit' | 'goal'> {
  readonly own: readonly number[];
  readonly others: readonly number[];
  /** Other facts that belong to the figure, by name with unit. */
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

/** The median of the rounds' ratios: what weighs on the machine for a while weighs on both. */
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
