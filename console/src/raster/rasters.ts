import { type Cache, createCache } from '../../../common/cache.ts';
import { type Cog, type Fetch, type Level, openCog } from './cog.ts';
import { type Lattice, latticeOf, type Plan, planOf } from '../../../common/maps/raster/lattice.ts';
import {
  type ClassesRequest,
  noClass,
  type OpenRequest,
  type RasterCalls,
  type TileRequest,
} from './messages.ts';
import { bandValuesOf, type Paint, paintedValues, surveyedBands } from '../../../common/maps/raster/paint.ts';
import { onlyClass, rawColoursOf, valueOfSample } from '../../../common/maps/raster/raw-colours.ts';
import type { Samples } from '../../../common/maps/raster/samples.ts';
import { type Spread, spreadOf } from '../../../common/maps/raster/stretch.ts';
import { warp } from '../../../common/maps/raster/warp.ts';
import {
  type BandColouring,
  bandColouringOf,
  opaqueSample,
} from '../../../common/maps/raster/band-colour.ts';
import { type Colouring, colouringOf } from '../../../common/maps/raster/colouring.ts';
import { rawCurveOf } from '../../../common/maps/raster/curves.ts';

interface Raster {
  readonly url: string;
  readonly cog: Cog;
}

/** A larger level is not read to estimate the range of values. */
const maxSpreadPixels = 4_194_304;
/** Represents values that were not read. */
const unseen: Spread = { least: 0, greatest: 1, p2: 0, p98: 1, quantiles: [], classes: undefined };

/** Keeps open rasters: reads, warps and colours them. Sizes in bytes. */
export function createRasters(fetch: Fetch, maxCacheBytes: number): RasterCalls {
  const rasters = new Map<string, Promise<Raster>>();
  const cache = createCache<Samples>({ maxBytes: maxCacheBytes, bytesOf: (tile) => tile.byteLength });
  const colouringFor = createColourings();

  const rasterOf = async (url: string) => {
    const raster = await rasters.get(url);
    if (raster === undefined) throw new Error(`${url} is not open`);
    return raster;
  };
  const survey = async (raster: Raster, bands: readonly number[]) => {
    const spreads = new Map<number, Spread>();
    for (const band of new Set(bands)) {
      const spread = await readSpread(raster, cache, band - 1);
      if (spread !== undefined) spreads.set(band, spread);
    }
    return spreads;
  };
  return {
    async open({ url }: OpenRequest) {
      const opened = openRaster(url, fetch);
      rasters.set(url, opened);
      cache.forgetAll(`${url} `);
      const raster = await opened;
      const { cog } = raster;
      const [full] = cog.levels;
      return {
        width: full?.width ?? 0,
        height: full?.height ?? 0,
        bands: cog.bands,
        type: cog.type,
        scales: cog.scales,
        colourBands: cog.colourBands,
        palette: cog.palette,
        spreads: await survey(raster, surveyedBands(cog, undefined)),
        affine: cog.affine,
        epsg: cog.epsg,
      };
    },
    async tile({ url, lattice, size, paint }: TileRequest) {
      const raster = await rasterOf(url);
      const { cog } = raster;
      const plan = planOf(lattice, size, cog.levels);
      if (plan === undefined) return undefined;
      const wanted = paint.kind === 'values' ? [paint.band] : paint.bands.filter((band) => band > 0);
      const { alphaBand } = cog;
      const bands = [...new Set([...wanted, ...(alphaBand === undefined ? [] : [alphaBand + 1])])];
      const squares = await Promise.all(
        bands.map(async (band) => await readSquare({ raster, cache, plan, lattice, size, band: band - 1 })),
      );
      const squareOf = (band: number) => squares[bands.indexOf(band)];
      const opacity = alphaBand === undefined ? undefined : squareOf(alphaBand + 1);
      const pixels = new Uint32Array(size * size);
      const colouring = colouringFor(paint, cog);
      if (colouring.kind === 'bands') colouring.fill(colouring.bands.map(squareOf), opacity, pixels);
      else colouring.fill(visibleOf(squareOf(colouring.band), opacity, size), pixels);
      return pixels.buffer;
    },
    async classes({ url, lattice, size }: ClassesRequest) {
      const raster = await rasterOf(url);
      const plan = planOf(lattice, size, raster.cog.levels);
      if (plan === undefined) return undefined;
      const values = await readSquare({ raster, cache, plan, lattice, size, band: 0 });
      return Uint16Array.from(values, (value) => (Number.isNaN(value) ? noClass : value)).buffer;
    },
    survey: async ({ url, bands }) => await survey(await rasterOf(url), bands),
    async peek({ url, column, row }) {
      const raster = await rasterOf(url);
      const { cog } = raster;
      const [full] = cog.levels;
      if (full === undefined) return undefined;
      if (!(column >= 0 && row >= 0 && column < full.width && row < full.height)) return undefined;
      const bands = Array.from({ length: cog.bands }, (_, band) => band);
      return await Promise.all(
        bands.map(async (band) => await readPixel(raster, cache, { column, row, band })),
      );
    },
    async close(url) {
      rasters.delete(url);
      cache.forgetAll(`${url} `);
    },
  };
}

