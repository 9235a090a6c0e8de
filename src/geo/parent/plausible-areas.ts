import type { AreaCounts, TupleArea } from '../engine.ts';

/** Relative tolerance of sums: each area is rounded once. */
const rounding = 1e-9;

/**
 * Returns a description for the log of areas whose parts do not add up; undefined for plausible ones, with the same
 * limits as `implausibilityOf`.
 */
export function areaFaultOf(
  { tuples, raster, units, sets }: AreaCounts,
  rasters: number,
): string | undefined {
  if (tuples.some((tuple) => tuple.length !== rasters)) return 'values of other rasters';
  const lists = [
    raster,
    ...units.map(({ areas }) => areas),
    ...sets.flatMap(({ outside, overlap }) => [outside, overlap]),
  ];
  if (!lists.every((list) => isAscending(list, tuples.length))) return 'areas out of order';
  if (units.some(({ areas, area_m2: area, outside_m2: outside }) => !isNear(sumOf(areas) + outside, area)))
    return 'a unit of another area than its parts';
  const whole = sumOf(raster);
  for (const { set, outside, overlap } of sets) {
    const own = units.filter((unit) => unit.set === set);
    const inUnits = own.reduce((sum, { areas }) => sum + sumOf(areas), 0);
    if (!isNear(inUnits + sumOf(outside) - sumOf(overlap), whole, inUnits)) return 'units of another raster';
  }
  return units.every(({ set }) => sets.some((each) => each.set === set)) ? undefined : 'units of no set';
}

function isAscending(list: readonly TupleArea[], tuples: number): boolean {
  return list.every(([tuple], i) => tuple < tuples && tuple > (list[i - 1]?.[0] ?? -1));
}

function isNear(sum: number, whole: number, size = whole): boolean {
  return Math.abs(sum - whole) <= rounding * Math.max(sum, whole, size);
}

function sumOf(list: readonly TupleArea[]): number {
  return list.reduce((sum, [, area]) => sum + area, 0);
}
