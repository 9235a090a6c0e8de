/** Random choices, reproducible by seed. */
export function createDice(seed: number) {
  let state = seed >>> 0;
  /** Mulberry32, by Tommy Ettinger, in the public domain. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  next();
  return {
    from: (least: number, greatest: number): number => least + Math.floor(next() * (greatest - least + 1)),
    is: (share: number): boolean => next() < share,
    one<T>(items: readonly T[]): T {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error('nothing to choose from');
      return item;
    },
  };
}

export type Dice = ReturnType<typeof createDice>;
