import { type Cache, createCache } from '../../../lib/cache.ts';
import { MiB } from '../../../lib/units.ts';
import type { VectorSource, VectorTileRequest, VectorTileResult } from './tasks.ts';
import type { ThreadContext } from '../objects/context.ts';
import { encodeTile } from './encode.ts';
import { readSource } from './read-source.ts';
import { createTileIndex, type TileIndex } from './tile-index.ts';
import { partsOf } from './tile-parts.ts';

/** Bytes of the texts from which the indices of a thread are made, together. */
const maxIndexBytes = 128 * MiB;

/** Creates the place of the indices of a thread. */
export function createIndices(maxBytes: number = maxIndexBytes): Cache<TileIndex> {
  return createCache<TileIndex>({ maxBytes, bytesOf: ({ bytes }) => bytes });
}

/** Returns the index of an object. @throws {Problem} as `readSource` does. */
export async function indexOf(
  indices: Cache<TileIndex>,
  source: VectorSource,
  context: ThreadContext,
): Promise<TileIndex> {
  const make = async () => createTileIndex(await readSource(source.key, context), source);
  return await indices.get(source.key, make);
}

/** Creates the handler that cuts tiles from stored GeoJSON; it keeps the indices of what it has cut from. */
export function createVectorTileHandler(indices = createIndices()) {
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
        const index = await indexOf(indices, source, context);
        const parts = partsOf(index.cut(z, x, y));
        if (index.isFull()) indices.forget(source.key); // those who have it go on with it
        const factsOf = (feature: number) => index.factsOf(feature, datetime);
        return { name: source.name, parts, factsOf, thinned: index.thinned };
      }),
    );
    const { bytes, thinned } = encodeTile(cut);
    return { bytes, isThinned: thinned || cut.some((layer) => layer.thinned) };
  };
}
