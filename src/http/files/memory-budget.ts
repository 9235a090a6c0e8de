/** Counts how much of `maxBytes` is taken. */
export function createMemoryBudget(maxBytes: number) {
  let takenBytes = 0;
  return {
    /** Takes so many bytes, all or none; says whether it did. */
    take(bytes: number): boolean {
      if (takenBytes + bytes > maxBytes) return false;
      takenBytes += bytes;
      return true;
    },
    giveBack(bytes: number): void {
      takenBytes -= bytes;
    },
  };
}