async function openRaster(url: string, fetch: Fetch): Promise<Raster> {
  return { url, cog: await openCog(url, fetch) };
}

/** The values of pixels that the opacity band does not hide. */
function visibleOf(
  values: Float64Array | undefined,
  opacity: Float64Array | undefined,
  size: number,
): Float64Array {
  const own = values ?? new Float64Array(size * size).fill(Number.NaN);
  return opacity === undefined ? own : own.map((value, at) => ((opacity[at] ?? 0) > 0 ? value : Number.NaN));
}

interface SquareRequest {
  readonly raster: Raster;
  readonly cache: Cache<Samples>;
  readonly plan: Plan;
  readonly lattice: Lattice;
  readonly size: number;
  readonly band: number;
}

async function readSquare({
  raster,
  cache,
  plan,
  lattice,
  size,
  band,
}: SquareRequest): Promise<Float64Array> {
  const { levels } = raster.cog;
  const [full, level] = [levels[0], levels[plan.level]];
  if (full === undefined || level === undefined) throw new RangeError(`there is no level ${plan.level}`);
  const places: (readonly [number, number])[] = [];
  for (let row = plan.firstRow; row <= plan.lastRow; row += 1) {
    for (let column = plan.firstColumn; column <= plan.lastColumn; column += 1) places.push([column, row]);
  }
  const read = readerOf(raster, cache, plan.level);
  const out = new Float64Array(size * size);
  const [tiles, masks] = await Promise.all([
    Promise.all(places.map(async ([column, row]) => await read.tile(column, row, band))),
    level.readMask === undefined
      ? undefined
      : Promise.all(places.map(async (place) => await read.mask(...place))),
  ]);
  const source = {
    plan,
    full,
    level,
    tiles,
    masks,
    hidden: raster.cog.hidden,
    ...layoutOf(raster.cog, level, band),
  };
  warp(source, lattice, size, out);
  return out;
}

function layoutOf({ bands }: Cog, { isPlanar }: Level, band: number) {
  return isPlanar ? { stride: 1, offset: 0 } : { stride: bands, offset: band };
}

function readerOf({ url, cog }: Raster, cache: Cache<Samples>, levelIndex: number) {
  const level = cog.levels[levelIndex];
  if (level === undefined) throw new RangeError(`there is no level ${levelIndex}`);
  return {
    tile: async (column: number, row: number, band: number) => {
      const plane = level.isPlanar ? band : 0;
      const key = `${url} ${levelIndex} ${plane} ${column} ${row}`;
      return await cache.get(key, async () => await level.read(column, row, plane));
    },
    mask: async (column: number, row: number) => {
      const { readMask } = level;
      if (readMask === undefined) throw new Error('there is no mask');
      const key = `${url} ${levelIndex} mask ${column} ${row}`;
      return await cache.get(key, async () => await readMask(column, row));
    },
  };
}

interface Pixel {
  readonly column: number;
  readonly row: number;
  readonly band: number;
}

