import type { Frame } from '../../../../geo/child/areas/frame.ts';
import { type BorderCells, createCellWalker } from '../../../../geo/child/areas/cells.ts';
import { placesOfRings, type Places } from '../../../../geo/child/areas/outline.ts';
import { validRings } from '../../../../geo/child/areas/unit-polygons.ts';
import type { Geometry } from '../../../../geo/flatgeobuf/geometry.ts';
import { geometryWkb } from '../../../../geo/flatgeobuf/wkb.ts';
import { inputProblems } from '../../../../messages/inputs/english.ts';
import type { ReferenceGrid } from '../../../grid/reference-grid.ts';
import type { Tile } from '../../../model/tiles.ts';
import { type InputFigures, maxListedValues, type RecipeOf } from '../../input-work.ts';
import { createCentreWalker } from './centres.ts';
import { type Features, partsOf } from './features.ts';
import { bandsOf, type Target } from './target.ts';

type Rasterize = RecipeOf<'rasterize'>;
type Found = Pick<
  InputFigures,
  'features' | 'skipped' | 'unmapped' | 'unmapped_values' | 'overlap' | 'largest_difference'
>;

/** Maximum error of an approximated line, in pixels, for centres and for exact shares. */
const [centreTolerance, shareTolerance] = [1e-4, 1e-6];
/** All outlines are in memory at once, 16 bytes for a position. */
const mostPositions = 24e6;
/** Maximum number of distinct numbers whose shares are compared in each pixel. */
const mostShares = 256;
const roundingOfCover = 1e-9;

/** A polygon on the grid, and its number. */
interface Placed extends Places {
  readonly number: number;
  /** The smallest rank of several polygons at the centre of a pixel gives its value. */
  readonly rank: number;
}

interface Layer {
  readonly polygons: readonly Placed[];
  readonly found: Omit<Found, 'overlap' | 'largest_difference'>;
}

/** Makes a raster of an attribute of polygons. @throws {Problem} for an attribute, or a value of it, that the recipe does not cover */
export async function rasterize(
  features: Features,
  { grid, frame }: { readonly grid: ReferenceGrid; readonly frame: Frame },
  recipe: Rasterize,
  target: Target,
): Promise<Found> {
  const { polygons, found } = await placePolygons(features, frame, recipe);
  const draw = recipe.rule === 'centre' ? drawCentres : recipe.rule === 'mean' ? drawMeans : drawMajorities;
  return { ...found, ...(await draw(polygons, grid, target, recipe)) };
}

/** Places all polygons on the grid, in the order of their first rows. */
async function placePolygons(features: Features, frame: Frame, recipe: Rasterize): Promise<Layer> {
  const column = features.column(recipe.attribute);
  const numberOf = numbersOf(recipe);
  const polygons: Placed[] = [];
  const unmapped = new Map<string | null, number>();
  let [used, skipped, positions] = [0, 0, 0];
  const tolerance = recipe.rule === 'centre' ? centreTolerance : shareTolerance;
  const ringsOf = recipe.rule === 'centre' ? drawnRings : correctRings;
  const withoutGeometry = await features.visit((geometry, textOf) => {
    const value = textOf(column);
    const given = numberOf(value);
    if (given === undefined) {
      unmapped.set(value, (unmapped.get(value) ?? 0) + 1);
      return;
    }
    let isUsed = false;
    for (const rings of ringsOf(geometry)) {
      isUsed = true;
      if (given.number === null) continue;
      const places = placesOfRings({ id: value ?? '', rings }, frame, tolerance);
      if (places.firstRow >= places.endRow) continue;
      positions += places.rings.reduce((sum, ring) => sum + ring.length / 2, 0);
      if (positions > mostPositions) throw inputProblems.tooManyPositions(mostPositions);
      polygons.push({ ...places, number: given.number, rank: given.rank });
    }
    if (isUsed) used += 1;
    else skipped += 1;
  });
  const values = [...unmapped].toSorted(([, one], [, other]) => other - one);
  if (values.length > 0 && recipe.unmapped === 'refuse')
    throw inputProblems.unmappedValues(
      recipe.attribute,
      values.slice(0, 10).map(([value]) => value ?? ''),
      values.length,
    );
  if (used === 0 && skipped > 0) throw inputProblems.noPolygons();
  return {
    polygons: polygons.toSorted((one, other) => one.firstRow - other.firstRow),
    found: {
      features: used,
      skipped: skipped + withoutGeometry,
      unmapped: values.slice(0, maxListedValues).map(([value, count]) => ({ value, features: count })),
      unmapped_values: values.length,
    },
  };
}

