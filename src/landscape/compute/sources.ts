import {
  type PointTransformation,
  type RasterCrs,
  type RasterSource,
  type RasterSources,
  UnreadableRaster,
} from '../../geo/raster-sources.ts';
import type { Band } from '../bands.ts';
import { type AlignedPixels, readDirect, readSampled } from '../grid/align.ts';
import { type Coordinates, coordinatesOf } from '../grid/coordinates.ts';
import type { ReferenceGrid } from '../grid/ground.ts';
import { crsOf, type PixelShift, pixelShift } from '../grid/reference-grid.ts';
import type { Tile } from '../grid/tiles.ts';
import { SourceUnreadable } from './engine.ts';

/** The sources of a batch, open. */
export interface OpenSources extends Disposable {
  /**
   * A window around a tile, of the source `key`, whose pixels lie on those of the grid; the tile is counted.
   * @throws {SourceUnreadable}
   */
  readWindow(key: string, window: Tile, tile: Tile): Promise<AlignedPixels>;
  /** A tile of every source but `except`, by key. @throws {SourceUnreadable} */
  readTile(tile: Tile, except: string): Promise<ReadonlyMap<string, AlignedPixels>>;
}

interface Source {
  readonly band: Band;
  readonly raster: RasterSource;
  /** Present when its pixels lie on those of the grid. */
  readonly shift: PixelShift | undefined;
}

/** Sources of one CRS, which share the coordinates of a tile. */
interface Neighbours {
  readonly crs: RasterCrs;
  /** Absent for the CRS of the grid. */
  readonly transform: PointTransformation | undefined;
  readonly sources: Source[];
}

/**
 * Opens sources and finds out how they lie on the grid.
 * @throws {SourceUnreadable} when one can not be opened.
 */
export async function openSources(
  rasters: RasterSources,
  grid: ReferenceGrid,
  files: readonly { readonly band: Band; readonly path: string }[],
): Promise<OpenSources> {
  using opening = new DisposableStack();
  const groups: Neighbours[] = [{ crs: crsOf(grid), transform: undefined, sources: [] }];
  const groupOf = (crs: RasterCrs): Neighbours => {
    const known = groups.find((group) => rasters.isSameCrs(group.crs, crs));
    if (known !== undefined) return known;
    const transform = rasters.transformation(crsOf(grid), crs);
    if (transform === undefined)
      throw new Error('a source has passed inspection and lies nowhere on the grid');
    const group = { crs, transform, sources: [] };
    groups.push(group);
    return group;
  };
  for (const { band, path } of files) {
    const raster = opening.use(await blaming(band, () => rasters.open(path)));
    const { width, height, affine, crs } = raster.facts;
    if (affine === undefined || crs === undefined) throw new Error(`the raster of ${band.key} lies nowhere`);
    const group = groupOf(crs);
    const shift = group.transform === undefined ? pixelShift(grid, { width, height, affine }) : undefined;
    group.sources.push({ band, raster, shift });
  }
  const opened = opening.move();
  return {
    async readWindow(key, window, tile) {
      const source = groups[0]?.sources.find(({ band }) => band.key === key);
      if (source?.shift === undefined) throw new Error(`there is no source ${key} on the grid`);
      const { band, shift } = source;
      return await blaming(band, () => readDirect(source, shift, window, tile));
    },
    async readTile(tile, except) {
      const pixels = new Map<string, AlignedPixels>();
      for (const { transform, sources } of groups) {
        const wanted = sources.filter(({ band }) => band.key !== except);
        const isSampled = wanted.some(({ shift }) => shift === undefined);
        const coordinates = isSampled ? coordinatesOf(grid, tile, transform) : undefined;
        for (const source of wanted) pixels.set(source.band.key, await read(source, tile, coordinates));
      }
      return pixels;
    },
    [Symbol.dispose]: () => opened.dispose(),
  };
}

async function read(
  source: Source,
  tile: Tile,
  coordinates: Coordinates | undefined,
): Promise<AlignedPixels> {
  const { band, shift } = source;
  return await blaming(band, async () => {
    if (shift !== undefined) return await readDirect(source, shift, tile, tile);
    if (coordinates === undefined) throw new Error(`the raster of ${band.key} does not lie on the grid`);
    return await readSampled(source, tile, coordinates);
  });
}

/** Says which source it was. */
async function blaming<T>({ key }: Band, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof UnreadableRaster ? new SourceUnreadable(key, { cause }) : cause;
  }
}
