/** Which files of the later tiers run for a change. */
import { hash } from 'node:crypto';
import { readImports } from './reach.ts';

export const thirds = 3;
/** Processor time of a file whose costs are not kept yet. */
const usualSeconds = 20;
/** Nearly every change touches these, and every story imports them. */
const everywhere = /^(?:console\/src\/words|src\/messages)\//;

export interface ChangeChoice {
  readonly inTurn: readonly string[];
  /** Beyond those whose turn it is. */
  readonly touched: readonly string[];
  readonly touchedButDear: ReadonlySet<string>;
  readonly leftOut: readonly string[];
  readonly leftOutSeconds: number;
}

/**
 * Chooses a third of the files by turn, and of the others those that import what has changed, the cheapest first, as long as their
 * processor time lasts. Each file has the same turn for ever, so that three turns in a row have all.
 * @param files paths from the root of the project @param changed likewise
 */
export function chooseForChange({
  files,
  always,
  turn,
  changed,
  costs,
  mostTouchedSeconds,
  reachedBy = readImports(),
}: {
  readonly files: readonly string[];
  readonly always: readonly string[];
  readonly turn: number;
  readonly changed: readonly string[];
  readonly costs: ReadonlyMap<string, number>;
  readonly mostTouchedSeconds: number;
  readonly reachedBy?: (file: string) => ReadonlySet<string>;
}): ChangeChoice {
  const secondsOf = (file: string): number => costs.get(file) ?? usualSeconds;
  const others = files.filter((file) => !always.includes(file));
  const inTurn = others.filter((file) => turnOfFile(file) === turn % thirds);
  const wanted = new Set(changed.filter((path) => !everywhere.test(path)));
  const isTouched = (file: string): boolean => [...reachedBy(file)].some((path) => wanted.has(path));
  const touchedButDear = new Set<string>();
  const touched: string[] = [];
  let seconds = 0;
  for (const file of others
    .filter((each) => !inTurn.includes(each) && isTouched(each))
    .toSorted((a, b) => secondsOf(a) - secondsOf(b))) {
    if (seconds + secondsOf(file) > mostTouchedSeconds) {
      touchedButDear.add(file);
      continue;
    }
    seconds += secondsOf(file);
    touched.push(file);
  }
  const leftOut = others.filter((file) => !inTurn.includes(file) && !touched.includes(file));
  return {
    inTurn,
    touched,
    touchedButDear,
    leftOut,
    leftOutSeconds: leftOut.reduce((sum, file) => sum + secondsOf(file), 0),
  };
}

/** The turn in which a file runs, from 0 on: by its name alone, so that files that come or go move no other. */
function turnOfFile(file: string): number {
  return hash('sha256', file, 'buffer').readUInt32BE() % thirds;
}
