import type { Point } from '../../../../common/maps/paper/albers.ts';
import { neighboursOf, type NomenclatureSheet } from '../../../../common/maps/paper/nomenclature.ts';
import { frameMargins } from '../../../../common/maps/paper/papers.ts';
import type { GridLine, SheetFrame } from '../../../../common/maps/paper/sheet-frame.ts';
import type { Rgba } from '../../../../common/maps/style/colour-map.ts';
import { fill, type Pen, type Role, widthOf, write } from '../canvas/canvas.ts';
import { cleanText } from '../canvas/text.ts';

const ink: Rgba = [24, 33, 29, 255];
const black = '#18211d';
const gridColour = 'rgba(20, 60, 110, 0.6)';
const angleColour = 'rgba(40, 40, 40, 0.5)';
/** Distances from the inner frame, in points: frame of minutes, and outer frame with its width. */
const { minutes: minutesAt, minutesWidth, outer: outerAt, outerWidth } = frameMargins;
const white: Rgba = [255, 255, 255, 255];

type ToPaper = (point: Point) => Point;
type Side = 'left' | 'right' | 'top' | 'bottom';

/** Draws the lines of the kilometre grid, and the meridians and parallels of small scales, into the map. */
export function drawGridLines(pen: Pen, { grid, angles }: SheetFrame, toPaper: ToPaper): void {
  pen.strokeStyle = angleColour;
  pen.lineWidth = 0.35;
  for (const { points } of angles) strokePath(pen, points.map(toPaper));
  pen.strokeStyle = gridColour;
  pen.lineWidth = 0.3;
  for (const { ends } of grid) strokePath(pen, ends.map(toPaper));
}

/** Draws the frame of a sheet of the state map around its map: inner frame, labels, minutes, outer frame and neighbours. */
export function drawSheetFrame(
  pen: Pen,
  { frame, sheet }: { readonly frame: SheetFrame; readonly sheet: NomenclatureSheet },
  toPaper: ToPaper,
): void {
  const ring = frame.ring.map(toPaper);
  pen.strokeStyle = black;
  pen.lineJoin = 'miter';
  strokeRing(pen, ring, 0.6);
  const inner = offsetRing(ring, minutesAt);
  const outer = offsetRing(ring, minutesAt + minutesWidth);
  strokeRing(pen, inner, 0.35);
  strokeRing(pen, outer, 0.35);
  pen.fillStyle = black;
  for (const [index, isBlack] of frame.isBlack.entries()) {
    if (!isBlack) continue;
    const next = (index + 1) % ring.length;
    const corners = [inner[index], inner[next], outer[next], outer[index]];
    pen.beginPath();
    for (const corner of corners) if (corner !== undefined) pen.lineTo(...corner);
    pen.closePath();
    pen.fill();
  }
  const thick = offsetRing(ring, outerAt + outerWidth / 2);
  strokeRing(pen, thick, outerWidth);
  const taken = labelCorners(pen, frame, toPaper);
  labelAngles(pen, frame, toPaper, taken);
  labelGrid(pen, frame, toPaper, taken);
  labelNeighbours(pen, sheet, { frame, thick });
  pen.lineJoin = 'round';
}

/** Places of the labels that are written already, by side, so that no other one covers them. */
type Taken = { readonly side: Side; readonly at: Point }[];

function strokePath(pen: Pen, points: readonly Point[]): void {
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(x, y);
  pen.stroke();
}

function strokeRing(pen: Pen, ring: readonly Point[], width: number): void {
  pen.lineWidth = width;
  pen.beginPath();
  for (const [x, y] of ring) pen.lineTo(x, y);
  pen.closePath();
  pen.stroke();
}

/** Moves a ring outwards by a distance, with mitred corners. The ring runs counterclockwise on paper. */
export function offsetRing(ring: readonly Point[], distance: number): readonly Point[] {
  const normalOf = (from: Point, to: Point) => {
    const [x, y] = [to[0] - from[0], to[1] - from[1]];
    const length = Math.hypot(x, y);
    return [-y / length, x / length] as const;
  };
  return ring.map((point, index) => {
    const before = ring.at(index - 1) ?? point;
    const next = ring[(index + 1) % ring.length] ?? point;
    const [ax, ay] = normalOf(before, point);
    const [bx, by] = normalOf(point, next);
    const share = distance / (1 + ax * bx + ay * by);
    return [point[0] + (ax + bx) * share, point[1] + (ay + by) * share];
  });
}

