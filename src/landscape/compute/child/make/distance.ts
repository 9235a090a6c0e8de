import type { Frame } from '../../../../geo/child/areas/frame.ts';
import { placesOfRings, type Places } from '../../../../geo/child/areas/outline.ts';
import { inputProblems } from '../../../../messages/inputs/english.ts';
import type { ReferenceGrid } from '../../../grid/reference-grid.ts';
import type { InputFigures, RecipeOf } from '../../input-work.ts';
import { createCentreWalker } from './centres.ts';
import { type Features, partsOf } from './features.ts';
import { createNearest } from './nearest.ts';
import { createSegmentList, createSegmentTree } from './segments.ts';
import { createSpace, meanRadius, type Space } from './space.ts';
import type { Target } from './target.ts';

type Distance = RecipeOf<'distance'>;

/** The side of the squares in which candidates are shared; bands of the output have this height. */
export const squareSide = 64;
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
  for (let y = 0; y < grid.height; y += squareSide) {
    const band = { x: 0, y, width: grid.width, height: Math.min(squareSide, grid.height - y) };
    const values = new Float32Array(band.width * band.height).fill(Infinity);
    for (let x = 0; x < grid.width; x += squareSide)
      nearest.fill(values, { ...band, x, width: Math.min(squareSide, grid.width - x) }, band.width);
    for (const { rings, firstRow, endRow } of polygons) {
      if (firstRow >= y + band.height || endRow <= y) continue;
      walk(rings, band, (row, from, to) =>
        values.fill(0, (row - y) * band.width + from, (row - y) * band.width + to),
      );
    }
    for (let i = 0; i < values.length; i += 1) {
      const value = values[i] ?? NaN;
      if (value <= limit && value !== Infinity) continue;
      if (value > limit) beyondLimit += 1;
      values[i] = Number.isNaN(value) ? target.noData : filler;
    }
    await target.write(band, values);
  }
  return { features: used, skipped, beyond_limit: limit === Infinity ? null : beyondLimit };
}

/** Reads the features as stretches, and their polygons as outlines. */
async function readTargets(features: Features, { grid, frame }: Ground, { where }: Distance, space: Space) {
  const column = where === null ? undefined : features.column(where.attribute);
  const values = new Set(where?.values);
  const list = createSegmentList();
  const polygons: Places[] = [];
  const pixel = pixelMetres(grid, space);
  // The sagitta of an arc of this length on the earth.
  const longest = Math.max(1, Math.sqrt(8 * meanRadius * bendPixels * pixel));
  let [used, skipped] = [0, 0];
  const without = await features.visit((geometry, textOf) => {
    if (column !== undefined && !values.has(textOf(column) ?? '')) {
      skipped += 1;
      return;
    }
    used += 1;
    const parts = partsOf(geometry);
    for (const positions of parts.points) addPoints(list, space, positions);
    for (const line of [...parts.lines, ...parts.polygons.flat()]) addLine(list, space, line, longest);
    for (const rings of parts.polygons) {
      const places = placesOfRings({ id: '', rings }, frame, tolerancePixels);
      if (places.firstRow < places.endRow) polygons.push(places);
    }
  });
  return { segments: list.finish(), polygons, used, skipped: skipped + without };
}

type SegmentList = ReturnType<typeof createSegmentList>;

function addPoints(list: SegmentList, space: Space, positions: Float64Array): void {
  const places = space.ofEarth(axisOf(positions, 0), axisOf(positions, 1));
  for (let i = 0; 2 * i < positions.length; i += 1) list.add(places, i, i);
}

/** Adds a line, in stretches of at most `longest` metres: it is straight in longitude and latitude. */
function addLine(list: SegmentList, space: Space, line: Float64Array, longest: number): void {
  const [lons, lats]: [number[], number[]] = [[], []];
  for (let i = 0; i < line.length; i += 2) {
    const [lon1, lat1] = [line[i] ?? NaN, line[i + 1] ?? NaN];
    if (i > 0) {
      const [lon0, lat0] = [line[i - 2] ?? NaN, line[i - 1] ?? NaN];
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
  const places = space.ofEarth(Float64Array.from(lons), Float64Array.from(lats));
  if (lons.length === 1) list.add(places, 0, 0);
  for (let i = 0; i + 1 < lons.length; i += 1) list.add(places, i, i + 1);
}

function axisOf(positions: Float64Array, axis: 0 | 1): Float64Array {
  return Float64Array.from({ length: positions.length / 2 }, (_, i) => positions[2 * i + axis] ?? NaN);
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
