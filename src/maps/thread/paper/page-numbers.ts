import { openPlane } from '../../../../common/maps/paper/planes.ts';
import type { Box } from '../../../../common/maps/paper/papers.ts';
import type { IndexRow, SheetPage } from '../../../../common/maps/paper/sheet-page.ts';
import { fill, type Pen, widthOf, write } from '../canvas/canvas.ts';
import { cleanText } from '../canvas/text.ts';
import { bordersOf } from './borders.ts';
import { ink } from './map.ts';

const height = 11;
/** Minimum and maximum distance of a number from its unit, in points, and the number of directions to try. */
const [nearest, farthest, directions] = [12, 60, 12] as const;

type Place = Pick<Box, 'x' | 'y'>;
type Label = Pick<Box, 'x' | 'y' | 'width'>;

/** Writes the number of its page into each unit, or beside it with a line if another number is there. */
export function drawPageNumbers(
  pen: Pen,
  { frame, plane }: SheetPage,
  map: Box,
  rows: readonly Pick<IndexRow, 'page' | 'polygons'>[],
): void {
  const perPoint = (frame.right - frame.left) / map.width;
  const opened = openPlane(plane);
  const wanted = rows.map(({ polygons, page }) => {
    const borders = bordersOf(polygons, {
      plane: opened,
      toPicture: ([x, y]) => [map.x + (x - frame.left) / perPoint, map.y + (frame.top - y) / perPoint],
      step: 1,
      bounds: undefined,
    });
    const largest = borders.toSorted((one, other) => other.length - one.length)[0] ?? [];
    const sum = largest.reduce(([a, b], [x, y]) => [a + x, b + y] as const, [0, 0] as const);
    const text = cleanText(page);
    const place = { x: sum[0] / largest.length, y: sum[1] / largest.length };
    return { text, size: largest.length, ...place, width: widthOf(text, 'strong') + 6 };
  });
  const placed: (Label & { readonly text: string; readonly of: Place })[] = [];
  // Small units choose first, because the number stands for them; a large one has room elsewhere.
  for (const { size: _, ...label } of wanted.toSorted((one, other) => one.size - other.size))
    placed.push({ ...label, ...freePlace(label, placed, map), of: { x: label.x, y: label.y } });
  for (const { x, y, of } of placed) if (x !== of.x || y !== of.y) drawLine(pen, of, { x, y });
  for (const { text, x, y, width } of placed) {
    fill(pen, { x: x - width / 2, y: y - 6.5, width, height }, [255, 255, 255, 225]);
    write(pen, text, { x: x - width / 2 + 3, y: y + 2, role: 'strong', colour: ink });
  }
}

/** Returns the position itself, or the nearest free one around it; the position itself if none is free. */
export function freePlace({ x, y, width }: Label, others: readonly Label[], map: Box): Place {
  const isFree = (place: Place) =>
    others.every(
      (other) =>
        Math.abs(other.x - place.x) >= (other.width + width) / 2 || Math.abs(other.y - place.y) >= height,
    );
  const isOnMap = (place: Place) =>
    place.x > map.x + width &&
    place.x < map.x + map.width - width &&
    place.y > map.y + height &&
    place.y < map.y + map.height - height;
  if (isFree({ x, y })) return { x, y };
  for (let away = nearest; away <= farthest; away += nearest / 2) {
    for (let turn = 0; turn < directions; turn += 1) {
      const angle = (2 * Math.PI * turn) / directions;
      const place = { x: x + away * Math.cos(angle), y: y + away * Math.sin(angle) };
      if (isOnMap(place) && isFree(place)) return place;
    }
  }
  return { x, y };
}

function drawLine(pen: Pen, from: Place, to: Place): void {
  for (const [colour, lineWidth] of [
    ['rgba(255, 255, 255, 0.9)', 2],
    ['rgb(24, 33, 29)', 0.7],
  ] as const) {
    pen.strokeStyle = colour;
    pen.lineWidth = lineWidth;
    pen.beginPath();
    pen.moveTo(from.x, from.y);
    pen.lineTo(to.x, to.y);
    pen.stroke();
  }
}