/** Distance of the lines of a label, and of its first baseline from its middle, in points. */
const [lineHeight, base] = [8.6, 2.8] as const;

/** Writes the coordinates of the corners: latitudes beside the vertical sides, longitudes above and below. */
function labelCorners(pen: Pen, { corners }: SheetFrame, toPaper: ToPaper): Taken {
  const role: Role = 'body';
  const taken: Taken = [];
  for (const [index, { point, lon, lat }] of corners.entries()) {
    const [x, y] = toPaper(point);
    const [isLeft, isTop] = [index === 0 || index === 3, index >= 2];
    const put = (text: string, [middleX, middleY]: Point) => {
      const lines = linesOf(text);
      const top = middleY - ((lines.length - 1) * lineHeight) / 2;
      for (const [row, line] of lines.entries())
        write(pen, line, {
          x: middleX - widthOf(line, role) / 2,
          y: top + row * lineHeight + base,
          role,
          colour: ink,
        });
    };
    const [outwards, inwards] = [isLeft ? -1 : 1, isTop ? 1 : -1];
    put(lat, [x + (outwards * minutesAt) / 2, y + 6 * inwards]);
    put(lon, [x - 6 * outwards, y - (inwards * minutesAt) / 2]);
    taken.push({ side: isLeft ? 'left' : 'right', at: [x, y + 6 * inwards] });
    taken.push({ side: isTop ? 'top' : 'bottom', at: [x - 6 * outwards, y] });
  }
  return taken;
}

/** Degrees and minutes are one line, seconds another. */
const linesOf = (angle: string) =>
  cleanText(angle.replace('’', '’\n'))
    .split(/(?<=’) ?/)
    .filter(Boolean);

const sidesOfAxis = {
  lon: ['bottom', 'top'],
  lat: ['left', 'right'],
  x: ['bottom', 'top'],
  y: ['left', 'right'],
} as const;

function labelAngles(pen: Pen, { angles }: SheetFrame, toPaper: ToPaper, taken: Taken): void {
  for (const { axis, text, points } of angles) {
    const ends = [points[0], points.at(-1)];
    for (const [index, side] of sidesOfAxis[axis].entries()) {
      const end = ends[index];
      if (end === undefined) continue;
      const at = toPaper(end);
      const [x, y] = middleOfBand(at, side);
      const clean = cleanText(text);
      write(pen, clean, { x: x - widthOf(clean, 'strong') / 2, y: y + 3, role: 'strong', colour: ink });
      taken.push({ side, at });
    }
  }
}

/** The middle of the space for labels beside a point of the inner frame. */
function middleOfBand([x, y]: Point, side: Side): Point {
  const away = minutesAt / 2;
  switch (side) {
    case 'left':
      return [x - away, y];
    case 'right':
      return [x + away, y];
    case 'top':
      return [x, y - away];
    default:
      return [x, y + away];
  }
}

/** Free space that a label needs along its side, in points: of two digits, and in full. */
const spaces = { x: { short: 17, full: 29 }, y: { short: 13, full: 13 } } as const;
/** Lines of this distance or more are labelled in full: their last two digits alone would repeat. */
const fullFrom = 10;

interface GridLabel {
  readonly line: GridLine;
  readonly at: Point;
}

/** Writes kilometres: in full beside the first and the last line of each side, elsewhere the last two digits. */
function labelGrid(pen: Pen, { grid, corners }: SheetFrame, toPaper: ToPaper, taken: Taken): void {
  for (const axis of ['x', 'y'] as const) {
    const lines = grid.filter((line) => line.axis === axis);
    const step = (lines[1]?.kilometres ?? 0) - (lines[0]?.kilometres ?? 0);
    const along = axis === 'x' ? 0 : 1;
    for (const [index, side] of sidesOfAxis[axis].entries()) {
      const [from, to] = endsOfSide[side].map((corner) => corners[corner]?.point[along] ?? 0);
      const free = lines.flatMap((line): GridLabel[] => {
        const end = line.ends[index];
        // A line at the edge of the sheet may end on a side of the other direction.
        if (end === undefined || !(end[along] > (from ?? 0) && end[along] < (to ?? 0))) return [];
        const at = toPaper(end);
        const isFree = taken.every(
          (other) => other.side !== side || Math.abs(other.at[along] - at[along]) >= spaces[axis].full,
        );
        return isFree ? [{ line, at }] : [];
      });
      const room = spaces[axis];
      const shown = thinned(free, along, step >= fullFrom ? { short: room.full, full: room.full } : room);
      for (const [place, { line, at }] of shown.entries()) {
        const isFull = step >= fullFrom || place === 0 || place === shown.length - 1;
        writeKilometres(pen, line.kilometres, { at: middleOfBand(at, side), isFull });
      }
    }
  }
}

