import { readPolygons } from '../geo/area/stored-borders.ts';

/** Land of units beside that of the unit above them, square kilometres. */
export interface Cover {
  readonly area: number;
  /** In the unit above, and in none of them. */
  readonly gaps: number;
  /** In more than one of them. */
  readonly overlaps: number;
  /** In one of them, and not in the unit above. */
  readonly outside: number;
}

/** Distance of the parallels along which land is measured, degrees: 280 m, or a two-hundredth of a small unit. */
const usualStep = 0.0025;
const leastLines = 200;
/** Lines beyond the unit above are as many as twice its own, so that a border far away does not fill the memory. */
const maxLines = 60_000;

/** Authalic radius of the earth, kilometres. */
const radius = 6371.007_18;
const radians = Math.PI / 180;

/** Pairs of longitudes between which a line is inside. */
type Intervals = number[];

/**
 * Creates the measure of the land of units beside the unit above them. It goes along parallels and needs no valid geometry; borders are
 * straight in longitude and latitude.
 * @param above GeoJSON geometry of the unit above, as text
 */
export function createCover(above: string) {
  const rings = readPolygons(above).flat();
  const latitudes = rings.flatMap((ring) => ring.map(([, y = 0]) => y));
  const [south, north] = [least(latitudes), most(latitudes)];
  const step = Math.min(usualStep, Math.max(1e-9, (north - south) / leastLines));
  const own = linesOf(rings, step);
  const given = new Map<number, Intervals[]>();
  return {
    /** Adds one of the units. @param geometry GeoJSON geometry as text */
    add(geometry: string): void {
      for (const [line, intervals] of linesOf(readPolygons(geometry).flat(), step)) {
        const known = given.get(line);
        if (known === undefined) given.set(line, [intervals]);
        else known.push(intervals);
      }
    },
    result(): Cover {
      let [area, gaps, overlaps, outside] = [0, 0, 0, 0];
      for (const line of new Set([...own.keys(), ...given.keys()])) {
        const inside = own.get(line) ?? [];
        const land = measureLine(inside, given.get(line) ?? []);
        const weight = radius * radius * radians * radians * step * Math.cos((line + 0.5) * step * radians);
        area += lengthOf(inside) * weight;
        gaps += land.gap * weight;
        overlaps += land.overlap * weight;
        outside += land.outside * weight;
      }
      return { area, gaps, overlaps, outside };
    },
  };
}

/** Cuts rings by the middles of rows of a height; a point is inside if an odd number of rings surround it. */
function linesOf(rings: readonly (readonly (readonly number[])[])[], step: number): Map<number, Intervals> {
  const lines = new Map<number, Intervals>();
  for (const ring of rings)
    for (let at = 1; at < ring.length; at += 1) {
      const [x1 = 0, y1 = 0] = ring[at - 1] ?? [];
      const [x2 = 0, y2 = 0] = ring[at] ?? [];
      const [low, high] = [Math.min(y1, y2), Math.max(y1, y2)];
      const first = Math.ceil(low / step - 0.5);
      const last = Math.ceil(high / step - 0.5) - 1;
      for (let line = first; line <= last && lines.size < maxLines; line += 1) {
        const x = x1 + ((x2 - x1) * ((line + 0.5) * step - y1)) / (y2 - y1);
        const known = lines.get(line);
        if (known === undefined) lines.set(line, [x]);
        else known.push(x);
      }
    }
  for (const crossings of lines.values()) crossings.sort((one, other) => one - other);
  return lines;
}

function lengthOf(intervals: Intervals): number {
  let sum = 0;
  for (let at = 0; at + 1 < intervals.length; at += 2) sum += (intervals[at + 1] ?? 0) - (intervals[at] ?? 0);
  return sum;
}

/** Walks along a line; each border changes how many units are around. */
function measureLine(above: Intervals, units: readonly Intervals[]) {
  const turns = above.map((x, at): [x: number, above: number, units: number] => [
    x,
    at % 2 === 0 ? 1 : -1,
    0,
  ]);
  for (const intervals of units)
    for (const [at, x] of intervals.entries()) turns.push([x, 0, at % 2 === 0 ? 1 : -1]);
  turns.sort(([one], [other]) => one - other);
  let [inAbove, inUnits, gap, overlap, outside] = [0, 0, 0, 0, 0];
  let from = 0;
  for (const [x, ofAbove, ofUnits] of turns) {
    const length = x - from;
    if (inAbove > 0 && inUnits === 0) gap += length;
    if (inAbove === 0 && inUnits > 0) outside += length;
    if (inUnits > 1) overlap += length * (inUnits - 1);
    [from, inAbove, inUnits] = [x, inAbove + ofAbove, inUnits + ofUnits];
  }
  return { gap, overlap, outside };
}

const least = (values: readonly number[]): number =>
  values.reduce((one, other) => Math.min(one, other), Infinity);
const most = (values: readonly number[]): number =>
  values.reduce((one, other) => Math.max(one, other), -Infinity);