/** Returns the function that gives the number of a value, null for none on purpose, and undefined for a value without an instruction. */
function numbersOf({ table }: Rasterize) {
  if (table === null)
    return (value: string | null) => {
      const number = value === null || value.trim() === '' ? NaN : Number(value);
      return Number.isFinite(number) ? { number, rank: -number } : undefined;
    };
  const known = new Map(table.map(({ value, number }, rank) => [value, { number, rank }]));
  return (value: string | null) => known.get(value);
}

/** Returns the rings of each polygon as they are: for centres, the even-odd rule applies. */
function drawnRings(geometry: Geometry): readonly (readonly Float64Array[])[] {
  return partsOf(geometry).polygons;
}

/** Returns rings that do not cross, for exact shares. */
function correctRings(geometry: Geometry): readonly (readonly Float64Array[])[] {
  if (partsOf(geometry).polygons.length === 0) return [];
  const rings = validRings(geometryWkb(geometry));
  return rings.length === 0 ? [] : [rings];
}

type Drawn = Pick<Found, 'overlap' | 'largest_difference'>;

/** Yields the bands of the grid, with the polygons in each. */
function* polygonsByBand(
  polygons: readonly Placed[],
  grid: ReferenceGrid,
  bytesPerPixel: number,
): Generator<{ readonly band: Tile; readonly inBand: readonly Placed[] }> {
  let next = 0;
  let active: readonly Placed[] = [];
  for (const band of bandsOf(grid, bytesPerPixel)) {
    const bottom = band.y + band.height;
    const from = next;
    while (next < polygons.length && (polygons[next]?.firstRow ?? Infinity) < bottom) next += 1;
    active = [...active, ...polygons.slice(from, next)].filter(({ endRow }) => endRow > band.y);
    yield { band, inBand: active };
  }
}

const pixelsOf = (target: Target, length: number) =>
  (target.isClasses ? new Uint8Array(length) : new Float32Array(length)).fill(target.noData);

async function drawCentres(polygons: readonly Placed[], grid: ReferenceGrid, target: Target): Promise<Drawn> {
  const walk = createCentreWalker();
  // In the order of their ranks; 0 stands for no polygon.
  const numbers = [target.noData, ...numbersByRank(polygons)];
  const placeOf = new Map(numbers.map((number, place) => [number, place]));
  let [places, isShared, values] = [new Uint32Array(0), new Uint8Array(0), pixelsOf(target, 0)];
  let [overlap, largestDifference] = [0, 0];
  for (const { band, inBand } of polygonsByBand(polygons, grid, 16)) {
    const count = band.width * band.height;
    if (places.length < count)
      [places, isShared, values] = [new Uint32Array(count), new Uint8Array(count), pixelsOf(target, count)];
    places.fill(0);
    isShared.fill(0);
    for (const { rings, number } of inBand) {
      const own = placeOf.get(number) ?? 0;
      walk(rings, band, (row, from, to) => {
        const start = (row - band.y) * band.width;
        for (let i = start + from; i < start + to; i += 1) {
          const before = places[i] ?? 0;
          if (before === 0) places[i] = own;
          else {
            isShared[i] = 1;
            const difference = Math.abs((numbers[before] ?? 0) - number);
            if (difference > largestDifference) largestDifference = difference;
            if (own < before) places[i] = own;
          }
        }
      });
    }
    for (let i = 0; i < count; i += 1) {
      values[i] = numbers[places[i] ?? 0] ?? 0;
      overlap += isShared[i] ?? 0;
    }
    await target.write(band, values.subarray(0, count));
  }
  return { overlap, largest_difference: overlap === 0 ? null : largestDifference };
}

/** Returns the numbers of polygons in the order of their ranks; the smallest rank of a number counts. */
function numbersByRank(polygons: readonly Placed[]): readonly number[] {
  const ranks = new Map<number, number>();
  for (const { number, rank } of polygons) ranks.set(number, Math.min(rank, ranks.get(number) ?? Infinity));
  return [...ranks].toSorted(([, one], [, other]) => one - other).map(([number]) => number);
}

