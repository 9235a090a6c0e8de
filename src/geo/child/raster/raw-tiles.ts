import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { RawRaster } from '../../engine.ts';
import { bytesOf } from './description.ts';

type Tile = RawRaster['parts'][number]['tiles'][number];

interface RawTile extends Tile {
  readonly values: Float32Array | Uint8Array;
}

/**
 * Reads the tiles of a raster one by one, in the order of its parts.
 * @throws {Error} when the tiles are not as many pixels as the raster, or a part is not as long as its tiles.
 */
export async function* readTiles(raster: RawRaster): AsyncGenerator<RawTile> {
  const pixelBytes = bytesOf(raster.dataType);
  const pixels = pixelsOf(raster.parts.flatMap(({ tiles }) => tiles));
  if (pixels !== raster.width * raster.height) {
    throw new Error(`the tiles hold ${pixels} pixels of a raster of ${raster.width} by ${raster.height}`);
  }
  for (const { path, tiles } of raster.parts) {
    await using part = await open(path);
    const [{ size }, expected] = [await part.stat(), pixelsOf(tiles) * pixelBytes];
    if (size !== expected) throw new Error(`part ${basename(path)} has ${size} bytes, its tiles ${expected}`);
    let position = 0;
    for (const tile of tiles) {
      const bytes = new Uint8Array(pixelsOf([tile]) * pixelBytes);
      const { bytesRead } = await part.read(bytes, 0, bytes.length, position);
      if (bytesRead !== bytes.length) throw new Error(`part ${basename(path)} ends while it is read`);
      position += bytes.length;
      yield { ...tile, values: raster.dataType === 'Float32' ? new Float32Array(bytes.buffer) : bytes };
    }
  }
}

function pixelsOf(tiles: readonly Tile[]): number {
  return tiles.reduce((sum, { width, height }) => sum + width * height, 0);
}
