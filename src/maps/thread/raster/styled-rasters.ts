import { denominatorOfWhole } from '../../../../common/maps/units/unit-paint.ts';
import { createCache } from '../../../../common/cache.ts';
import type { OpenPlane } from '../../../../common/maps/paper/planes.ts';
import type { LegendModel } from '../../../../common/maps/legend/model.ts';
import { paintedValues } from '../../../../common/maps/raster/paint.ts';
import { legendNeedsSpread, legendOf } from '../../../../common/maps/raster/raster-legend.ts';
import { type Lattice, fillLattice, type Size } from '../../../../common/maps/raster/lattice.ts';
import { meshLattices } from '../../../../common/maps/raster/mesh-lattice.ts';
import { rasterAt, storedStyle } from '../../../../common/maps/style/sld-read.ts';
import { emptyPng, type RgbaPicture } from '../../png/png.ts';
import {
  createScratch,
  drawRaster,
  factsOf,
  paintRaster,
  type PreparedPaint,
  preparePaint,
} from './draw-raster.ts';
import { copyOver, type PlaneFrame, planeLattice } from './plane-square.ts';
import type { OpenRasters } from './open-rasters.ts';
import {
  type Zooms,
  zoomsOf,
  denominatorOf,
  squareOfTile,
  type Tile,
} from '../../../../common/maps/raster/web-mercator.ts';
import type { DrawnRaster } from './read-square.ts';
import { type Counted, readSpread } from './spread.ts';
import type { ViewMesh } from '../../../../common/maps/raster/mesh.ts';

/** A raster with the source of its colours. */
export interface StyledRaster {
  /** Key of the COG from which it is drawn. */
  readonly cogKey: string;
  /** Undefined if neither the dataset nor its group has one. */
  readonly style: { readonly key: string; readonly compiled: string } | undefined;
  /** Statistics of all its pixels; absent before they are counted, and for styles that define all colours. */
  readonly counted?: Counted;
}

/** A raster on a map on paper. */
export interface PaperRaster extends StyledRaster {
  /** Key of its view mesh. */
  readonly meshKey: string;
}

export interface RasterTileRequest extends StyledRaster {
  /** Key of its view mesh. */
  readonly meshKey: string;
  readonly tile: Tile;
  /** Pixels per side. */
  readonly size: 256 | 512;
}

export interface ThumbnailRequest extends StyledRaster {
  /** Null for a raster without a georeference, which is drawn as it is. */
  readonly meshKey: string | null;
  /** Pixels per side. */
  readonly size: number;
}

/** Distance of projected points, in screen pixels. */
const cellPixels = 8;
const maxPaints = 64;

export type StyledRasters = ReturnType<typeof createStyledRasters>;

