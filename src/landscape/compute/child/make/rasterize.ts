import type { Frame } from '../../../../geo/child/areas/frame.ts';
import type { Rings } from '../../../../geo/child/areas/outline.ts';
import { turnedRings, validRings } from '../../../../geo/child/areas/unit-polygons.ts';
import type { Geometry } from '../../../../geo/flatgeobuf/geometry.ts';
import { geometryWkb } from '../../../../geo/flatgeobuf/wkb.ts';
import { inputProblems } from '../../../../messages/inputs/english.ts';
import type { ReferenceGrid } from '../../../grid/reference-grid.ts';
import type { Tile } from '../../../model/tiles.ts';
import type { InputFigures, RecipeOf } from '../../input-work.ts';
import { maxListedValues } from '../../listed-values.ts';
import { createCentreWalker } from './centres.ts';
import { type Features, partsOf } from './features.ts';
import { createPlacing, meets, type OnGrid } from './placing.ts';
import { createCover, createTally, roundingOfCover } from './shares.ts';
import { mostPixelsOfStrip, type Pixels, stripsOf, type Target } from './target.ts';

type Rasterize = RecipeOf<'rasterize'>;
type Found = Pick<
  InputFigures,
  'features' | 'skipped' | 'unmapped' | 'unmapped_values' | 'overlap' | 'largest_difference'
>;

/** Maximum error of an approximated line, in pixels, for centres and for exact shares. */
const [centreTolerance, shareTolerance] = [1e-4, 1e-6];
/** A polygon on the grid; the smallest rank of several polygons in a pixel gives its value. */
type Numbered = Rings & { readonly number: number; readonly rank: number };
type Placed = OnGrid<Numbered>;

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

