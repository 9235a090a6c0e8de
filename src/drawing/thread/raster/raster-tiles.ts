import { meshLattices } from '../../../portrayal/raster/mesh-lattice.ts';
import { parseCompiledStyle } from '../../../portrayal/style/compiled-style.ts';
import { drawRaster } from './draw-raster.ts';
import type { OpenRasters } from './open-rasters.ts';
import { preparePaint, type PreparedPaint } from './prepare-paint.ts';
import type { DrawnRaster } from './read-square.ts';
import { squareOfTile } from './web-mercator.ts';

/** A raster and what it is coloured by. */
export interface StyledRaster {
  /** The key of the COG from which it is drawn. */
  readonly cogKey: string;
  /** The key of its view mesh. */
  readonly meshKey: string;
  /** Undefined when neither the dataset nor its group has one. */
  readonly style: { readonly key: string; readonly compiled: string } | undefined;
}

export interface RasterTileRequest extends StyledRaster {
  readonly tile: Readonly<Record<'z' | 'x' | 'y', number>>;
  /** Pixels a side. */
  readonly size: 256 | 512;
}

/** Screen pixels from one projected point to the next. */
const cellPixels = 8;
const maxPaints = 64;

/** Creates what draws tiles of rasters in a thread. */
export function createRasterTiles(rasters: OpenRasters) {
  const paints = new Map<string, Promise<PreparedPaint>>();

  async function paintFor(raster: DrawnRaster, style: StyledRaster['style']): Promise<PreparedPaint> {
    const name = `${raster.key} ${style?.key ?? ''}`;
    const known = paints.get(name);
    const paint = known ?? preparePaint(raster, style && parseCompiledStyle(style.compiled).raster);
    paints.delete(name);
    paints.set(name, paint);
    const [oldest] = paints.keys();
    if (paints.size > maxPaints && oldest !== undefined) paints.delete(oldest);
    try {
      return await paint;
    } catch (error) {
      paints.delete(name);
      throw error;
    }
  }

  return {
    /** Draws a tile as PNG; undefined where nothing of the raster is. @throws {Problem} when it cannot be drawn. */
    async draw({ cogKey, meshKey, style, tile, size }: RasterTileRequest): Promise<Uint8Array<ArrayBuffer> | undefined> {
      const [head, mesh] = await Promise.all([rasters.head(cogKey), rasters.mesh(meshKey)]);
      const lattices = meshLattices(mesh, squareOfTile(tile), size / cellPixels);
      if (lattices.length === 0) return undefined;
      const raster = { rasters, key: cogKey, head };
      return await drawRaster(raster, await paintFor(raster, style), lattices, size);
    },
  };
}
