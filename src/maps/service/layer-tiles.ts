import { hash } from 'node:crypto';
import type { Tile } from '../../../common/maps/raster/web-mercator.ts';
import { drawingVersion } from './maps.ts';
import type { DrawingPool } from './pool.ts';

/** A raster that is not a dataset, and the colours of its values. */
export interface ColouredLayer {
  readonly cogKey: string;
  readonly meshKey: string;
  /** A compiled style, as JSON. */
  readonly compiled: string;
}

interface Place {
  readonly tile: Tile;
  readonly size: 256 | 512;
}

export type LayerTiles = ReturnType<typeof createLayerTiles>;

/** Creates the renderer of rasters that are not datasets, in the drawing threads, for one process. */
export function createLayerTiles(pool: DrawingPool) {
  return {
    /** Draws a tile as PNG; undefined outside the raster. @throws {Problem} if it cannot be drawn, or not now. */
    async draw(
      { cogKey, meshKey, compiled }: ColouredLayer,
      { tile, size }: Place,
      signal: AbortSignal,
    ): Promise<Uint8Array<ArrayBuffer> | undefined> {
      const style = { key: styleKeyOf(compiled), compiled };
      const affinity = `${cogKey} ${tile.z} ${tile.x >> 2} ${tile.y >> 2}`;
      return await pool.run('raster-tile', { cogKey, meshKey, style, tile, size }, { affinity, signal });
    },
  };
}

/** Returns the picture for the tiles of a layer. */
export function pictureOf(
  layerTiles: LayerTiles,
  { cogKey, meshKey }: Omit<ColouredLayer, 'compiled'>,
  compiled: string,
) {
  return {
    parts: [drawingVersion, cogKey, meshKey, styleKeyOf(compiled)],
    draw: async (place: Place, signal: AbortSignal) =>
      await layerTiles.draw({ cogKey, meshKey, compiled }, place, signal),
  };
}

/** Returns a key of colours, derived from their content. */
function styleKeyOf(compiled: string): string {
  return hash('sha256', compiled, 'hex');
}
