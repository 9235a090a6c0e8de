import type { VectorTileRequest, VectorTileResult } from './tasks.ts';
import type { ThreadContext } from '../objects/context.ts';
import { encodeTile } from './encode.ts';
import { createIndexCache } from './index-cache.ts';
import { partsOf } from './tile-parts.ts';

/** Creates the handler that cuts tiles from stored GeoJSON; it keeps the indices of what it has cut from. */
export function createVectorTileHandler(cache = createIndexCache()) {
  /**
   * Cuts a tile of Web Mercator.
   * @throws {Problem} `not_found` when a source is gone; `invalid` when it is too large to be drawn.
   */
  return async function vectorTile(
    { layers, tile: { z, x, y }, datetime }: VectorTileRequest,
    context: ThreadContext,
  ): Promise<VectorTileResult> {
    const cut = await Promise.all(
      layers.map(async (source) => {
        const index = await cache.indexOf(source, context);
        const parts = partsOf(index.cut(z, x, y));
        cache.settle(source.key, index);
        const factsOf = (feature: number) => index.factsOf(feature, datetime);
        return { name: source.name, parts, factsOf, thinned: index.thinned };
      }),
    );
    const { bytes, thinned } = encodeTile(cut);
    return { bytes, isThinned: thinned || cut.some((layer) => layer.thinned) };
  };
}
