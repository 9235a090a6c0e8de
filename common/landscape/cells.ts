/** Classes of S and of E, and sectors, are numbered from 1 to 5. */
const classes = 5;
const setsOfSectors = 2 ** classes - 1;

/** All that a zone depends on beside the parameters: greatest suitability S, sensitivity E, and the sectors that reach S. */
export interface Cell {
  readonly s: number;
  readonly e: number;
  /** Bit k - 1 is set when sector k reaches S; never 0. */
  readonly mask: number;
}

/** The value of a pixel without any of them. */
export const noCell = 0;
/** Cells are numbered from 1 to this, 775. */
export const lastCell = classes * classes * setsOfSectors;
/** The value of a pixel that cannot be allotted. */
export const notAllocableCell = lastCell + 1;

/** Returns the number of a cell. */
export function numberOfCell({ s, e, mask }: Cell): number {
  return ((s - 1) * classes + e - 1) * setsOfSectors + mask;
}

/** All cells; that of number n stands at n - 1. */
export const cells: readonly Cell[] = Array.from({ length: lastCell }, (_, index) => {
  const place = Math.floor(index / setsOfSectors);
  return { s: Math.floor(place / classes) + 1, e: (place % classes) + 1, mask: (index % setsOfSectors) + 1 };
});

/** Lists the sectors of a mask, ascending. */
export function sectorsOf(mask: number): readonly number[] {
  return [1, 2, 3, 4, 5].filter((sector) => (mask & (1 << (sector - 1))) !== 0);
}

/** S from which several sectors that suit alike compete for land; below, none of them wants it. */
export const leastContestedS = 3;

/** True where several sectors suit best alike, so that their order chooses. */
export function isContested({ s, mask }: Cell): boolean {
  return s >= leastContestedS && (mask & (mask - 1)) !== 0;
}
