/** Counts occurrences per feature, and keeps the number of the first. */
export function createTally() {
  let count = 0;
  let first: number | undefined;
  return {
    add(feature: number): void {
      count += 1;
      first ??= feature;
    },
    get count() {
      return count;
    },
    get first() {
      return first;
    },
  };
}
