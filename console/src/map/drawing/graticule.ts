import { fromLonLat, toLonLat } from 'ol/proj.js';
import type { ViewCode } from '../../raster/projection.ts';
import { formatNumber } from '../../../../common/formats/numbers.ts';
import { language } from '../../words/words.ts';
import type { Pixels } from './canvas-layer.ts';

/** Degrees from one line to the next. */
const intervals = [90, 45, 30, 20, 10, 5, 2, 1, 1 / 2, 1 / 3, 1 / 6, 1 / 12, 1 / 30, 1 / 60].concat(
  [30, 20, 10, 5, 2, 1].map((seconds) => seconds / 3600),
);
/** The shortest diagonal of a cell, in CSS pixels. */
const leastDiagonal = 140;
/** Number of straight segments of a line across the map. */
const parts = 48;
/**
 * The share of its length by which a line extends beyond the edges of the map, so that it crosses them: the range of
 * degrees is sampled at points along the edges, and may be slightly larger between two of them.
 */
const beyond = 0.01;
/** Number of parts of an edge of the map; their ends are sampled for the range of degrees. */
const edgeParts = 8;
/** West, south, east and north of the area with lines, in degrees. */
const limits = { 'KZ:AEA': [5, 12, 129, 82], 'EPSG:3857': [-180, -85, 180, 85] } as const satisfies Record<
  ViewCode,
  unknown
>;

type Point = readonly [x: number, y: number];

/** A line of longitude or latitude, in pixels of the canvas. */
export interface GraticuleLine {
  readonly kind: 'meridian' | 'parallel';
  readonly degrees: number;
  /** The decimals that distinguish the label of the line from the next one. */
  readonly digits: number;
  readonly points: readonly Point[];
  /** The point at which the line crosses the edge with its label: the upper edge for meridians, the left edge for parallels. */
  readonly namedAt: Point | undefined;
}

/** The lines of longitude and latitude that a frame shows. */
export function graticuleOf(view: ViewCode, pixels: Pixels): readonly GraticuleLine[] {
  const { left, top, metresPerPixel, width, height } = pixels;
  const toPixels = (lon: number, lat: number): Point => {
    const [x = Number.NaN, y = Number.NaN] = fromLonLat([lon, lat], view);
    return [(x - left) / metresPerPixel, (top - y) / metresPerPixel];
  };
  const toDegrees = (x: number, y: number) =>
    toLonLat([left + x * metresPerPixel, top - y * metresPerPixel], view);
  const steps = Array.from({ length: edgeParts + 1 }, (_, index) => index / edgeParts);
  const seen = steps.flatMap((share) => [
    toDegrees(share * width, 0),
    toDegrees(share * width, height),
    toDegrees(0, share * height),
    toDegrees(width, share * height),
    toDegrees(width / 2, share * height),
  ]);
  const [west, south, east, north] = limits[view];
  const lons = rangeWithin(
    seen.map(([lon = Number.NaN]) => lon),
    [west, east],
  );
  const lats = rangeWithin(
    seen.map(([, lat = Number.NaN]) => lat),
    [south, north],
  );
  const [lon = 0, lat = 0] = toDegrees(width / 2, height / 2);
  const interval = intervalAt(lon, lat, pixels, toPixels);
  const digits = Math.max(2, Math.ceil(-Math.log10(interval)));
  const along = ([from, to]: Point) => {
    const [start, span] = [from - beyond * (to - from), (1 + 2 * beyond) * (to - from)];
    return Array.from({ length: parts + 1 }, (_, index) => start + (span * index) / parts);
  };
  return [
    ...multiples(lons, interval).map((degrees) => {
      const points = along(lats).map((lat) => toPixels(degrees, lat));
      return { kind: 'meridian' as const, degrees, digits, points, namedAt: crossingOf(points, 1) };
    }),
    ...multiples(lats, interval).map((degrees) => {
      const points = along(lons).map((lon) => toPixels(lon, degrees));
      return { kind: 'parallel' as const, degrees, digits, points, namedAt: crossingOf(points, 0) };
    }),
  ];
}

