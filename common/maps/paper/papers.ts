import type { Extent } from './albers.ts';

/** Metres per point on paper, a 72nd of an inch. */
export const metresPerPoint = 0.0254 / 72;
const pointsPerMillimetre = 72 / 25.4;

/** Sizes of atlases, and all sizes. */
export const [atlasSizes, paperSizes] = [
  ['A4', 'A3'],
  ['A4', 'A3', 'A2', 'A1'],
] as const;
export type PaperSize = (typeof paperSizes)[number];
export const orientations = ['portrait', 'landscape'] as const;
export type Orientation = (typeof orientations)[number];

/** A rectangle of the sheet in points; the origin is the upper left corner, y points down. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Layout of a sheet, in points. */
export interface Paper {
  readonly width: number;
  readonly height: number;
  readonly head: Box;
  /** The map itself: a whole number of pixels. */
  readonly map: Box;
  /** Panel beside or below the map, with the legend and all other texts. */
  readonly panel: Box;
  /** Number of columns of `panel`. */
  readonly columns: number;
  /** Size of letters outside of the map, relative to A4. */
  readonly letters: number;
}

export const dotsPerInch = 300;
const pointsPerDot = 72 / dotsPerInch;

/** Space for the labels of the grid around the map, and for the scale bar below it. */
const [labels, footer] = [13, 30] as const;
/** Widths around the inner frame of a sheet of the state map, in points: where its minutes and its outer frame begin. */
export const frameMargins = {
  minutes: 10 * pointsPerMillimetre,
  minutesWidth: 1.1 * pointsPerMillimetre,
  outer: 12.6 * pointsPerMillimetre,
  outerWidth: 1.2 * pointsPerMillimetre,
  /** Space that the frame needs within the box of the map; it also takes the space for labels. */
  inMap: 15.5 * pointsPerMillimetre - labels,
} as const;

/** Millimetres, in portrait. */
const sides = { A4: [210, 297], A3: [297, 420], A2: [420, 594], A1: [594, 841] } as const;
const margin = 9 * pointsPerMillimetre;
const headHeight = { A4: 48, A3: 56, A2: 66, A1: 84 } as const;
const letters = { A4: 1, A3: 1, A2: 1.25, A1: 1.5 } as const;
const panelSide = {
  landscape: { A4: 74, A3: 94, A2: 116, A1: 150 },
  portrait: { A4: 84, A3: 92, A2: 124, A1: 150 },
} as const;

/** @param mapHeight of a map that needs no more, in points: in portrait, the panel below has the rest */
export function paperOf(size: PaperSize, orientation: Orientation, mapHeight = Infinity): Paper {
  const [short, long] = sides[size].map((side) => side * pointsPerMillimetre);
  const [width = 0, height = 0] = orientation === 'portrait' ? [short, long] : [long, short];
  const side = panelSide[orientation][size] * pointsPerMillimetre;
  const head = { x: margin, y: margin, width: width - 2 * margin, height: headHeight[size] };
  const top = head.y + head.height + labels;
  const isBeside = orientation === 'landscape';
  const gap = 10;
  const below = labels + footer * letters[size];
  const left = height - margin - gap - below - top - mapHeight;
  const panel = isBeside ? side : Math.max(side, left);
  const mapRight = isBeside ? width - margin - panel - gap - labels : width - margin - labels;
  const mapBottom = (isBeside ? height - margin : height - margin - panel - gap) - below;
  const map = wholeDots({
    x: margin + labels,
    y: top,
    width: mapRight - margin - labels,
    height: mapBottom - top,
  });
  return {
    width,
    height,
    head,
    map,
    panel: isBeside
      ? {
          x: width - margin - panel,
          y: head.y + head.height,
          width: panel,
          height: height - margin - head.y - head.height,
        }
      : { x: margin, y: height - margin - panel, width: width - 2 * margin, height: panel },
    columns: isBeside ? 1 : 3,
    letters: letters[size],
  };
}

function wholeDots({ x, y, width, height }: Box): Box {
  const whole = (points: number) => Math.floor(points / pointsPerDot) * pointsPerDot;
  return { x, y, width: whole(width), height: whole(height) };
}

/** Returns the size of a map on paper in pixels. */
export function dotsOf({ width, height }: Pick<Box, 'width' | 'height'>) {
  return { width: Math.round(width / pointsPerDot), height: Math.round(height / pointsPerDot) };
}

const mantissas = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8] as const;

/** Returns the smallest round scale denominator that is not less than this one. */
export function roundScale(denominator: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, denominator)));
  const slack = 1 - 1e-9;
  const mantissa = mantissas.find((each) => each * power >= denominator * slack) ?? 10;
  return Math.round(mantissa * power);
}

/** Returns the largest round scale denominator that is not greater than this one. */
export function roundScaleBelow(denominator: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, denominator)));
  return Math.round((mantissas.findLast((each) => each * power <= denominator) ?? 1) * power);
}

/** Margin around the extent, as a share of the map. */
const air = 0.04;

/** Returns the scale denominator at which an extent just fits into a map, with a small margin. */
export function fittingScale(
  { left, right, top, bottom }: Extent,
  { width, height }: Pick<Box, 'width' | 'height'>,
): number {
  const share = 1 - 2 * air;
  return Math.max((right - left) / width, (top - bottom) / height) / share / metresPerPoint;
}

/** Returns the part of the plane that a map shows, centred on an extent. */
export function frameAround(
  { left, right, top, bottom }: Extent,
  { width, height }: Pick<Box, 'width' | 'height'>,
  denominator: number,
): Extent {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const metres = metresPerPoint * denominator;
  return {
    left: x - (width * metres) / 2,
    right: x + (width * metres) / 2,
    top: y + (height * metres) / 2,
    bottom: y - (height * metres) / 2,
  };
}
