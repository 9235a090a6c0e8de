/** Selects the files of the later tiers that run for a change. */
import { hash } from 'node:crypto';
import { readImports } from './reach.ts';

export const thirds = 3;
/** Assumed processor time of a file without a recorded cost, in seconds. */
const usualSeconds = 20;
/** Files that nearly every change touches and every story imports. */
const everywhere = /^(?:console\/src\/words|src\/messages)\//;

export interface ChangeChoice {
  readonly inTurn: readonly string[];
  /** Files in addition to those of the turn. */
  readonly touched: readonly string[];
  readonly touchedButDear: ReadonlySet<string>;
  readonly leftOut: readonly string[];
  readonly leftOutSeconds: number;
}

/**
 * Selects the third of the files for this turn and, of the others, those that import changed files, the cheapest first, within the limit
 * of processor time. The turn of a file never changes, so that three turns run all files.
 * @param files paths from the root of the project
 * @param changed likewise
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

/** Returns the turn in which a file runs, starting at 0. It depends only on its name, so that new and removed files do not change it. */
function turnOfFile(file: string): number {
  return hash('sha256', file, 'buffer').readUInt32BE() % thirds;
}