function rangeWithin(degrees: readonly number[], [least, most]: Point): Point {
  const finite = degrees.filter((value) => Number.isFinite(value));
  return [Math.max(least, Math.min(...finite)), Math.min(most, Math.max(...finite))];
}

/** The smallest interval whose cells are large enough around the centre. */
function intervalAt(
  lon: number,
  lat: number,
  { ratio }: Pixels,
  toPixels: (lon: number, lat: number) => Point,
): number {
  const isLarge = (interval: number) => {
    const half = interval / 2;
    const middle = Math.max(half - 89, Math.min(89 - half, lat));
    const [x1, y1] = toPixels(lon - half, middle - half);
    const [x2, y2] = toPixels(lon + half, middle + half);
    return Math.hypot(x2 - x1, y2 - y1) > leastDiagonal * ratio;
  };
  const tooSmall = intervals.findIndex((interval) => !isLarge(interval));
  return intervals.at(tooSmall === -1 ? -1 : Math.max(0, tooSmall - 1)) ?? 1;
}

function multiples([from, to]: Point, interval: number): readonly number[] {
  const first = Math.ceil(from / interval);
  const count = Math.max(0, Math.floor(to / interval) - first + 1);
  return Array.from({ length: count }, (_, index) => (first + index) * interval);
}

/** The point at which a line crosses 0 along an axis. */
function crossingOf(points: readonly Point[], axis: 0 | 1): Point | undefined {
  for (const [index, to] of points.entries()) {
    const from = points[index - 1];
    if (from === undefined || from[axis] < 0 === to[axis] < 0) continue;
    const share = from[axis] / (from[axis] - to[axis]);
    return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
  }
  return undefined;
}

/** Width of the buttons of the map at the right edge, in CSS pixels. */
const buttons = 46;

/** Returns true if a label `text` pixels wide is not cut off by the edge and overlaps neither another label nor a button. */
export function isWhole(
  kind: GraticuleLine['kind'],
  [x, y]: Point,
  { width, height, ratio, text }: Pixels & { readonly text: number },
): boolean {
  if (kind === 'meridian') return x >= text / 2 && x <= width - buttons * ratio - text / 2;
  // The labels of meridians are along the upper edge.
  return y >= (distance + 1.5 * fontSize) * ratio && y <= height - (fontSize * ratio) / 2;
}

/** CSS pixels. */
const fontSize = 11;
const font = (ratio: number) => `${fontSize * ratio}px "Golos Text Variable", "Golos Text", sans-serif`;
/** CSS pixels between the edge of the map and a label. */
const distance = 4;

/** Draws the lines. */
export function drawGraticule(context: CanvasRenderingContext2D, view: ViewCode, pixels: Pixels): void {
  const { ratio } = pixels;
  const lines = graticuleOf(view, pixels);
  context.strokeStyle = 'rgba(86, 97, 107, 0.22)';
  context.lineWidth = 0.7 * ratio;
  context.beginPath();
  for (const { points } of lines) {
    for (const [index, [x, y]] of points.entries()) {
      if (index === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
    }
  }
  context.stroke();
}

/** Labels the lines with their degrees at the edges of the map. */
export function drawDegrees(context: CanvasRenderingContext2D, view: ViewCode, pixels: Pixels): void {
  const { ratio } = pixels;
  context.font = font(ratio);
  context.fillStyle = '#56616b';
  context.strokeStyle = 'rgba(247, 246, 242, 0.9)';
  context.lineWidth = 3 * ratio;
  context.lineJoin = 'round';
  for (const { kind, degrees, digits, namedAt } of graticuleOf(view, pixels)) {
    if (namedAt === undefined) continue;
    const text = `${formatNumber(degrees, language(), digits)}°`;
    if (!isWhole(kind, namedAt, { ...pixels, text: context.measureText(text).width })) continue;
    context.textAlign = kind === 'meridian' ? 'center' : 'start';
    context.textBaseline = kind === 'meridian' ? 'top' : 'middle';
    const [x, y] = kind === 'meridian' ? [namedAt[0], distance * ratio] : [distance * ratio, namedAt[1]];
    context.strokeText(text, x, y);
    context.fillText(text, x, y);
  }
}
