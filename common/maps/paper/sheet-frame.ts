import { type Extent, extentOf, type Point } from './albers.ts';
import { formatAngle, type NomenclatureScale, type NomenclatureSheet } from './nomenclature.ts';
import type { OpenPlane } from './planes.ts';

/** A corner of a sheet, with its coordinates on the datum as text. */
export interface SheetCorner {
  readonly point: Point;
  readonly lon: string;
  readonly lat: string;
}

/** A line of the kilometre grid. */
export interface GridLine {
  /** `x` runs from south to north at an easting, `y` from west to east at a northing. */
  readonly axis: 'x' | 'y';
  readonly kilometres: number;
  readonly ends: readonly [Point, Point];
}

/** A meridian or parallel in the sheet, with its label. */
export interface AngleLine {
  readonly axis: 'lon' | 'lat';
  readonly text: string;
  readonly points: readonly Point[];
}

/** The frame of a sheet of the state map, in metres of its plane. */
export interface SheetFrame {
  /** In the south-west, south-east, north-east and north-west. */
  readonly corners: readonly SheetCorner[];
  /** The frame from the south-west counterclockwise, with a point at each division of its minutes. */
  readonly ring: readonly Point[];
  /** True for each side of `ring` that is black; they alternate, by their angle. */
  readonly isBlack: readonly boolean[];
  readonly extent: Extent;
  readonly grid: readonly GridLine[];
  readonly angles: readonly AngleLine[];
}

/** Seconds of arc of a division of the frame, and kilometres of the grid; meridians and parallels in seconds where the sheet has them. */
const stepsOf = {
  1_000_000: { division: 600, kilometres: 50, angle: 3600 },
  500_000: { division: 300, kilometres: 20, angle: 1800 },
  200_000: { division: 60, kilometres: 4, angle: undefined },
  100_000: { division: 60, kilometres: 2, angle: undefined },
  50_000: { division: 30, kilometres: 1, angle: undefined },
  25_000: { division: 10, kilometres: 1, angle: undefined },
  10_000: { division: 5, kilometres: 1, angle: undefined },
} as const satisfies Record<NomenclatureScale, unknown>;

/** Distance of the lines of the kilometre grid. */
export const kilometresOf = (scale: NomenclatureScale): number => stepsOf[scale].kilometres;

/** Computes the frame of a sheet in its plane. */
export function frameOfSheet(sheet: NomenclatureSheet, { ownToPlane }: OpenPlane): SheetFrame {
  const { west, south, east, north, scale } = sheet;
  const { division, kilometres, angle } = stepsOf[scale];
  const project = (lon: number, lat: number) => ownToPlane(lon / 3600, lat / 3600);
  const across = (east - west) / division;
  const up = (north - south) / division;
  const stops = [
    ...Array.from({ length: across }, (_, index) => [west + index * division, south] as const),
    ...Array.from({ length: up }, (_, index) => [east, south + index * division] as const),
    ...Array.from({ length: across }, (_, index) => [east - index * division, north] as const),
    ...Array.from({ length: up }, (_, index) => [west, north - index * division] as const),
  ];
  const ring = stops.map(([lon, lat]) => project(lon, lat));
  const isBlack = stops.map((stop, index) => {
    const next = stops[(index + 1) % stops.length] ?? stop;
    const least = stop[0] === next[0] ? Math.min(stop[1], next[1]) : Math.min(stop[0], next[0]);
    return Math.round(least / division) % 2 === 0;
  });
  const cornerAt = (lon: number, lat: number): SheetCorner => ({
    point: project(lon, lat),
    lon: formatAngle(lon, { hasMinutes: true }),
    lat: formatAngle(lat, { hasMinutes: true }),
  });
  return {
    corners: [cornerAt(west, south), cornerAt(east, south), cornerAt(east, north), cornerAt(west, north)],
    ring,
    isBlack,
    extent: extentOf(ring) ?? { left: 0, right: 0, top: 0, bottom: 0 },
    grid: [...gridLines(ring, 'x', kilometres), ...gridLines(ring, 'y', kilometres)],
    angles: angle === undefined ? [] : angleLines(sheet, angle, project),
  };
}

/** Returns the lines of the grid inside a ring; the ring crosses each of them twice. */
function gridLines(ring: readonly Point[], axis: 'x' | 'y', kilometres: number): readonly GridLine[] {
  const [along, across] = axis === 'x' ? ([0, 1] as const) : ([1, 0] as const);
  const step = 1000 * kilometres;
  const all = ring.map((point) => point[along]);
  const [least, greatest] = [Math.min(...all), Math.max(...all)];
  const lines: GridLine[] = [];
  for (let metres = Math.ceil(least / step) * step; metres < greatest; metres += step) {
    const crossings = ring.flatMap((from, index) => {
      const to = ring[(index + 1) % ring.length] ?? from;
      if (from[along] < metres === to[along] < metres) return [];
      const share = (metres - from[along]) / (to[along] - from[along]);
      return [from[across] + (to[across] - from[across]) * share];
    });
    const [start, end] = [Math.min(...crossings), Math.max(...crossings)];
    if (!(end > start)) continue;
    const ends: GridLine['ends'] =
      axis === 'x'
        ? [
            [metres, start],
            [metres, end],
          ]
        : [
            [start, metres],
            [end, metres],
          ];
    lines.push({ axis, kilometres: metres / 1000, ends });
  }
  return lines;
}

const pointsOfLine = 48;

function angleLines(
  { west, south, east, north }: NomenclatureSheet,
  step: number,
  project: (lon: number, lat: number) => Point,
): readonly AngleLine[] {
  const inside = (from: number, to: number) => {
    const count = Math.round((to - from) / step) - 1;
    return Array.from({ length: count }, (_, index) => from + (index + 1) * step);
  };
  const shares = Array.from({ length: pointsOfLine + 1 }, (_, index) => index / pointsOfLine);
  return [
    ...inside(west, east).map((lon): AngleLine => ({
      axis: 'lon',
      text: formatAngle(lon, { hasMinutes: false }),
      points: shares.map((share) => project(lon, south + (north - south) * share)),
    })),
    ...inside(south, north).map((lat): AngleLine => ({
      axis: 'lat',
      text: formatAngle(lat, { hasMinutes: false }),
      points: shares.map((share) => project(west + (east - west) * share, lat)),
    })),
  ];
}

/** Returns a frame as a closed ring of longitudes and latitudes on WGS 84. */
export function placesOfRing(ring: readonly Point[], { fromPlane }: OpenPlane) {
  const places = ring.map(([x, y]) => fromPlane(x, y));
  return [...places, ...places.slice(0, 1)];
}
