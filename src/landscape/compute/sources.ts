import {
  type OpenRaster,
  type PointTransformation,
  type RasterCrs,
  type RasterReader,
  UnreadableRaster,
  type RasterFacts,
} from '../../geo/raster-reader.ts';
import type { Band } from '../model/bands.ts';
import { type AlignedPixels, type BandSource, readDirect, readSampled } from '../grid/align.ts';
import { windowOn } from '../grid/source-window.ts';
import { coordinatesOf } from '../grid/transform-block.ts';
import {
  type ReferenceGrid,
  crsOf,
  type PixelShift,
  pixelShift,
  referenceGridOf,
} from '../grid/reference-grid.ts';
import type { Tile } from '../model/tiles.ts';
import type { BandFile, Inspection, InspectionResult, SourceFault } from './landscape-engine.ts';
import { OutsideWindows, SourceUnreadable } from './source-errors.ts';
import { elevation } from '../model/leaves.ts';

/** The open sources of a batch. */
export interface OpenSources extends Disposable {
  /** Reads a window of a source on the grid, and counts the pixels of the tile. @throws {SourceUnreadable} */
  readWindow(key: string, window: Tile, tile: Tile): Promise<AlignedPixels>;
  /** Reads a tile of every source except `except`, by key; valid as long as its buffers. @throws {SourceUnreadable} */
  readTile(tile: Tile, except: string): Promise<ReadonlyMap<string, AlignedPixels>>;
  /** Reads a tile of some sources like `readTile`. */
  readSome(tile: Tile, keys: ReadonlySet<string>): Promise<ReadonlyMap<string, AlignedPixels>>;
  /** Returns the rectangle of source pixels that a window of the grid needs, without reading them; undefined if it needs none. */
  windowOn(key: string, window: Tile): Tile | undefined;
}

interface Source extends BandSource {
  /** Present when the pixels of the source coincide with those of the grid. */
  readonly shift: PixelShift | undefined;
}

/** Sources in one CRS, which share the coordinates of a tile. */
interface Neighbours {
  readonly crs: RasterCrs;
  /** Absent for the CRS of the grid. */
  readonly transform: PointTransformation | undefined;
  readonly sources: Source[];
}

/** A source as a file; holes in it must not be read. */
type OpenedFile = Pick<BandFile, 'path' | 'windows'> & { readonly band: Band };

/**
 * Opens sources and determines their position on the grid. @throws {SourceUnreadable}
 * @param rooms arrays of each source in turn: with two, the pixels of a tile stay valid while the next tile is read
 */
export async function openSources(
  reader: RasterReader,
  grid: ReferenceGrid,
  files: readonly OpenedFile[],
  rooms = 1,
): Promise<OpenSources> {
  using opening = new DisposableStack();
  const groups: Neighbours[] = [{ crs: crsOf(grid), transform: undefined, sources: [] }];
  const groupOf = (crs: RasterCrs): Neighbours => {
    const known = groups.find((group) => reader.isSameCrs(group.crs, crs));
    if (known !== undefined) return known;
    const transform = reader.transformation(crsOf(grid), crs);
    if (transform === undefined)
      throw new Error('a source has passed inspection and lies nowhere on the grid');
    const group = { crs, transform, sources: [] };
    groups.push(group);
    return group;
  };
  for (const { band, path, windows } of files) {
    const whole = opening.use(await blaming(band, () => reader.open(path)));
    const raster = windows === undefined ? whole : within(whole, windows, band.key);
    const { width, height, affine, crs } = raster.facts;
    if (affine === undefined || crs === undefined) throw new Error(`the raster of ${band.key} lies nowhere`);
    const group = groupOf(crs);
    const shift = group.transform === undefined ? pixelShift(grid, { width, height, affine }) : undefined;
    group.sources.push({ band, raster, shift, make: roomFor(band, rooms) });
  }
  const [xs, ys, columns, rows] = [doubles(), doubles(), doubles(), doubles()];
  const makeCoordinates = (length: number) => ({ xs: xs(length), ys: ys(length) });
  const makePositions = (length: number) => ({ columns: columns(length), rows: rows(length) });
  const opened = opening.move();

  async function readWanted(
    tile: Tile,
    isWanted: (key: string) => boolean,
  ): Promise<ReadonlyMap<string, AlignedPixels>> {
    const pixels = new Map<string, AlignedPixels>();
    for (const { transform, sources } of groups) {
      const wanted = sources.filter(({ band }) => isWanted(band.key));
      const sampled = wanted.filter(({ shift }) => shift === undefined);
      for (const source of wanted) {
        const { band, shift } = source;
        if (shift === undefined) continue;
        pixels.set(band.key, await blaming(band, () => readDirect(source, shift, tile, tile)));
      }
      if (sampled.length === 0) continue;
      const coordinates = coordinatesOf(grid, tile, transform, makeCoordinates);
      for (const source of sampled) {
        const { band } = source;
        const read = () => readSampled(source, tile, coordinates, makePositions);
        pixels.set(band.key, await blaming(band, read));
      }
    }
    return pixels;
  }

  return {
    async readWindow(key, window, tile) {
      const source = groups[0]?.sources.find(({ band }) => band.key === key);
      if (source?.shift === undefined) throw new Error(`there is no source ${key} on the grid`);
      const { band, shift } = source;
      return await blaming(band, () => readDirect(source, shift, window, tile));
    },
    readTile: async (tile, except) => await readWanted(tile, (key) => key !== except),
    readSome: async (tile, keys) => await readWanted(tile, (key) => keys.has(key)),
    windowOn(key, window) {
      for (const { transform, sources } of groups) {
        const source = sources.find(({ band }) => band.key === key);
        if (source !== undefined) return windowOn(grid, window, { ...source, transform });
      }
      throw new Error(`there is no source ${key}`);
    },
    [Symbol.dispose]: () => opened.dispose(),
  };
}

