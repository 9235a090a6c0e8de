import { messageText } from '../../lib/message.ts';
import { z } from 'zod';
import { fieldFaults, requestProblems } from '../../messages/request.ts';
import type { Tile } from '../../../common/maps/raster/web-mercator.ts';
import { Guid } from '../../validation/fields.ts';

/** The finest zoom of WebMercatorQuad that anybody can ask for: a pixel of a centimetre. */
const maxZoom = 24;

/** A zoom up to one of the twenties. */
function zoomUpTo(last: number) {
  const pattern = new RegExp(`^(?:1?[0-9]|2[0-${last - 20}])$`);
  return z.string().regex(pattern, { error: messageText(fieldFaults.outOfRange(0, last)) });
}

const placeFault = { error: messageText(fieldFaults.outOfRange(0, 2 ** maxZoom - 1)) };

/** A column or a row in decimal digits alone: no sign, no zero in front. Which of them a zoom has is asked later. */
const placePattern = /^(?:0|[1-9][0-9]{0,7})$/;
const place = z.string().regex(placePattern, placeFault);

/** The place of a tile in WebMercatorQuad (OGC 17-083r4): zoom, column from the west, row from the north. */
const tileParams = {
  z: zoomUpTo(maxZoom).describe('Zoom, 0 to 24'),
  x: place.describe('Column, counted from the west'),
  y: place.describe('Row, counted from the north'),
};

/** Other escapes are nothing to refuse: many clients write `@2x` as `%402x`. */
const escapedDigit = /%3[0-9]/;

/**
 * Returns the tile that a path names. @param url of the request, in which digits are written as they are.
 * @throws {Problem} `malformed` for escaped digits; `not_found` where the zoom has no such column or row.
 */
export function tileOf(params: Readonly<Record<keyof typeof tileParams, string>>, url: string): Tile {
  const [path = ''] = url.split('?', 1);
  if (escapedDigit.test(path)) throw requestProblems.wrongParameters({ path: fieldFaults.escaped });
  const tile = { z: Number(params.z), x: Number(params.x), y: Number(params.y) };
  const count = 2 ** tile.z;
  if (tile.x >= count || tile.y >= count) throw requestProblems.noSuchPath();
  return tile;
}

/** Deeper tiles of vectors would show no more: theirs are cut to parts of a centimetre. */
const maxVectorZoom = 22;

/** The place of a tile of vectors. */
export const vectorTileParams = {
  ...tileParams,
  z: zoomUpTo(maxVectorZoom).describe('Zoom, 0 to 22'),
};

const twice = '@2x';

/** The place of a tile of pixels: its row may end in `@2x`, for twice as many. */
export const rasterTileParams = {
  ...tileParams,
  y: z
    .string()
    .regex(/^(?:0|[1-9][0-9]{0,7})(?:@2x)?$/, placeFault)
    .describe('Row, counted from the north; with `@2x` the tile has 512 pixels a side'),
};

/** The parameters of a tile of one raster. */
export const RasterTileParams = z.object({
  id: Guid.describe('Id of the resource: a uuid in either case'),
  ...rasterTileParams,
});

/** Returns the tile of pixels that a path names, and its size in pixels. @throws {Problem} as `tileOf` does. */
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

/** The place of a tile as OGC API - Tiles has it: the row before the column. */
export const ogcTileParams = {
  tileMatrix: tileParams.z,
  tileRow: ogcPlace.describe('Row, counted from the north'),
  tileCol: ogcPlace.describe('Column, counted from the west'),
};
