import type { Frame } from '../../../../geo/child/areas/frame.ts';
import type { Rings } from '../../../../geo/child/areas/outline.ts';
import { inputProblems } from '../../../../messages/inputs/english.ts';
import type { ReferenceGrid } from '../../../grid/reference-grid.ts';
import type { InputFigures, RecipeOf } from '../../input-work.ts';
import { createCentreWalker } from './centres.ts';
import type { Tile } from '../../../model/tiles.ts';
import { type Features, partsOf } from './features.ts';
import { createNearest, squareSide } from './nearest.ts';
import { createPlacing, meets } from './placing.ts';
import { createSegmentList, createSegmentTree, type Segments } from './segments.ts';
import { createSpace, meanRadius, type Space } from './space.ts';
import { stripsOf, type Target } from './target.ts';

type Distance = RecipeOf<'distance'>;

/** Maximum error of an outline, and of a straight stretch, in pixels. */
const [tolerancePixels, bendPixels] = [1e-2, 1e-3];

/** A place to measure from: the grid, and its position on the earth. */
interface Ground {
  readonly grid: ReferenceGrid;
  readonly frame: Frame;
}

/**
 * Makes a raster of the distance in metres from the centre of each pixel to the nearest feature, also to those beside the grid; 0 within
 * a polygon. Distances are to the features themselves, not to their pixels.
 * @throws {Problem} without a feature, and for a measure that the grid does not have
 */
export async function measureDistance(
  features: Features,
  ground: Ground,
  recipe: Distance,
  target: Target,
): Promise<Pick<InputFigures, 'features' | 'skipped' | 'beyond_limit'>> {
  const { grid } = ground;
  const space = createSpace(recipe, ground);
  const { segments, polygons, used, skipped } = await readTargets(features, ground, recipe, space);
  if (segments.count === 0) throw inputProblems.noFeatures();
  const limit = recipe.limitMetres ?? Infinity;
  const nearest = createNearest({ segments, tree: createSegmentTree(segments), space, limit });
  const walk = createCentreWalker();
  let beyondLimit = 0;
  const filler = recipe.beyond === 'limit' && limit !== Infinity ? limit : target.noData;
  for (const { strip } of stripsOf(grid)) {
    const values = target.room(strip.width * strip.height);
    if (!(values instanceof Float32Array)) throw new Error('distances are no classes');
    for (const square of squaresOf(strip)) nearest.fill(values, square, strip);
    for (const polygon of polygons) {
      if (!meets(polygon, strip)) continue;
      const runs = walk(polygon.rings, strip);
      for (let i = 0; i < runs.length; i += 2) values.fill(0, runs[i], runs[i + 1]);
    }
    for (let i = 0; i < values.length; i += 1) {
      const value = values[i] ?? NaN;
      if (value <= limit && value !== Infinity) continue;
      if (value > limit) beyondLimit += 1;
      values[i] = Number.isNaN(value) ? target.noData : filler;
    }
    await target.write(strip, values);
  }
  return { features: used, skipped, beyond_limit: limit === Infinity ? null : beyondLimit };
}

function* squaresOf({ x, y, width, height }: Tile): Generator<Tile> {
  const [right, bottom] = [x + width, y + height];
  for (let top = y; top < bottom; top += squareSide)
    for (let left = x; left < right; left += squareSide)
      yield {
        x: left,
        y: top,
        width: Math.min(squareSide, right - left),
        height: Math.min(squareSide, bottom - top),
      };
}

/** Reads the features as stretches, and their polygons as outlines. */
async function readTargets(features: Features, { grid, frame }: Ground, { where }: Distance, space: Space) {
  const column = where === null ? undefined : features.column(where.attribute);
  const values = new Set(where?.values);
  const pixel = pixelMetres(grid, space);
  // The sagitta of an arc of this length on the earth.
  const longest = Math.max(1, Math.sqrt(8 * meanRadius * bendPixels * pixel));
  const lines = createLines(space, longest);
  const placing = createPlacing<Rings>(frame, tolerancePixels);
  let [used, skipped] = [0, 0];
  const without = await features.visit((geometry, textOf) => {
    if (column !== undefined && !values.has(textOf(column) ?? '')) {
      skipped += 1;
      return;
    }
    used += 1;
    const parts = partsOf(geometry);
    for (const positions of parts.points)
      for (let i = 0; i < positions.length; i += 2) lines.add(positions.subarray(i, i + 2));
    for (const line of parts.lines) lines.add(line);
    for (const rings of parts.polygons) {
      for (const ring of rings) lines.add(ring);
      placing.add({ id: '', rings });
    }
  });
  return { segments: lines.finish(), polygons: placing.placed(), used, skipped: skipped + without };
}

/** Positions that are placed together. */
const positionsAtOnce = 16_384;

/** Collects lines as stretches of at most `longest` metres: they are straight in longitude and latitude. */
function createLines(space: Space, longest: number) {
  const list = createSegmentList();
  let [lons, lats, starts]: [number[], number[], number[]] = [[], [], []];

  function place(): void {
    const places = space.ofEarth(Float64Array.from(lons), Float64Array.from(lats));
    for (const [index, start] of starts.entries()) {
      const last = (starts[index + 1] ?? lons.length) - 1;
      if (start === last) list.add(places, start, start);
      for (let i = start; i < last; i += 1) list.add(places, i, i + 1);
    }
    [lons, lats, starts] = [[], [], []];
  }

  return {
    /** @param line one position for a point */
    add(line: Float64Array): void {
      const turn = space.turnOf(line[0] ?? NaN);
      starts.push(lons.length);
      for (let i = 0; i < line.length; i += 2) {
        const [lon1, lat1] = [(line[i] ?? NaN) + turn, line[i + 1] ?? NaN];
        if (i > 0) {
          const [lon0, lat0] = [(line[i - 2] ?? NaN) + turn, line[i - 1] ?? NaN];
          const east = (lon1 - lon0) * Math.cos(((lat0 + lat1) * Math.PI) / 360);
          const metres = ((Math.hypot(east, lat1 - lat0) * Math.PI) / 180) * meanRadius;
          const pieces = Math.ceil(metres / longest);
          for (let k = 1; k < pieces; k += 1) {
            lons.push(lon0 + ((lon1 - lon0) * k) / pieces);
            lats.push(lat0 + ((lat1 - lat0) * k) / pieces);
          }
        }
        lons.push(lon1);
        lats.push(lat1);
      }
      if (lons.length >= positionsAtOnce) place();
    },
    finish(): Segments {
      if (lons.length > 0) place();
      return list.finish();
    },
  };
}

/** Returns the size of the pixel in the middle of a grid. */
function pixelMetres({ width, height }: ReferenceGrid, space: Space): number {
  const [column, row] = [Math.floor(width / 2), Math.floor(height / 2)];
  const places = space.ofGrid(
    Float64Array.of(column, column + 1, column),
    Float64Array.of(row, row, row + 1),
  );
  const to = (corner: number) =>
    Math.hypot(...[0, 1, 2].map((axis) => (places[3 * corner + axis] ?? NaN) - (places[axis] ?? NaN)));
  return Math.min(to(1), to(2)) || 1;
}