/** Visits the pixels of a polygon in a band with their covered shares, run by run. */
function createShareWalker() {
  const walk = createCellWalker();
  return (
    { rings, sign, firstRow, endRow }: Placed,
    band: Tile,
    visit: (row: number, from: number, to: number, share: number) => void,
  ): void => {
    const top = Math.max(band.y, firstRow);
    const bottom = Math.min(band.y + band.height, endRow);
    if (top >= bottom) return;
    const cells = walk({ rings, sign }, { top, bottom, width: band.width });
    for (let row = top; row < bottom; row += 1)
      visitRow(cells, row - top, band.width, (from, to, share) => visit(row, from, to, share));
  };
}

function visitRow(
  { starts, columns, shares, steps }: BorderCells,
  row: number,
  width: number,
  visit: (from: number, to: number, share: number) => void,
): void {
  let [covered, next] = [0, 0];
  const last = starts[row + 1] ?? 0;
  for (let i = starts[row] ?? 0; i < last; i += 1) {
    const at = columns[i] ?? 0;
    if (at > next && covered > roundingOfCover) visit(next, at, Math.min(1, covered));
    const share = covered + (shares[i] ?? 0);
    if (at >= 0 && share > roundingOfCover) visit(at, at + 1, Math.min(1, share));
    covered += steps[i] ?? 0;
    next = at + 1;
  }
  if (next < width && covered > roundingOfCover) visit(next, width, Math.min(1, covered));
}

async function drawMeans(
  polygons: readonly Placed[],
  grid: ReferenceGrid,
  target: Target,
  { minCoverage }: Rasterize,
): Promise<Drawn> {
  const walk = createShareWalker();
  let overlap = 0;
  for (const { band, inBand } of polygonsByBand(polygons, grid, 24)) {
    const values = pixelsOf(target, band.width * band.height);
    const [sums, covers] = [new Float64Array(values.length), new Float64Array(values.length)];
    for (const polygon of inBand)
      walk(polygon, band, (row, from, to, share) => {
        const start = (row - band.y) * band.width;
        const part = share * polygon.number;
        for (let i = start + from; i < start + to; i += 1) {
          sums[i] = (sums[i] ?? 0) + part;
          covers[i] = (covers[i] ?? 0) + share;
        }
      });
    for (let i = 0; i < values.length; i += 1) {
      const cover = covers[i] ?? 0;
      if (cover > 1 + 1e-6) overlap += 1;
      if (cover > 0 && cover >= minCoverage - roundingOfCover) values[i] = (sums[i] ?? 0) / cover;
    }
    await target.write(band, values);
  }
  return { overlap, largest_difference: null };
}

async function drawMajorities(
  polygons: readonly Placed[],
  grid: ReferenceGrid,
  target: Target,
  { minCoverage }: Rasterize,
): Promise<Drawn> {
  const walk = createShareWalker();
  // In the order of their ranks, so that the first of two equal shares wins.
  const numbers = numbersByRank(polygons);
  if (numbers.length > mostShares) throw inputProblems.tooManyNumbers(numbers.length, mostShares);
  const indexOf = new Map(numbers.map((number, index) => [number, index]));
  let overlap = 0;
  for (const { band, inBand } of polygonsByBand(polygons, grid, 8 * numbers.length + 8)) {
    const values = pixelsOf(target, band.width * band.height);
    const shares = numbers.map(() => new Float64Array(values.length));
    for (const polygon of inBand) {
      const own = shares[indexOf.get(polygon.number) ?? 0];
      if (own === undefined) continue;
      walk(polygon, band, (row, from, to, share) => {
        const start = (row - band.y) * band.width;
        for (let i = start + from; i < start + to; i += 1) own[i] = (own[i] ?? 0) + share;
      });
    }
    for (let i = 0; i < values.length; i += 1) {
      let [cover, most, winner] = [0, 0, -1];
      for (let k = 0; k < shares.length; k += 1) {
        const share = shares[k]?.[i] ?? 0;
        cover += share;
        // A larger share by rounding alone does not win.
        if (share > most + roundingOfCover) [most, winner] = [share, k];
      }
      if (cover > 1 + 1e-6) overlap += 1;
      if (winner >= 0 && cover >= minCoverage - roundingOfCover) values[i] = numbers[winner] ?? 0;
    }
    await target.write(band, values);
  }
  return { overlap, largest_difference: null };
}