/** Refuses to read a hole: in uncompressed files it would be read as zeros. */
function within(raster: OpenRaster, windows: readonly Tile[], key: string): OpenRaster {
  return {
    ...raster,
    async read(window) {
      if (!windows.some((each) => isInside(window, each))) throw new OutsideWindows(key);
      return await raster.read(window);
    },
  };
}

function isInside({ x, y, width, height }: Tile, whole: Tile): boolean {
  const { x: left, y: top } = whole;
  return x >= left && y >= top && x + width <= left + whole.width && y + height <= top + whole.height;
}

/** Every source has its own buffers, because all sources are used together. */
function roomFor({ type }: Band, rooms: number): BandSource['make'] {
  const make = (length: number) => (type === 'float32' ? new Float32Array(length) : new Uint8Array(length));
  const buffers = Array.from({ length: rooms }, () => reusable<Float32Array | Uint8Array>(make));
  let calls = 0;
  return (length) => {
    const buffer = buffers[calls % rooms];
    if (buffer === undefined) throw new Error('a source has no buffer');
    calls += 1;
    return buffer(length);
  };
}

function doubles(): (length: number) => Float64Array {
  return reusable((length) => new Float64Array(length));
}

/** Adds the source to an error. */
async function blaming<T>({ key }: Band, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof UnreadableRaster ? new SourceUnreadable(key, { cause }) : cause;
  }
}

interface Sliced<T> {
  readonly length: number;
  subarray(begin: number, end: number): T;
}

/** Returns the beginning of one growing array, because large arrays are expensive to allocate and to collect. */
function reusable<T extends Sliced<T>>(make: (length: number) => T): (length: number) => T {
  let kept = make(0);
  return (length) => {
    if (kept.length < length) kept = make(length);
    return kept.subarray(0, length);
  };
}

/** Checks the headers of all sources: returns their faults, and the grid of the elevation. */
export async function inspectSources(
  reader: RasterReader,
  { sources }: Inspection,
): Promise<InspectionResult> {
  const facts = new Map<string, RasterFacts | undefined>();
  for (const { key, path } of sources) facts.set(key, await factsOf(reader, path));
  const reference = facts.get(elevation.key);
  const grid = reference === undefined ? undefined : referenceGridOf(reference);
  const faults: Record<string, SourceFault> = {};
  for (const [key, found] of facts) {
    const fault = faultOf(found, typeof grid === 'object' ? grid : undefined, reader);
    if (fault !== undefined) faults[key] = fault;
  }
  if (grid === undefined) return { faults };
  return typeof grid === 'string' ? { faults, reference: grid } : { faults, grid };
}

async function factsOf(reader: RasterReader, path: string): Promise<RasterFacts | undefined> {
  try {
    using raster = await reader.open(path);
    return raster.facts;
  } catch (error) {
    if (error instanceof UnreadableRaster) return undefined;
    throw error;
  }
}

function faultOf(
  facts: RasterFacts | undefined,
  grid: ReferenceGrid | undefined,
  reader: RasterReader,
): SourceFault | undefined {
  if (facts === undefined) return 'unreadable';
  if (facts.crs === undefined || facts.affine === undefined) return 'no_crs';
  if (grid === undefined) return undefined;
  const own = crsOf(grid);
  if (reader.isSameCrs(own, facts.crs)) return undefined;
  return reader.transformation(own, facts.crs) === undefined ? 'no_transformation' : undefined;
}