/** Places all polygons on the grid. */
async function placePolygons(features: Features, frame: Frame, recipe: Rasterize): Promise<Layer> {
  const column = features.column(recipe.attribute);
  const numberOf = numbersOf(recipe);
  const placing = createPlacing<Numbered>(frame, recipe.rule === 'centre' ? centreTolerance : shareTolerance);
  const unmapped = new Map<string | null, number>();
  let [used, skipped] = [0, 0];
  const ringsOf = recipe.rule === 'centre' ? drawnRings : correctRings;
  const withoutGeometry = await features.visit((geometry, textOf) => {
    const value = textOf(column);
    const given = numberOf(value);
    if (given === undefined) {
      unmapped.set(value, (unmapped.get(value) ?? 0) + 1);
      return;
    }
    const polygons = ringsOf(geometry);
    if (polygons.length > 0) used += 1;
    else skipped += 1;
    const { number, rank } = given;
    if (number === null) return;
    for (const rings of polygons) placing.add({ id: value ?? '', rings, number, rank });
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
    polygons: placing.placed(),
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
  const rings = validRings(geometryWkb(geometry)) ?? turnedRings(partsOf(geometry).polygons);
  return rings.length === 0 ? [] : [rings];
}

type Drawn = Pick<Found, 'overlap' | 'largest_difference'>;

/** Passes the strips of the raster, with the polygons in each, and writes the pixels. */
async function drawStrips(
  polygons: readonly Placed[],
  grid: ReferenceGrid,
  target: Target,
  draw: (strip: Tile, within: readonly Placed[], values: Pixels) => void,
): Promise<void> {
  let [window, inWindow]: [Tile | undefined, readonly Placed[]] = [undefined, []];
  for (const { window: own, strip } of stripsOf(grid)) {
    if (own !== window) [window, inWindow] = [own, polygons.filter((polygon) => meets(polygon, own))];
    const values = target.room(strip.width * strip.height).fill(target.noData);
    draw(
      strip,
      inWindow.filter((polygon) => meets(polygon, strip)),
      values,
    );
    await target.write(strip, values);
  }
}

async function drawCentres(polygons: readonly Placed[], grid: ReferenceGrid, target: Target): Promise<Drawn> {
  const walk = createCentreWalker();
  // In the order of their ranks; 0 stands for no polygon.
  const numbers = Float64Array.from([target.noData, ...numbersByRank(polygons)]);
  const placeOf = new Map([...numbers].map((number, place) => [number, place]));
  const places = new Uint32Array(mostPixelsOfStrip);
  const isShared = new Uint8Array(mostPixelsOfStrip);
  let [overlap, largestDifference] = [0, 0];

  /** Draws a run over others. */
  function overdraw(own: number, from: number, to: number): void {
    for (let i = from; i < to; i += 1) {
      const before = places[i] ?? 0;
      if (before === 0) places[i] = own;
      else {
        isShared[i] = 1;
        const difference = Math.abs((numbers[before] ?? 0) - (numbers[own] ?? 0));
        if (difference > largestDifference) largestDifference = difference;
        if (own < before) places[i] = own;
      }
    }
  }

  await drawStrips(polygons, grid, target, (strip, within, values) => {
    places.fill(0, 0, values.length);
    isShared.fill(0, 0, values.length);
    for (const { rings, number } of within) {
      const own = placeOf.get(number) ?? 0;
      const runs = walk(rings, strip);
      for (let i = 0; i < runs.length; i += 2) {
        const [from, to] = [runs[i] ?? 0, runs[i + 1] ?? 0];
        if (isEmpty(places, from, to)) places.fill(own, from, to);
        else overdraw(own, from, to);
      }
    }
    if (values instanceof Uint8Array) numberClasses(places, numbers, values);
    else numberValues(places, numbers, values);
    for (let i = 0; i < values.length; i += 1) overlap += isShared[i] ?? 0;
  });
  return { overlap, largest_difference: overlap === 0 ? null : largestDifference };
}

function isEmpty(places: Uint32Array, from: number, to: number): boolean {
  let any = 0;
  for (let i = from; i < to; i += 1) any |= places[i] ?? 0;
  return any === 0;
}

function numberClasses(places: Uint32Array, numbers: Float64Array, values: Uint8Array): void {
  for (let i = 0; i < values.length; i += 1) values[i] = numbers[places[i] ?? 0] ?? 0;
}

function numberValues(places: Uint32Array, numbers: Float64Array, values: Float32Array): void {
  for (let i = 0; i < values.length; i += 1) values[i] = numbers[places[i] ?? 0] ?? 0;
}

/** Returns the numbers of polygons in the order of their ranks; the smallest rank of a number counts. */
function numbersByRank(polygons: readonly Placed[]): readonly number[] {
  const ranks = new Map<number, number>();
  for (const { number, rank } of polygons) ranks.set(number, Math.min(rank, ranks.get(number) ?? Infinity));
  return [...ranks].toSorted(([, one], [, other]) => one - other).map(([number]) => number);
}

/** Draws what polygons cover of each pixel. @param valueOf number of a pixel by its shares, and what is covered; undefined for none */
async function drawShares(
  { polygons, numbers, grid, target }: SharesToDraw,
  { minCoverage }: Rasterize,
  choose: Choose,
): Promise<Drawn> {
  const indexOf = new Map([...numbers].map((number, index) => [number, index]));
  const cover = createCover(mostPixelsOfStrip);
  const { whole, heads } = cover.covered;
  const tally = createTally(cover.covered, numbers.length);
  let overlap = 0;
  await drawStrips(polygons, grid, target, (strip, within, values) => {
    cover.clear(values.length);
    for (const polygon of within) cover.add(polygon, strip, indexOf.get(polygon.number) ?? 0);
    for (let i = 0; i < values.length; i += 1) {
      if (heads[i] === 0) {
        const index = whole[i] ?? 0;
        if (index > 0) values[i] = numbers[index - 1] ?? 0;
        continue;
      }
      const own = tally.of(i);
      let covered = 0;
      for (let k = 0; k < own.length; k += 1) covered += tally.shares[own[k] ?? 0] ?? 0;
      if (covered > 1 + 1e-6) overlap += 1;
      if (covered >= minCoverage - roundingOfCover) values[i] = choose(own, tally.shares, covered);
    }
  });
  return { overlap, largest_difference: null };
}

interface SharesToDraw {
  readonly polygons: readonly Placed[];
  readonly numbers: Float64Array;
  readonly grid: ReferenceGrid;
  readonly target: Target;
}

/** Returns the value of a pixel. @param own indexes of the numbers with a share @param shares by index */
type Choose = (own: Uint32Array, shares: Float64Array, covered: number) => number;

async function drawMeans(
  polygons: readonly Placed[],
  grid: ReferenceGrid,
  target: Target,
  recipe: Rasterize,
): Promise<Drawn> {
  const numbers = Float64Array.from(numbersByRank(polygons));
  return await drawShares({ polygons, numbers, grid, target }, recipe, (own, shares, covered) => {
    let sum = 0;
    for (let k = 0; k < own.length; k += 1) sum += (shares[own[k] ?? 0] ?? 0) * (numbers[own[k] ?? 0] ?? 0);
    return sum / covered;
  });
}

async function drawMajorities(
  polygons: readonly Placed[],
  grid: ReferenceGrid,
  target: Target,
  recipe: Rasterize,
): Promise<Drawn> {
  // In the order of their ranks, so that the first of two equal shares wins.
  const numbers = Float64Array.from(numbersByRank(polygons));
  return await drawShares({ polygons, numbers, grid, target }, recipe, (own, shares) => {
    let [most, winner] = [0, 0];
    for (let k = 0; k < own.length; k += 1) {
      const index = own[k] ?? 0;
      const share = shares[index] ?? 0;
      // A larger share by rounding alone does not win.
      if (share > most + roundingOfCover) [most, winner] = [share, index];
    }
    return numbers[winner] ?? 0;
  });
}
