import type { EncodedRaster, TileEncoder } from '../../tile-encoder.ts';
import { cogBlockSide as side } from './cog-options.ts';
import { createPartFile, newTile } from './part-file.ts';
import { type Level, levelsOf, numberOf, placeOf, quartersOf, tilesFrom, type TilePlace } from './pyramid.ts';
import { putQuarter, reductionOf, type TilePixels } from './reduction.ts';

/**
 * Creates an encoder that uses GDAL in this process. A tile of an overview is made in memory when its quarters have come, so
 * that tiles should come window by window; one that needs tiles from elsewhere is left out. What is written does not depend on
 * the order of the tiles.
 */
export function createTileEncoder(raster: EncodedRaster): TileEncoder {
  const { noData } = raster;
  const levels = levelsOf(raster);
  const places = raster.tiles.map((tile) => placeOf(tile, raster));
  const parts = tilesFrom(levels, places).map((tiles, level) => ({
    file: createPartFile({ path: `${raster.path}.${level}.tif`, tiles }, raster),
    tiles: new Set(tiles.map((tile) => numberOf(levelAt(levels, level), tile))),
    /** Tiles of which some quarters are there. */
    pending: new Map<number, { readonly pixels: TilePixels; missing: number }>(),
  }));
  const reduce = reductionOf(raster.dataType);

  async function write(level: number, place: TilePlace, pixels: TilePixels): Promise<void> {
    await parts[level]?.file.write(place, pixels);
    const coarser = parts[level + 1];
    if (coarser === undefined) return;
    const parent = { column: place.column >> 1, row: place.row >> 1 };
    const number = numberOf(levelAt(levels, level + 1), parent);
    if (!coarser.tiles.has(number)) return;
    const tile = coarser.pending.get(number) ?? {
      pixels: newTile(raster.dataType).fill(noData),
      missing: quartersOf(parent, levelAt(levels, level)).length,
    };
    putQuarter(tile.pixels, side, place, reduce(pixels, side, noData));
    tile.missing -= 1;
    coarser.pending.set(number, tile);
    if (tile.missing > 0) return;
    coarser.pending.delete(number);
    await write(level + 1, parent, tile.pixels);
  }

  /** Fills up a tile that the edge of the raster cuts. */
  function whole(values: TilePixels, width: number): TilePixels {
    if (values.length === side * side) return values;
    const pixels = newTile(raster.dataType).fill(noData);
    for (let from = 0, to = 0; from < values.length; from += width, to += side)
      pixels.set(values.subarray(from, from + width), to);
    return pixels;
  }

  return {
    paths: parts.map(({ file }) => file.path),
    async put(tile, values) {
      await write(0, placeOf(tile, raster), whole(values, tile.width));
    },
    async finish() {
      for (const { file } of parts) file.close();
      for (const { file } of parts) await file.verify();
    },
  };
}

function levelAt(levels: readonly Level[], index: number): Level {
  const level = levels[index];
  if (level === undefined) throw new Error(`the raster has no level ${index}`);
  return level;
}
