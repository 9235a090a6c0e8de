import { type Cog, type Fetch, type Level, openCog } from './cog.ts';
import { colourBands, type Colouring, colouringOf } from '../../../src/portrayal/raster/colour.ts';
import { type Lattice, latticeOf, type Plan, planOf } from '../../../src/portrayal/raster/lattice.ts';
import type { OpenRequest, RasterCalls, TileRequest } from './messages.ts';
import type { Paint } from '../../../src/portrayal/raster/paint.ts';
import type { Samples } from '../../../src/portrayal/raster/samples.ts';
import { spreadOf } from '../../../src/portrayal/raster/stretch.ts';
import { createTileCache, type TileCache } from '../../../src/portrayal/raster/tile-cache.ts';
import { warp } from '../../../src/portrayal/raster/warp.ts';

interface Raster {
  readonly url: string;
  readonly cog: Cog;
  readonly noData: number | undefined;
}

/** A level larger than this is not read whole to see what values are like. */
const maxSpreadPixels = 4_194_304;

/** The rasters that are open: reads, warps and colours them. Sizes in bytes. */
export function createRasters(fetch: Fetch, maxCacheBytes: number): RasterCalls {
  const rasters = new Map<string, Promise<Raster>>();
  const cache = createTileCache<Samples>(maxCacheBytes);
  const colourings = new WeakMap<Paint, Colouring>();
  let lastPaint: { readonly text: string; readonly paint: Paint } | undefined;

  const rasterOf = async (url: string) => {
    const raster = await rasters.get(url);
    if (raster === undefined) throw new Error(`${url} is not open`);
    return raster;
  };
  /** The same paint comes with every tile, each time as a new object. */
  const colouringFor = (paint: Paint & { kind: 'values' }) => {
    const text = JSON.stringify(paint, (_, value: unknown) => (value === Infinity ? 'inf' : value));
    const key = lastPaint?.text === text ? lastPaint.paint : paint;
    lastPaint = { text, paint: key };
    const known = colourings.get(key) ?? colouringOf(paint.colours, paint.only);
    colourings.set(key, known);
    return known;
  };
  return {
    async open({ url }: OpenRequest) {
      const opened = openRaster(url, fetch);
      rasters.set(url, opened);
      cache.forget(`${url} `);
      const raster = await opened;
      const { cog } = raster;
      const [full] = cog.levels;
      return {
        width: full?.width ?? 0,
        height: full?.height ?? 0,
        bands: cog.bands,
        meaning: cog.meaning === 'values' ? 'values' : 'rgb',
        palette: cog.palette,
        spread: cog.meaning === 'values' ? await readSpread(raster, cache) : undefined,
        affine: cog.affine,
        epsg: cog.epsg,
      };
    },
    async tile({ url, lattice, size, paint }: TileRequest) {
      const raster = await rasterOf(url);
      const { cog } = raster;
      const plan = planOf(lattice, size, cog.levels);
      if (plan === undefined) return undefined;
      const shown =
        paint.kind === 'values'
          ? [paint.band]
          : [...paint.bands, ...(cog.alphaBand === undefined ? [] : [cog.alphaBand + 1])];
      const bands = await Promise.all(
        shown.map(async (band) => await readSquare({ raster, cache, plan, lattice, size, band: band - 1 })),
      );
      const pixels = new Uint32Array(size * size);
      if (paint.kind === 'values') colouringFor(paint)(bands[0] ?? new Float64Array(size * size), pixels);
      else colourBands(bands, threeBands(cog), pixels);
      return pixels.buffer;
    },
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
      cache.forget(`${url} `);
    },
  };
}

async function openRaster(url: string, fetch: Fetch): Promise<Raster> {
  const cog = await openCog(url, fetch);
  const noData = cog.noData !== undefined && cog.isFloat32 ? Math.fround(cog.noData) : cog.noData;
  return { url, cog, noData };
}

/** 16-bit colours often fill a part of their range only; the range of the type is what they say themselves. */
const threeBands = ({ meaning, bits }: Cog) => ({
  meaning: meaning === 'ycbcr' ? ('ycbcr' as const) : ('rgb' as const),
  from: 0,
  to: 2 ** bits - 1,
});

interface SquareRequest {
  readonly raster: Raster;
  readonly cache: TileCache<Samples>;
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
    noData: raster.noData,
    ...layoutOf(raster.cog, level, band),
  };
  warp(source, lattice, size, out);
  return out;
}

function layoutOf({ bands }: Cog, { isPlanar }: Level, band: number) {
  return isPlanar ? { stride: 1, offset: 0 } : { stride: bands, offset: band };
}

function readerOf({ url, cog }: Raster, cache: TileCache<Samples>, levelIndex: number) {
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
  cache: TileCache<Samples>,
  { column, row, band }: Pixel,
): Promise<number> {
  const [level] = raster.cog.levels;
  if (level === undefined) return Number.NaN;
  const [x, y] = [Math.floor(column / level.tileWidth), Math.floor(row / level.tileHeight)];
  const at = (row % level.tileHeight) * level.tileWidth + (column % level.tileWidth);
  const read = readerOf(raster, cache, 0);
  if (level.readMask !== undefined && (await read.mask(x, y))[at] === 0) return Number.NaN;
  const { stride, offset } = layoutOf(raster.cog, level, band);
  const value = (await read.tile(x, y, band))[at * stride + offset] ?? Number.NaN;
  return value === raster.noData ? Number.NaN : value;
}

/** From the coarsest level, whole, by the kernel that also draws: a square that is the raster itself. */
async function readSpread(raster: Raster, cache: TileCache<Samples>) {
  const { levels } = raster.cog;
  const last = levels.length - 1;
  const [full, coarse] = [levels[0], levels[last]];
  if (full === undefined || coarse === undefined) return undefined;
  if (coarse.width * coarse.height > maxSpreadPixels) return undefined;
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
  return spreadOf(await readSquare({ raster, cache, plan, lattice, size, band: 0 }));
}