/** Corners at both ends of a side, the lesser easting or northing first. */
const endsOfSide = { bottom: [0, 1], right: [1, 2], top: [3, 2], left: [0, 3] } as const;

/** Returns the labels that have room: the first, the last, and those between them that cover no other one. */
function thinned(
  labels: readonly GridLabel[],
  along: 0 | 1,
  { short, full }: { readonly short: number; readonly full: number },
): readonly GridLabel[] {
  const last = labels.at(-1);
  const kept: GridLabel[] = [];
  const distance = (one: GridLabel, other: GridLabel) => Math.abs(one.at[along] - other.at[along]);
  for (const label of labels) {
    const before = kept.at(-1);
    const needed = kept.length === 1 ? full : short;
    const hasRoom = before === undefined || distance(before, label) >= needed;
    const leavesRoom = label === last || last === undefined || distance(label, last) >= full;
    if (hasRoom && leavesRoom) kept.push(label);
  }
  return kept;
}

/** Writes the last two digits large, and those before them small. */
function writeKilometres(
  pen: Pen,
  kilometres: number,
  { at: [x, y], isFull }: { readonly at: Point; readonly isFull: boolean },
): void {
  const digits = String(kilometres).padStart(4, '0');
  const large = digits.slice(-2);
  const small = isFull ? digits.slice(0, -2) : '';
  const [smallWidth, largeWidth] = [small === '' ? 0 : widthOf(small, 'body'), widthOf(large, 'grid')];
  const left = x - (smallWidth + largeWidth) / 2;
  if (small !== '') write(pen, small, { x: left, y: y + 1.5, role: 'body', colour: ink });
  write(pen, large, { x: left + smallWidth + 0.4, y: y + 4, role: 'grid', colour: ink });
}

/** Writes the names of the neighbours into the outer frame, in the middle of its sides. */
function labelNeighbours(
  pen: Pen,
  sheet: NomenclatureSheet,
  { frame, thick }: { readonly frame: SheetFrame; readonly thick: readonly Point[] },
): void {
  const neighbours = neighboursOf(sheet);
  const middles = middlesOf(frame, thick);
  for (const side of ['left', 'right', 'top', 'bottom'] as const) {
    const name = neighbours[side]?.name;
    if (name === undefined) continue;
    const text = cleanText(name);
    const width = widthOf(text, 'strong') + 10;
    pen.save();
    pen.translate(...middles[side]);
    if (side === 'left' || side === 'right') pen.rotate(-Math.PI / 2);
    fill(pen, { x: -width / 2, y: -5, width, height: 10 }, white);
    write(pen, text, { x: -width / 2 + 5, y: 2.8, role: 'strong', colour: ink });
    pen.restore();
  }
}

/** Returns the middles of the sides of the outer frame. */
function middlesOf({ corners, ring }: SheetFrame, thick: readonly Point[]): Record<Side, Point> {
  const starts = corners.map(({ point }) =>
    ring.findIndex(([x, y]) => Math.hypot(x - point[0], y - point[1]) < 1e-3),
  );
  const middle = (side: number): Point => {
    const start = starts[side] ?? 0;
    const end = starts[side + 1] ?? ring.length;
    const exact = (start + (end <= start ? ring.length : end)) / 2;
    const [one, other] = [thick[Math.floor(exact) % ring.length], thick[Math.ceil(exact) % ring.length]];
    return [((one?.[0] ?? 0) + (other?.[0] ?? 0)) / 2, ((one?.[1] ?? 0) + (other?.[1] ?? 0)) / 2];
  };
  return { bottom: middle(0), right: middle(1), top: middle(2), left: middle(3) };
}