async function readPixel(
  raster: Raster,
  cache: Cache<Samples>,
  { column, row, band }: Pixel,
): Promise<number> {
  const [level] = raster.cog.levels;
  if (level === undefined) return Number.NaN;
  const [x, y] = [Math.floor(column / level.tileWidth), Math.floor(row / level.tileHeight)];
  const at = (row % level.tileHeight) * level.tileWidth + (column % level.tileWidth);
  const read = readerOf(raster, cache, 0);
  if (level.readMask !== undefined && (await read.mask(x, y))[at] === 0) return Number.NaN;
  const { stride, offset } = layoutOf(raster.cog, level, band);
  const sample = (await read.tile(x, y, band))[at * stride + offset] ?? Number.NaN;
  const { hidden, scales } = raster.cog;
  if (sample >= hidden.least && sample <= hidden.greatest) return Number.NaN;
  return valueOfSample(sample, scales[band] ?? { scale: 1, offset: 0 });
}

/** Reads the range of values from the whole coarsest level, with the kernel that also draws: the square is the raster itself. */
async function readSpread(raster: Raster, cache: Cache<Samples>, band: number) {
  const { levels, scales, alphaBand } = raster.cog;
  const last = levels.length - 1;
  const [full, coarse] = [levels[0], levels[last]];
  if (full === undefined || coarse === undefined) return undefined;
  if (coarse.width * coarse.height > maxSpreadPixels) return unseen;
  const size = Math.ceil(Math.max(coarse.width, coarse.height) / 8) * 8;
  const side = { width: (full.width / coarse.width) * size, height: (full.height / coarse.height) * size };
  const lattice = latticeOf({ left: 0, top: 0, span: 1 }, (x, y) => [x * side.width, -y * side.height], {
    x0: 0,
    dxColumn: 1,
    dxRow: 0,
    y0: 0,
    dyColumn: 0,
    dyRow: 1,
  });
  const plan = {
    level: last,
    firstColumn: 0,
    lastColumn: Math.ceil(coarse.width / coarse.tileWidth) - 1,
    firstRow: 0,
    lastRow: Math.ceil(coarse.height / coarse.tileHeight) - 1,
    top: 0,
    bottom: coarse.height - 1,
  };
  const square = async (of: number) => await readSquare({ raster, cache, plan, lattice, size, band: of });
  const opacity = alphaBand === undefined ? undefined : await square(alphaBand);
  return spreadOf(visibleOf(await square(band), opacity, size), scales[band] ?? { scale: 1, offset: 0 });
}

/** Converts the samples of one band or of three to pixels; bands count from one. */
type PaintColouring =
  | { readonly kind: 'values'; readonly band: number; readonly fill: Colouring }
  | { readonly kind: 'bands'; readonly bands: readonly number[]; readonly fill: BandColouring };

/**
 * Creates a function that prepares the colouring of a raster for a paint, and caches the last one: each tile sends the
 * same paint as a new object.
 */
export function createColourings(): (paint: Paint, cog: Cog) => PaintColouring {
  let last: { readonly text: string; readonly cog: Cog; readonly colouring: PaintColouring } | undefined;
  return (paint, cog) => {
    const text = JSON.stringify(paint, (_, value: unknown) => (value === Infinity ? 'inf' : value));
    if (last?.text !== text || last.cog !== cog) last = { text, cog, colouring: prepare(paint, cog) };
    return last.colouring;
  };
}

function prepare(paint: Paint, cog: Cog): PaintColouring {
  if (paint.kind === 'values') {
    const colours = rawColoursOf(onlyClass(paint.colours, paint.only), paintedValues(paint, cog));
    return { kind: 'values', band: paint.band, fill: colouringOf(colours) };
  }
  const curves = paint.curves.map(
    (curve, index) => curve && rawCurveOf(curve, bandValuesOf(cog, paint.bands[index] ?? 0)),
  );
  const { meaning, type } = cog;
  const fill = bandColouringOf({ meaning, curves, opaque: opaqueSample(type) });
  return { kind: 'bands', bands: paint.bands, fill };
}
