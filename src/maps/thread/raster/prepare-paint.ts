import { drawingProblems } from '../../../messages/drawing.ts';
import { type BandColouring, bandColouringOf, opaqueSample } from '../../raster/band-colour.ts';
import { type Colouring, manyColouringOf } from '../../raster/colour.ts';
import { rawCurveOf } from '../../raster/curves.ts';
import { type Indexing, indexingOf } from '../../raster/indexed.ts';
import {
  bandValuesOf,
  missingBands,
  type Paint,
  paintedValues,
  paintOf,
  type RasterFacts,
  surveyedBands,
} from '../../raster/paint.ts';
import { rawColoursOf } from '../../raster/raw-colours.ts';
import type { RasterStyle } from '../../style/sld-raster.ts';
import type { CogHead } from '../tiff/cog-head.ts';
import type { DrawnRaster } from './read-square.ts';
import { readSpreads } from './spread.ts';

/** How a raster is coloured, ready to be drawn; the bands of `paint` count from one, those beside it from 0. */
export type PreparedPaint = { readonly paint: Paint; readonly opacity: number } & (
  | { readonly kind: 'indexed'; readonly band: number; readonly indexing: Indexing }
  | { readonly kind: 'many'; readonly band: number; readonly colouring: Colouring }
  | {
      readonly kind: 'bands';
      /** Of red, green and blue; -1 is none. */
      readonly bands: readonly number[];
      readonly colouring: BandColouring;
    }
);

/** What paints need to know of a raster. */
export const factsOf = ({ bands, type, scales, palette, colourBands }: CogHead): RasterFacts => ({
  bands,
  type,
  scales,
  palette,
  colourBands,
});

/**
 * Prepares the colours of a raster: its style's, else its own, else a stretched ramp.
 * @throws {Problem} as `readSpreads` does, and when the style names a band that the raster does not have.
 */
export async function preparePaint(
  raster: DrawnRaster,
  style: RasterStyle | undefined,
): Promise<PreparedPaint> {
  const facts = factsOf(raster.head);
  const [missing] = missingBands(facts, style);
  if (missing !== undefined) throw drawingProblems.noSuchBand(missing, facts.bands);
  const opacity = style?.opacity ?? 1;
  const paint = paintOf(facts, style, await readSpreads(raster, surveyedBands(facts, style)));
  if (paint.kind === 'bands') {
    const curves = paint.curves.map(
      (curve, index) => curve && rawCurveOf(curve, bandValuesOf(facts, paint.bands[index] ?? 0)),
    );
    const colouring = bandColouringOf({ meaning: 'rgb', curves, opaque: opaqueSample(facts.type) });
    return { paint, kind: 'bands', bands: paint.bands.map((band) => band - 1), colouring, opacity };
  }
  const band = paint.band - 1;
  const colours = rawColoursOf(paint.colours, paintedValues(paint, facts));
  const indexing = indexingOf(colours, opacity);
  if (indexing !== undefined) return { paint, kind: 'indexed', band, indexing, opacity };
  return { paint, kind: 'many', band, colouring: manyColouringOf(colours), opacity };
}