/** Creates the renderer of rasters in a thread. */
export function createStyledRasters(rasters: OpenRasters) {
  const scratch = createScratch();
  const paints = createCache<PreparedPaint>({ max: maxPaints });

  async function paintFor(
    raster: DrawnRaster,
    { style, counted }: Pick<StyledRaster, 'style' | 'counted'>,
    denominator: number,
  ): Promise<PreparedPaint | undefined> {
    const layer = storedStyle(style?.compiled);
    const symbols = layer && rasterAt(layer, denominator);
    // A style may draw nothing at this scale.
    if (layer !== undefined && layer.rasters.length > 0 && symbols === undefined) return undefined;
    const index = symbols === undefined ? -1 : layer?.rasters.indexOf(symbols);
    const name = `${raster.key} ${style?.key ?? ''} ${index} ${counted === undefined ? '' : 'counted'}`;
    return await paints.get(name, async () => await preparePaint(raster, symbols, counted));
  }

  async function open(key: string): Promise<DrawnRaster> {
    return { rasters, key, head: await rasters.head(key) };
  }

  return {
    /** Draws a tile as PNG; undefined outside the raster. @throws {Problem} if it cannot be drawn. */
    async tile({
      cogKey,
      meshKey,
      tile,
      size,
      ...styled
    }: RasterTileRequest): Promise<Uint8Array<ArrayBuffer> | undefined> {
      const [raster, mesh] = await Promise.all([open(cogKey), rasters.mesh(meshKey)]);
      const lattices = meshLattices(mesh, squareOfTile(tile), size / cellPixels);
      if (lattices.length === 0) return undefined;
      const paint = await paintFor(raster, styled, denominatorOf(tile.z));
      return paint && (await drawRaster(raster, { paint, lattices, size }, scratch));
    },

    /** Draws the whole raster as PNG on a transparent background. @throws {Problem} if it cannot be drawn. */
    async thumbnail({
      cogKey,
      meshKey,
      size,
      ...styled
    }: ThumbnailRequest): Promise<Uint8Array<ArrayBuffer>> {
      const raster = await open(cogKey);
      const [full] = raster.head.levels;
      const lattices: readonly Lattice[] =
        meshKey === null
          ? wholeAsItIs(full?.image ?? { width: 1, height: 1 }, size)
          : wholeOnEarth(await rasters.mesh(meshKey), size);
      const paint = await paintFor(raster, styled, denominatorOfWhole);
      return (paint && (await drawRaster(raster, { paint, lattices, size }, scratch))) ?? emptyPng(size);
    },

    /**
     * Draws rasters over one another on white, as a part of a plane, in strips from the top, by nearest neighbour. Only the
     * strip and the blocks of a square are in memory.
     * @param drawn from below to above.
     * @param use receives each strip, whose pixels are valid until it returns; strips share a row.
     * @throws {Problem} if one cannot be drawn.
     */
    async planeStrips(
      drawn: readonly PaperRaster[],
      { plane, ...picture }: PlaneFrame & { readonly plane: OpenPlane },
      use: (strip: RgbaPicture & { readonly firstRow: number }) => void,
    ): Promise<void> {
      const opened = await Promise.all(
        drawn.map(async ({ cogKey, meshKey, ...styled }) => {
          const [raster, mesh] = await Promise.all([open(cogKey), rasters.mesh(meshKey)]);
          const paint = await paintFor(raster, styled, denominatorOfWhole);
          return paint === undefined ? [] : [{ raster, mesh, paint }];
        }),
      );
      const side = 512;
      const { width, height, left, top, metresPerPixel } = picture;
      for (let firstRow = 0; firstRow < height; firstRow += side - 1) {
        const rows = Math.min(side, height - firstRow);
        const strip = new Uint32Array(width * rows).fill(0xff_ff_ff_ff);
        for (let column = 0; column < width; column += side) {
          const square = {
            left: left + column * metresPerPixel,
            top: top - firstRow * metresPerPixel,
            span: side * metresPerPixel,
          };
          for (const { raster, mesh, paint } of opened.flat()) {
            const lattices = [planeLattice(mesh, square, { size: side, plane })];
            await paintRaster(raster, { paint, lattices, size: side }, scratch, (painted) =>
              copyOver(painted, side, { pixels: strip, width, rows, column }),
            );
          }
        }
        use({ width, height: rows, pixels: strip, firstRow });
      }
    },

    /** Returns the useful zooms of a raster. @throws {Problem} */
    zooms: async (meshKey: string): Promise<Zooms> => zoomsOf(await rasters.mesh(meshKey)),

    /** Returns the legend of a raster. @throws {Problem} */
    async legend({ cogKey, ...styled }: StyledRaster): Promise<LegendModel> {
      const raster = await open(cogKey);
      const prepared = await paintFor(raster, styled, denominatorOfWhole);
      if (prepared === undefined) return { kind: 'classes', entries: [] };
      const { paint, opacity } = prepared;
      if (paint.kind === 'bands') return { kind: 'colours' };
      const spread = legendNeedsSpread(paint) ? await readSpread(raster, paint.band - 1) : undefined;
      return legendOf(paint, { spread, band: paintedValues(paint, factsOf(raster.head)), opacity });
    },
  };
}

/** Places a whole raster, in Web Mercator, in a square picture with `size` pixels per side. */
export function wholeOnEarth(mesh: ViewMesh, size: number): readonly Lattice[] {
  const { left, right, top, bottom } = mesh;
  const span = Math.max(right - left, top - bottom);
  const square = { left: (left + right - span) / 2, top: (top + bottom + span) / 2, span };
  return meshLattices(mesh, square, size / cellPixels);
}

/** Places a raster without a georeference as it is, its first row at the top. */
export function wholeAsItIs({ width, height }: Size, size: number): readonly Lattice[] {
  const span = Math.max(width, height);
  const square = { left: (width - span) / 2, top: (span - height) / 2, span };
  return [fillLattice(square, size / cellPixels, (x, y) => [x, -y])];
}
