import { type BandColouring, bandColouringOf, opaqueSample } from '../../../src/maps/raster/band-colour.ts';
import { type Colouring, colouringOf } from '../../../src/maps/raster/colouring.ts';
import { rawCurveOf } from '../../../src/maps/raster/curves.ts';
import { bandValuesOf, type Paint, paintedValues } from '../../../src/maps/raster/paint.ts';
import { onlyClass, rawColoursOf } from '../../../src/maps/raster/raw-colours.ts';
import type { Cog } from './cog.ts';

/** What makes pixels of the samples of one band, or of three, counted from one. */
type PaintColouring =
  | { readonly kind: 'values'; readonly band: number; readonly fill: Colouring }
  | { readonly kind: 'bands'; readonly bands: readonly number[]; readonly fill: BandColouring };

/** Creates what prepares the colouring of a raster by a paint, and keeps the last: the same paint comes with every tile, as a new object. */
export function createColourings(): (paint: Paint, cog: Cog) => PaintColouring {
  let last: { readonly text: string; readonly cog: Cog; readonly colouring: PaintColouring } | undefined;
  return (paint, cog) => {
    const text = JSON.stringify(paint, (_, value: unknown) => (value === Infinity ? 'inf' : value));
    if (last?.text !== text || last.cog !== cog) last = { text, cog, colouring: prepare(paint, cog) };
    return last.colouring;
  };
}

function prepare(paint: Paint, cog: Cog): PaintColouring {
  if (paint.kind === 'values') {
    const colours = rawColoursOf(onlyClass(paint.colours, paint.only), paintedValues(paint, cog));
    return { kind: 'values', band: paint.band, fill: colouringOf(colours) };
  }
  const curves = paint.curves.map(
    (curve, index) => curve && rawCurveOf(curve, bandValuesOf(cog, paint.bands[index] ?? 0)),
  );
  const { meaning, type } = cog;
  const fill = bandColouringOf({ meaning, curves, opaque: opaqueSample(type) });
  return { kind: 'bands', bands: paint.bands, fill };
}
