import { type Cell, sectorsOf } from './cells.ts';

/** Parameters of a run that affect zones, by name. */
export interface ZoningCase {
  readonly v1_min_s_e12: number;
  readonly v1_min_s_e3: number;
  readonly v2_min_s_e3: number;
  readonly v2_min_s_e4: number;
  /** Every sector once, in descending priority. */
  readonly tie_priority: readonly number[];
}

export type Threshold = Exclude<keyof ZoningCase, 'tie_priority'>;
export const thresholds = ['v1_min_s_e12', 'v1_min_s_e3', 'v2_min_s_e3', 'v2_min_s_e4'] as const;

/** The code of the node of the functional zoning, the map that is judged. */
export const zoningCode = '34';

const conservation = 31;
const reserve = 32;
/** Code of land that cannot be allocated. */
export const notAllocableCode = 40;
/** Codes of all other land, ascending. */
export const zoningCodes: readonly number[] = [
  ...[1, 2].flatMap((zone) => [1, 2, 3, 4, 5].map((sector) => 10 * zone + sector)),
  conservation,
  reserve,
];

/** Returns the zone of permitted use, 1 to 3. */
export function zoneOfCell({ s, e }: Cell, zoning: ZoningCase): 1 | 2 | 3 {
  const [v1, v2] = leastS(e, zoning);
  if (s >= v1) return 1;
  return s >= v2 ? 2 : 3;
}

/** Returns the minimum S of V1 and of V2 at this E. */
function leastS(e: number, zoning: ZoningCase): readonly [v1: number, v2: number] {
  if (e <= 2) return [zoning.v1_min_s_e12, Infinity];
  if (e === 3) return [zoning.v1_min_s_e3, zoning.v2_min_s_e3];
  return [Infinity, e === 4 ? zoning.v2_min_s_e4 : Infinity];
}

/** Returns the leading sector: the one in the mask that comes first in the order. */
export function leadingSectorOf({ mask }: Pick<Cell, 'mask'>, { tie_priority: order }: ZoningCase): number {
  const sectors = sectorsOf(mask);
  return order.find((sector) => sectors.includes(sector)) ?? 0;
}

export function codeOfCell(cell: Cell, zoning: ZoningCase): number {
  const zone = zoneOfCell(cell, zoning);
  if (zone === 3) return cell.e >= 4 ? conservation : reserve;
  return 10 * zone + leadingSectorOf(cell, zoning);
}

/** Returns the zone of a code of the functional zoning. */
export function zoneOfCode(code: number): number {
  return Math.floor(code / 10);
}
