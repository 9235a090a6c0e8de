/** Classes of S and of E, and sectors, are numbered from 1 to 5. */
const classes = 5;
const setsOfSectors = 2 ** classes - 1;

/** Everything besides the parameters that decides a zone: greatest suitability S, sensitivity E, and the sectors that reach S. */
export interface Cell {
  readonly s: number;
  readonly e: number;
  /** Bit k - 1 is set if sector k reaches S; never 0. */
  readonly mask: number;
}

/** Value of a pixel without a cell. */
export const noCell = 0;
/** Cells are numbered from 1 to 775. */
export const lastCell = classes * classes * setsOfSectors;
/** Value of a pixel that cannot be allocated. */
export const notAllocableCell = lastCell + 1;

export function numberOfCell({ s, e, mask }: Cell): number {
  return ((s - 1) * classes + e - 1) * setsOfSectors + mask;
}

/** All cells; cell n is at index n - 1. */
export const cells: readonly Cell[] = Array.from({ length: lastCell }, (_, index) => {
  const place = Math.floor(index / setsOfSectors);
  return { s: Math.floor(place / classes) + 1, e: (place % classes) + 1, mask: (index % setsOfSectors) + 1 };
});

/** Returns the sectors of a mask in ascending order. */
export function sectorsOf(mask: number): readonly number[] {
  return [1, 2, 3, 4, 5].filter((sector) => (mask & (1 << (sector - 1))) !== 0);
}

/** From this S on, equally suitable sectors compete for land; below it, no sector claims the land. */
export const leastContestedS = 3;

/** True if several sectors are equally suitable, so that their order decides. */
export function isContested({ s, mask }: Cell): boolean {
  return s >= leastContestedS && (mask & (mask - 1)) !== 0;
}
