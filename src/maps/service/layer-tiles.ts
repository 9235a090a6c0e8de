import { hash } from 'node:crypto';
import type { Tile } from '../../../common/maps/raster/web-mercator.ts';
import { drawingVersion } from './maps.ts';
import type { DrawingPool } from './pool.ts';

/** A raster beside the datasets, and the colours of its values. */
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

/** Creates what draws rasters that are no datasets, in the threads that draw: for one process. */
export function createLayerTiles(pool: DrawingPool) {
  return {
    /** Draws a tile as PNG; undefined where nothing of the raster is. @throws {Problem} when it cannot be drawn, or not now. */
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

/** Returns the picture of which tiles are drawn. */
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

/** Names colours by their content. */
function styleKeyOf(compiled: string): string {
  return hash('sha256', compiled, 'hex');
}
