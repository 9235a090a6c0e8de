import { messageText } from '../../lib/message.ts';
import { z } from 'zod';
import { fieldFaults, requestProblems } from '../../messages/request/english.ts';
import type { Tile } from '../../../common/maps/raster/web-mercator.ts';
import { Guid } from '../../validation/fields.ts';

/** Finest zoom of WebMercatorQuad that can be requested: pixels of one centimetre. */
const maxZoom = 24;

/** A zoom of at most `last`, between 20 and 29. */
function zoomUpTo(last: number) {
  const pattern = new RegExp(`^(?:1?[0-9]|2[0-${last - 20}])$`);
  return z.string().regex(pattern, { error: messageText(fieldFaults.outOfRange(0, last)) });
}

const placeFault = { error: messageText(fieldFaults.outOfRange(0, 2 ** maxZoom - 1)) };

/** A column or row in decimal digits without sign and leading zeros. Its range in the zoom is checked later. */
const placePattern = /^(?:0|[1-9][0-9]{0,7})$/;
const place = z.string().regex(placePattern, placeFault);

/** Position of a tile in WebMercatorQuad (OGC 17-083r4): zoom, column from the west, row from the north. */
const tileParams = {
  z: zoomUpTo(maxZoom).describe('Zoom, 0 to 24'),
  x: place.describe('Column, counted from the west'),
  y: place.describe('Row, counted from the north'),
};

/** Only escaped digits are refused: many clients write `@2x` as `%402x`. */
const escapedDigit = /%3[0-9]/;

/**
 * Returns the tile in a path.
 * @param url of the request, with unescaped digits.
 * @throws {Problem} `malformed` for escaped digits; `not_found` if the zoom has no such column or row.
 */
export function tileOf(params: Readonly<Record<keyof typeof tileParams, string>>, url: string): Tile {
  const [path = ''] = url.split('?', 1);
  if (escapedDigit.test(path)) throw requestProblems.wrongParameters({ path: fieldFaults.escaped });
  const tile = { z: Number(params.z), x: Number(params.x), y: Number(params.y) };
  const count = 2 ** tile.z;
  if (tile.x >= count || tile.y >= count) throw requestProblems.noSuchPath();
  return tile;
}

/** Deeper vector tiles would show no more: coordinates are already finer than a centimetre. */
const maxVectorZoom = 22;

/** Position of a vector tile. */
export const vectorTileParams = {
  ...tileParams,
  z: zoomUpTo(maxVectorZoom).describe('Zoom, 0 to 22'),
};

const twice = '@2x';

/** Position of a raster tile: its row may end in `@2x`, for twice the resolution. */
export const rasterTileParams = {
  ...tileParams,
  y: z
    .string()
    .regex(/^(?:0|[1-9][0-9]{0,7})(?:@2x)?$/, placeFault)
    .describe('Row, counted from the north; with `@2x` the tile has 512 x 512 pixels'),
};

/** Parameters of a tile of one raster. */
export const RasterTileParams = z.object({
  id: Guid.describe('Id of the resource, a UUID in upper or lower case'),
  ...rasterTileParams,
});

/** Returns the raster tile in a path, and its size in pixels. @throws {Problem} as `tileOf` does. */
export function rasterTileOf(
  { z: zoom, x, y }: Readonly<Record<keyof typeof rasterTileParams, string>>,
  url: string,
) {
  const row = y.endsWith(twice) ? y.slice(0, -twice.length) : y;
  return { tile: tileOf({ z: zoom, x, y: row }, url), size: row === y ? (256 as const) : (512 as const) };
}

const ogcPlace = z.preprocess(
  (text) => (typeof text === 'string' && placePattern.test(text) ? Number(text) : text),
  z.int(placeFault).min(0, placeFault),
);

/** Position of a tile in OGC API - Tiles: the row before the column. */
export const ogcTileParams = {
  tileMatrix: tileParams.z,
  tileRow: ogcPlace.describe('Row, counted from the north'),
  tileCol: ogcPlace.describe('Column, counted from the west'),
};
