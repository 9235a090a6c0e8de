import { bboxOf } from '../../../../geo/child/raster/image/georeference.ts';
import { UnreadableRaster, type RasterFacts, type RasterReader } from '../../../../geo/raster-reader.ts';
import { inputProblems } from '../../../../messages/inputs/english.ts';
import { crsOf, type ReferenceGrid, referenceGridOf } from '../../../grid/reference-grid.ts';
import type { InputFigures, InputWork, MadeInput } from '../../input-work.ts';
import { SourceUnreadable } from '../../source-errors.ts';
import { type Target, writeRaster } from './target.ts';

/** Enough for the country in 10 m. */
const mostPixels = 64e9;

type Found = Omit<InputFigures, 'width' | 'height' | 'valid'>;

const none: Found = {
  features: null,
  skipped: null,
  unmapped: [],
  unmapped_values: 0,
  overlap: null,
  largest_difference: null,
  invalid: null,
  beyond_limit: null,
};

/** Makes an input raster by its recipe, in bands and tiles of bounded memory. @throws {Problem} for sources that do not suit the recipe */
export async function makeInput(createReader: () => RasterReader, work: InputWork): Promise<MadeInput> {
  const { recipe, classes, folder } = work;
  const grid = await readGrid(createReader(), work);
  let found = none;
  let valid = 0;
  const path = await writeRaster(grid, { isClasses: classes !== null, folder }, async (target) => {
    found = { ...none, ...(await fill(createReader, grid, work, target)) };
    valid = target.valid();
  }).catch((error: unknown) => {
    if (error instanceof SourceUnreadable) throw inputProblems.unreadable(Number(error.key) + 1);
    throw error;
  });
  if (valid === 0) throw inputProblems.empty(recipe.method === 'rasterize' || recipe.method === 'distance');
  return { path, figures: { width: grid.width, height: grid.height, valid, ...found } };
}

async function fill(
  createReader: () => RasterReader,
  grid: ReferenceGrid,
  { recipe, sources, classes }: InputWork,
  target: Target,
): Promise<Partial<Found>> {
  if (recipe.method === 'mosaic' || recipe.method === 'arithmetic') {
    const rasters = sources.filter(({ role }) => role === 'raster');
    const { combineRasters } = await import('./combine.ts');
    return await combineRasters(createReader, grid, { rasters, recipe, classes }, target);
  }
  const file = sources.find(({ role }) => role === 'features');
  if (file === undefined) throw new Error('a recipe for features has none');
  const [{ openFeatures }, { createFrame }] = await loadFeatures();
  await using features = await openFeatures(file.path);
  const ground = { grid, frame: createFrame(georeferenceOf(grid)) };
  return recipe.method === 'rasterize'
    ? await (await import('./rasterize.ts')).rasterize(features, ground, recipe, target)
    : await (await import('./distance.ts')).measureDistance(features, ground, recipe, target);
}

const loadFeatures = async () =>
  await Promise.all([import('./features.ts'), import('../../../../geo/child/areas/frame.ts')]);

/** Loads the modules that only some recipes need. */
export async function loadRecipes(): Promise<void> {
  await Promise.all([
    import('./combine.ts'),
    import('./rasterize.ts'),
    import('./distance.ts'),
    loadFeatures(),
  ]);
}

function georeferenceOf({ width, height, left, top, resX, resY, wkt }: ReferenceGrid) {
  const affine = [left, resX, 0, top, 0, -resY] as const;
  const georeference = { width, height, isPlaced: true, affine, nativeWkt: wkt, wkt };
  bboxOf(georeference); // refuses coordinates that do not fit the reference system
  return georeference;
}

async function readGrid(reader: RasterReader, { sources, recipe }: InputWork): Promise<ReferenceGrid> {
  const given = sources.find(({ role }) => role === 'grid');
  const facts: RasterFacts[] = [];
  for (const { path, key } of given === undefined
    ? sources.filter(({ role }) => role === 'raster')
    : [given]) {
    const raster = await reader.open(path).catch((error: unknown) => {
      if (error instanceof UnreadableRaster)
        throw given === undefined
          ? inputProblems.unreadable(Number(key) + 1)
          : inputProblems.unreadableGrid();
      throw error;
    });
    facts.push(raster.facts);
    raster[Symbol.dispose]();
  }
  const [first] = facts;
  if (first === undefined) throw new Error('a recipe without a grid has no raster');
  const grid = referenceGridOf(first);
  if (typeof grid === 'string') throw inputProblems.noGrid(grid === 'not_north_up');
  const whole =
    given === undefined && recipe.method === 'mosaic' ? unionOf(reader, grid, facts.slice(1)) : grid;
  if (whole.width * whole.height > mostPixels)
    throw inputProblems.tooManyPixels(whole.width * whole.height, mostPixels);
  return whole;
}

/** Tolerance for the edges of neighbours on one grid, in pixels. */
const roundingPixels = 1e-3;
const placesPerSide = 32;

/** Extends a grid by whole pixels to all rasters. */
function unionOf(reader: RasterReader, grid: ReferenceGrid, others: readonly RasterFacts[]): ReferenceGrid {
  let [left, top, right, bottom] = [0, 0, grid.width, grid.height];
  for (const [index, { width, height, affine, crs }] of others.entries()) {
    if (affine === undefined || crs === undefined) throw inputProblems.notOnEarth(index + 2);
    const [xs, ys] = [new Float64Array(4 * placesPerSide), new Float64Array(4 * placesPerSide)];
    for (let i = 0; i < placesPerSide; i += 1) {
      const share = i / placesPerSide;
      for (const [side, [column, row]] of [
        [share * width, 0],
        [width, share * height],
        [(1 - share) * width, height],
        [0, (1 - share) * height],
      ].entries()) {
        xs[4 * i + side] = affine[0] + affine[1] * (column ?? 0) + affine[2] * (row ?? 0);
        ys[4 * i + side] = affine[3] + affine[4] * (column ?? 0) + affine[5] * (row ?? 0);
      }
    }
    if (!reader.isSameCrs(crs, crsOf(grid))) {
      const transform = reader.transformation(crs, crsOf(grid));
      if (transform === undefined) throw inputProblems.notOnEarth(index + 2);
      transform(xs, ys);
    }
    for (let i = 0; i < xs.length; i += 1) {
      const column = ((xs[i] ?? NaN) - grid.left) / grid.resX;
      const row = (grid.top - (ys[i] ?? NaN)) / grid.resY;
      if (!Number.isFinite(column) || !Number.isFinite(row)) continue;
      left = Math.min(left, Math.floor(column + roundingPixels));
      right = Math.max(right, Math.ceil(column - roundingPixels));
      top = Math.min(top, Math.floor(row + roundingPixels));
      bottom = Math.max(bottom, Math.ceil(row - roundingPixels));
    }
  }
  return {
    ...grid,
    left: grid.left + left * grid.resX,
    top: grid.top - top * grid.resY,
    width: right - left,
    height: bottom - top,
  };
}
