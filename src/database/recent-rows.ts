const defaultLimits = {
  /** How old an answer can be when another process has changed the row and nobody has told of it. */
  keepMs: 1000,
  maxKept: 1000,
};

interface Kept<T> {
  readonly row: T;
  readonly timer: NodeJS.Timeout;
}

interface RecentRowsOptions<T> extends Partial<typeof defaultLimits> {
  /** Reads a row; undefined when there is none. */
  readonly load: (id: string) => Promise<T | undefined>;
  /** Tells whether a row may be kept: only one that hardly ever changes. */
  readonly isLasting: (row: T) => boolean;
}

/** Keeps rows that hardly ever change for a short time, because a map asks for the same one again and again. */
export function createRecentRows<T>({ load, isLasting, ...limits }: RecentRowsOptions<T>) {
  const { keepMs, maxKept } = { ...defaultLimits, ...limits };
  const kept = new Map<string, Kept<T>>();
  /** The reads under way, by id: one that a change has overtaken must not be kept. */
  const reading = new Map<string, Set<{ isOvertaken: boolean }>>();

  function keep(id: string, row: T): void {
    drop(id);
    const timer = setTimeout(() => kept.delete(id), keepMs).unref();
    kept.set(id, { row, timer });
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) drop(oldest);
  }

  function drop(id: string): void {
    clearTimeout(kept.get(id)?.timer);
    kept.delete(id);
  }

  async function read(id: string): Promise<T | undefined> {
    const turn = { isOvertaken: false };
    const turns = reading.get(id) ?? new Set();
    reading.set(id, turns.add(turn));
    try {
      const row = await load(id);
      if (row !== undefined && !turn.isOvertaken && isLasting(row)) keep(id, row);
      return row;
    } finally {
      turns.delete(turn);
      if (turns.size === 0) reading.delete(id);
    }
  }

  return {
    /** Returns a row, up to `keepMs` old unless its change was told; undefined when there is none. */
    async get(id: string): Promise<T | undefined> {
      return kept.get(id)?.row ?? (await read(id));
    },
    /** Has the next request read the row anew, because it has changed. */
    forget(id: string): void {
      drop(id);
      for (const turn of reading.get(id) ?? []) turn.isOvertaken = true;
    },
    /** The same for every row, because news of some may have been lost or concern many. */
    forgetAll(): void {
      for (const id of kept.keys()) drop(id);
      for (const turns of reading.values()) for (const turn of turns) turn.isOvertaken = true;
    },
  };
}
