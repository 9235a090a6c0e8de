import { type Colouring, colouringOf, type ThreeBands } from '../../../portrayal/raster/colour.ts';
import { type Indexing, indexingOf } from '../../../portrayal/raster/indexed.ts';
import { type Paint, paintOf } from '../../../portrayal/raster/paint.ts';
import type { RasterStyle } from '../../../portrayal/style/sld-raster.ts';
import type { DrawnRaster } from './read-square.ts';
import { readSpread } from './spread.ts';

/** How a raster is coloured, ready to be drawn; the bands of `paint` count from one, those beside it from 0. */
export type PreparedPaint = { readonly paint: Paint } & (
  | { readonly kind: 'indexed'; readonly band: number; readonly indexing: Indexing }
  | { readonly kind: 'many'; readonly band: number; readonly colouring: Colouring; readonly opacity: number }
  | {
      readonly kind: 'bands';
      readonly bands: readonly number[];
      readonly colours: ThreeBands;
      readonly opacity: number;
    }
);

/** Prepares the colours of a raster: its style's, else its own, else a stretched ramp. @throws {Problem} as `readSpread` does. */
export async function preparePaint(
  raster: DrawnRaster,
  style: RasterStyle | undefined,
): Promise<PreparedPaint> {
  const { isRgb, palette, bands, bits } = raster.head;
  const facts = { meaning: isRgb ? 'rgb' : 'values', palette, bands } as const;
  const opacity = style?.opacity ?? 1;
  const isStretched = !isRgb && palette === undefined && style?.colours === undefined;
  const spread = isStretched ? await readSpread(raster, 0) : undefined;
  const paint = paintOf({ ...facts, spread }, style);
  if (paint.kind === 'bands') {
    const colours = { meaning: 'rgb', from: 0, to: 2 ** bits - 1 } as const;
    return { paint, kind: 'bands', bands: paint.bands.map((band) => band - 1), colours, opacity };
  }
  const band = paint.band - 1;
  const indexing = indexingOf(paint.colours, opacity);
  if (indexing !== undefined) return { paint, kind: 'indexed', band, indexing };
  return { paint, kind: 'many', band, colouring: colouringOf(paint.colours), opacity };
}
