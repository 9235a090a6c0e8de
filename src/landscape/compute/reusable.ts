interface Sliced<T> {
  readonly length: number;
  subarray(begin: number, end: number): T;
}

/**
 * Gives the beginning of one array again and again, which grows as longer ones are asked for: arrays of megabytes are
 * dear to make and to sweep up. What it gave before is no longer good.
 */
export function reusable<T extends Sliced<T>>(make: (length: number) => T): (length: number) => T {
  let kept = make(0);
  return (length) => {
    if (kept.length < length) kept = make(length);
    return kept.subarray(0, length);
  };
}
