import type { Frame } from '../../../../geo/child/areas/frame.ts';
import { type Places, placesOfUnits, type Rings } from '../../../../geo/child/areas/outline.ts';
import { inputProblems } from '../../../../messages/inputs/english.ts';
import type { Tile } from '../../../model/tiles.ts';

/** All outlines are in memory at once, 16 bytes for a position. */
const mostPositions = 24e6;
/** Positions that are placed together. */
const positionsAtOnce = 16_384;

/** A polygon in the pixels of a grid. */
export type OnGrid<Polygon extends Rings> = Polygon &
  Places & {
    readonly firstColumn: number;
    /** End column, exclusive. */
    readonly endColumn: number;
  };

/** Collects polygons that meet a grid; many are placed at once, which is much faster. @throws {Problem} for too many positions */
export function createPlacing<Polygon extends Rings>(frame: Frame, tolerance: number) {
  const placed: OnGrid<Polygon>[] = [];
  let [waiting, waitingPositions, positions]: [Polygon[], number, number] = [[], 0, 0];

  function place(): void {
    const places = placesOfUnits(waiting, frame, tolerance);
    for (const [index, polygon] of waiting.entries()) {
      const own = places[index];
      if (own === undefined || own.firstRow >= own.endRow) continue;
      const { least, most } = rangeOfColumns(own.rings);
      if (least >= frame.width || most <= 0) continue;
      positions += positionsOf(own.rings);
      if (positions > mostPositions) throw inputProblems.tooManyPositions(mostPositions);
      placed.push({ ...polygon, ...own, firstColumn: Math.floor(least), endColumn: Math.ceil(most) });
    }
    [waiting, waitingPositions] = [[], 0];
  }

  return {
    add(polygon: Polygon): void {
      waiting.push(polygon);
      waitingPositions += positionsOf(polygon.rings);
      if (waitingPositions >= positionsAtOnce) place();
    },
    placed(): readonly OnGrid<Polygon>[] {
      place();
      return placed;
    },
  };
}

/** Returns whether a polygon may cover pixels of a part of the grid. */
export function meets(
  { firstRow, endRow, firstColumn, endColumn }: OnGrid<Rings>,
  { x, y, width, height }: Tile,
): boolean {
  return firstRow < y + height && endRow > y && firstColumn < x + width && endColumn > x;
}

const positionsOf = (rings: readonly Float64Array[]) =>
  rings.reduce((sum, { length }) => sum + length / 2, 0);

function rangeOfColumns(rings: readonly Float64Array[]) {
  let [least, most] = [Infinity, -Infinity];
  for (const ring of rings)
    for (let i = 0; i < ring.length; i += 2) {
      const column = ring[i] ?? NaN;
      if (column < least) least = column;
      if (column > most) most = column;
    }
  return { least, most };
}
