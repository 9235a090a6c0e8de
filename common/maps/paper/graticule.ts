import { type Extent, fromAlbers, type Point, toAlbers } from './albers.ts';

/** Intersection of a line of the grid with the edge of the map. */
export interface GridLabel {
  readonly side: 'top' | 'bottom' | 'left' | 'right';
  /** Position on the side as a share, from the left or from the top. */
  readonly at: number;
  readonly text: string;
}

/** Geographic grid of a part of the plane of Albers. */
export interface Graticule {
  /** Meridians and parallels, which may extend beyond the map. */
  readonly lines: readonly (readonly Point[])[];
  readonly labels: readonly GridLabel[];
}

/** Minutes of arc. */
const steps = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 1200] as const;
const mostLines = 6;
const pointsOfLine = 64;
const samples = 256;

type Axis = 0 | 1;
const sides = [
  { side: 'top', axis: 0 },
  { side: 'bottom', axis: 0 },
  { side: 'left', axis: 1 },
  { side: 'right', axis: 1 },
] as const satisfies readonly { side: GridLabel['side']; axis: Axis }[];

/** Returns the grid of a map: round lines, about six in each direction, with labels at the edges. */
export function graticuleOf(frame: Extent): Graticule {
  const edges = sides.map(({ side, axis }) => ({ side, axis, places: placesAlong(frame, side) }));
  const all = edges.flatMap(({ places }) => places);
  const rangeOf = (axis: Axis) => {
    const numbers = all.map((place) => place[axis]).filter((number) => !Number.isNaN(number));
    return [Math.min(...numbers), Math.max(...numbers)] as const;
  };
  const ranges = [rangeOf(0), rangeOf(1)] as const;
  const stepsOfAxes = ranges.map(stepOf);
  const lines = ([0, 1] as const).flatMap((axis) => {
    const [from, to] = ranges[axis === 0 ? 1 : 0];
    return multiplesIn(ranges[axis], stepsOfAxes[axis] ?? 60).map((minutes) =>
      Array.from({ length: pointsOfLine + 1 }, (_, index) => {
        const along = from + ((to - from) * index) / pointsOfLine;
        return axis === 0 ? toAlbers(minutes / 60, along) : toAlbers(along, minutes / 60);
      }),
    );
  });
  const labels = edges.flatMap(({ side, axis, places }) =>
    crossings(
      places.map((place) => place[axis]),
      stepsOfAxes[axis] ?? 60,
    ).map(({ at, minutes }) => ({ side, at, text: degreesOf(minutes) })),
  );
  return { lines, labels };
}

function placesAlong({ left, right, top, bottom }: Extent, side: GridLabel['side']) {
  return Array.from({ length: samples + 1 }, (_, index) => {
    const share = index / samples;
    const x = left + (right - left) * share;
    const y = top - (top - bottom) * share;
    switch (side) {
      case 'top':
        return fromAlbers(x, top);
      case 'bottom':
        return fromAlbers(x, bottom);
      case 'left':
        return fromAlbers(left, y);
      default:
        return fromAlbers(right, y);
    }
  });
}

function stepOf([from, to]: readonly [number, number]): number {
  return steps.find((minutes) => ((to - from) * 60) / minutes <= mostLines) ?? 1200;
}

function multiplesIn([from, to]: readonly [number, number], step: number): readonly number[] {
  const first = Math.ceil((from * 60) / step - 1e-9);
  const last = Math.floor((to * 60) / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * step);
}

/** Returns the positions along a side at which an angle passes multiples of a step. */
function crossings(degrees: readonly number[], step: number) {
  const found: { readonly at: number; readonly minutes: number }[] = [];
  for (let index = 1; index < degrees.length; index += 1) {
    const [a = Number.NaN, b = Number.NaN] = [degrees[index - 1], degrees[index]];
    const line = Math.floor((Math.max(a, b) * 60) / step);
    const minutes = line * step;
    if (!(minutes > Math.min(a, b) * 60 && minutes <= Math.max(a, b) * 60)) continue;
    found.push({ at: (index - 1 + (minutes / 60 - a) / (b - a)) / (degrees.length - 1), minutes });
  }
  return found;
}

/** Formats an angle: `52°`, `52°30’`. */
function degreesOf(minutes: number): string {
  const [degrees, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const sign = minutes < 0 ? '−' : '';
  return `${sign}${degrees}°${rest === 0 ? '' : `${String(rest).padStart(2, '0')}’`}`;
}
