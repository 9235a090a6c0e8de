import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { decode } from 'fast-png';
import { createRasters } from '../../../console/src/raster/rasters.ts';
import { rangesOf } from '../../../console/src/raster/file-ranges.for-tests.ts';
import { createOpenRasters } from '../../../src/maps/thread/raster/open-rasters.ts';
import { createStyledRasters, wholeAsItIs } from '../../../src/maps/thread/raster/styled-rasters.ts';
import type { LegendModel } from '../../../common/maps/legend/model.ts';
import { missingBands, paintOf, surveyedBands } from '../../../common/maps/raster/paint.ts';
import { compileSld } from '../../../common/maps/style/sld-compile.ts';
import { layerStyleOf } from '../../../common/maps/style/sld-read.ts';

const blockBytes = 16 * 1024 * 1024;

export interface BothPictures {
  /** Width of the raster in pixels. */
  readonly width: number;
  readonly height: number;
  /** Colour of a pixel of the raster: `#rrggbb` and opacity, or `.` where it is transparent. */
  at(column: number, row: number): string;
  readonly legend: LegendModel;
  /** The value of the first band under the pointer. */
  valueAt(column: number, row: number): Promise<number | undefined>;
}

/**
 * Draws a COG without reprojection, as the service does for thumbnails and tiles and as the page does, and
 * asserts that both pictures are equal.
 * @param size pixels per side: a multiple of 8 and of the side of the raster
 */
export async function drawBoth(path: string, sld: string | undefined, size: number): Promise<BothPictures> {
  const bytes = await readFile(path);
  const context = {
    read: async (_: string, start: number, length: number) =>
      new Uint8Array(bytes.subarray(start, start + length)),
    size: async () => bytes.length,
  };
  const compiled = sld === undefined ? undefined : compileSld(sld);
  const style = compiled === undefined ? undefined : { key: 'style', compiled: JSON.stringify(compiled) };
  const styled = createStyledRasters(createOpenRasters(context, blockBytes));
  const png = decode(await styled.thumbnail({ cogKey: 'cog', meshKey: null, style, size }));
  const pixels = rgbaOf(png);
  const legend = await styled.legend({ cogKey: 'cog', style });

  const rasters = createRasters((await rangesOf(path)).fetch, blockBytes);
  const opened = await rasters.open({ url: 'cog' });
  const raster = compiled && layerStyleOf(compiled).raster;
  assert.deepEqual(missingBands(opened, raster), []);
  const spreads = await rasters.survey({ url: 'cog', bands: surveyedBands(opened, raster) });
  const [lattice] = wholeAsItIs(opened, size);
  assert.ok(lattice !== undefined);
  const page = await rasters.tile({ url: 'cog', lattice, size, paint: paintOf(opened, raster, spreads) });
  assert.ok(page !== undefined);
  const onPage = new Uint8Array(page);
  const opacity = raster?.opacity ?? 1;
  for (let at = 3; at < onPage.length; at += 4) onPage[at] = Math.round((onPage[at] ?? 0) * opacity);
  const perPixel = size / opened.width;
  const textAt = (of: Uint8Array, column: number, row: number) => {
    const start = 4 * (Math.floor((row + 0.5) * perPixel) * size + Math.floor((column + 0.5) * perPixel));
    const [red, green, blue, alpha] = of.subarray(start, start + 4);
    return alpha === 0
      ? '.'
      : `#${[red, green, blue, alpha].map((part) => (part ?? 0).toString(16).padStart(2, '0')).join('')}`;
  };
  for (let at = 0; at < opened.width * opened.height; at += 1) {
    const place = [at % opened.width, Math.floor(at / opened.width)] as const;
    assert.equal(textAt(onPage, ...place), textAt(pixels, ...place), `the page at ${place.join()}`);
  }
  return {
    width: opened.width,
    height: opened.height,
    at: (column, row) => textAt(pixels, column, row),
    legend,
    valueAt: async (column, row) => (await rasters.peek({ url: 'cog', column, row }))?.[0],
  };
}

function rgbaOf({ width, height, data, palette, channels, depth }: ReturnType<typeof decode>): Uint8Array {
  const rowBytes = Math.ceil((width * depth) / 8);
  // Small palettes pack several indices into a byte, the first one in its highest bits.
  const indexAt = (at: number) => {
    const bit = (at % width) * depth;
    const byte = data[Math.floor(at / width) * rowBytes + (bit >> 3)] ?? 0;
    return (byte >> (8 - depth - (bit & 7))) & (2 ** depth - 1);
  };
  const pixels = new Uint8Array(width * height * 4);
  for (let at = 0; at < width * height; at += 1) {
    if (palette === undefined) {
      assert.equal(channels, 4);
      pixels.set(data.subarray(4 * at, 4 * at + 4), 4 * at);
      continue;
    }
    const [red = 0, green = 0, blue = 0, alpha = 255] = palette[indexAt(at)] ?? [];
    pixels.set([red, green, blue, alpha], 4 * at);
  }
  return pixels;
}
