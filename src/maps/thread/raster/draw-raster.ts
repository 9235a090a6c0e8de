import type { Lattice } from '../../../../common/maps/raster/lattice.ts';
import { encodeIndexedPng, encodeRgbaPng } from '../../png/png.ts';
import { type DrawnRaster, loadSquare } from './read-square.ts';
import { drawingProblems } from '../../../messages/drawing/english.ts';
import {
  type BandColouring,
  bandColouringOf,
  opaqueSample,
} from '../../../../common/maps/raster/band-colour.ts';
import {
  type Colouring,
  colouringOf,
  type Indexing,
  indexingOf,
} from '../../../../common/maps/raster/colouring.ts';
import { rawCurveOf } from '../../../../common/maps/raster/curves.ts';
import {
  bandValuesOf,
  missingBands,
  type Paint,
  paintedValues,
  paintOf,
  type RasterFacts,
  surveyedBands,
} from '../../../../common/maps/raster/paint.ts';
import { rawColoursOf } from '../../../../common/maps/raster/raw-colours.ts';
import type { Rgba } from '../../../../common/maps/style/colour-map.ts';
import type { RasterStyle } from '../../../../common/maps/style/sld-raster.ts';
import type { CogHead } from '../tiff/cog-head.ts';
import { type Counted, readSpreads } from './spread.ts';

/** Style and position of a square. */
export interface Picture {
  readonly paint: PreparedPaint;
  readonly lattices: readonly Lattice[];
  /** Pixels per side. */
  readonly size: number;
}

/** Pixels of a square, row by row. */
export type Painted =
  | { readonly kind: 'indexed'; readonly indices: Uint8Array; readonly palette: readonly Rgba[] }
  | { readonly kind: 'rgba'; readonly pixels: Uint8Array<ArrayBuffer> };

/**
 * Draws a square of a raster as PNG; undefined outside the raster.
 * @throws {Problem} as `loadSquare` does.
 */
export async function drawRaster(
  raster: DrawnRaster,
  picture: Picture,
  scratch: Scratch,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const [width, height] = [picture.size, picture.size];
  return await paintRaster(raster, picture, scratch, (painted) =>
    painted.kind === 'rgba'
      ? encodeRgbaPng({ width, height, pixels: painted.pixels })
      : encodeIndexedPng({ width, height, indices: painted.indices, palette: painted.palette }),
  );
}

/**
 * Colours a square of a raster.
 * @param use receives its pixels, which are valid until it returns; it is not called outside the raster.
 * @throws {Problem} as `loadSquare` does.
 */
export async function paintRaster<T>(
  raster: DrawnRaster,
  { paint, lattices, size }: Picture,
  scratch: Scratch,
  use: (painted: Painted) => T,
): Promise<T | undefined> {
  const { alphaBand } = raster.head;
  const alpha = alphaBand === undefined ? [] : [alphaBand];
  const shown = paint.kind === 'bands' ? paint.bands.filter((band) => band >= 0) : [paint.band];
  const bands = [...new Set([...shown, ...alpha])];
  using square = await loadSquare(raster, lattices, { size, bands });
  if (square === undefined) return undefined;
  // From here on nothing is awaited, so that no other call uses the scratch buffers.
  const length = size * size;
  const values = bands.map((_, index) => {
    const own = scratch.values(index, length);
    square.fillBand(index, own);
    return own;
  });
  const valuesOf = (band: number | undefined) =>
    band === undefined ? undefined : values[bands.indexOf(band)];
  if (paint.kind === 'bands') {
    const pixels = scratch.pixels(length);
    paint.colouring(paint.bands.map(valuesOf), valuesOf(alphaBand), pixels);
    return use({ kind: 'rgba', pixels: dimmed(pixels, paint.opacity) });
  }
  const [first = scratch.values(0, length)] = values;
  const opacity = valuesOf(alphaBand);
  if (opacity !== undefined) hideTransparent(first, opacity);
  if (first.every(Number.isNaN)) return undefined;
  if (paint.kind === 'indexed') {
    const indices = scratch.indices(length);
    paint.indexing.fill(first, indices);
    return use({ kind: 'indexed', indices, palette: paint.indexing.palette });
  }
  const pixels = scratch.pixels(length);
  paint.colouring(first, pixels);
  return use({ kind: 'rgba', pixels: dimmed(pixels, paint.opacity) });
}

/** Removes values of pixels that the alpha band hides. */
function hideTransparent(values: Float64Array, opacity: Float64Array): void {
  for (let at = 0; at < values.length; at += 1) if (!((opacity[at] ?? 0) > 0)) values[at] = Number.NaN;
}

/** Returns the bytes of pixels, with their opacity multiplied by 0 to 1. */
function dimmed(pixels: Uint32Array<ArrayBuffer>, opacity: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.byteLength);
  if (opacity < 1)
    for (let at = 3; at < bytes.length; at += 4) bytes[at] = Math.round((bytes[at] ?? 0) * opacity);
  return bytes;
}

/** Number of pixels of the largest tile; larger pictures get their own arrays. */
const maxKept = 512 * 512;

/** Reusable arrays, because collecting new ones took a third of the drawing time. */
export type Scratch = ReturnType<typeof createScratch>;

/** Creates buffers for one picture at a time: their content is valid until the next `await`. */
export function createScratch() {
  const values: Float64Array[] = [];
  const indices = new Uint8Array(maxKept);
  const pixels = new Uint32Array(maxKept);
  return {
    /** Returns the values of the n-th band. */
    values(band: number, length: number): Float64Array {
      if (length > maxKept) return new Float64Array(length);
      const kept = values[band] ?? new Float64Array(maxKept);
      values[band] = kept;
      return kept.subarray(0, length);
    },
    indices: (length: number) => (length > maxKept ? new Uint8Array(length) : indices.subarray(0, length)),
    pixels: (length: number) => (length > maxKept ? new Uint32Array(length) : pixels.subarray(0, length)),
  };
}

/** Prepared colours of a raster; the bands in `paint` count from one, those beside it from 0. */
export type PreparedPaint = { readonly paint: Paint; readonly opacity: number } & (
  | { readonly kind: 'indexed'; readonly band: number; readonly indexing: Indexing }
  | { readonly kind: 'many'; readonly band: number; readonly colouring: Colouring }
  | {
      readonly kind: 'bands';
      /** Red, green and blue; -1 for none. */
      readonly bands: readonly number[];
      readonly colouring: BandColouring;
    }
);

/** Returns the raster facts that paints need. */
export const factsOf = ({ bands, type, scales, palette, colourBands }: CogHead): RasterFacts => ({
  bands,
  type,
  scales,
  palette,
  colourBands,
});

/**
 * Prepares the colours of a raster: its style's, otherwise its own, otherwise a stretched ramp.
 * @throws {Problem} as `readSpreads` does, and if the style names a band that the raster lacks.
 */
export async function preparePaint(
  raster: DrawnRaster,
  style: RasterStyle | undefined,
  counted: Counted,
): Promise<PreparedPaint> {
  const facts = factsOf(raster.head);
  const [missing] = missingBands(facts, style);
  if (missing !== undefined) throw drawingProblems.noSuchBand(missing, facts.bands);
  const opacity = style?.opacity ?? 1;
  const paint = paintOf(facts, style, await readSpreads(raster, surveyedBands(facts, style), counted));
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
  return { paint, kind: 'many', band, colouring: colouringOf(colours), opacity };
}
