import { hash } from 'node:crypto';
import type { Tile } from '../../../common/maps/raster/web-mercator.ts';
import type { DrawingPool } from './pool.ts';

/** A raster beside the datasets, and the colours of its values. */
export interface ColouredLayer {
  readonly cogKey: string;
  readonly meshKey: string;
  /** A compiled style, as JSON. */
  readonly compiled: string;
}

export type LayerTiles = ReturnType<typeof createLayerTiles>;

/** Creates what draws rasters that are no datasets, in the threads that draw: for one process. */
export function createLayerTiles(pool: DrawingPool) {
  return {
    /** Draws a tile as PNG; undefined where nothing of the raster is. @throws {Problem} when it cannot be drawn, or not now. */
    async draw(
      { cogKey, meshKey, compiled }: ColouredLayer,
      { tile, size }: { readonly tile: Tile; readonly size: 256 | 512 },
      signal: AbortSignal,
    ): Promise<Uint8Array<ArrayBuffer> | undefined> {
      const style = { key: styleKeyOf(compiled), compiled };
      const affinity = `${cogKey} ${tile.z} ${tile.x >> 2} ${tile.y >> 2}`;
      return await pool.run('raster-tile', { cogKey, meshKey, style, tile, size }, { affinity, signal });
    },
  };
}

/** Names colours by their content. */
export function styleKeyOf(compiled: string): string {
  return hash('sha256', compiled, 'hex');
}
