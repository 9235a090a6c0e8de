import type BaseLayer from 'ol/layer/Base.js';
import type { ViewCode } from '../../raster/projection.ts';
import type { Districts, Level } from './districts.ts';
import { createDrawnLayer, createSheet } from '../drawing/canvas-layer.ts';
import { isInside, type Outline, pathOf } from './outlines.ts';

export interface UnitOutline {
  readonly layer: BaseLayer;
  /** Draws the border of a unit, or none. Returns where it lies, in metres of the view: west, south, east, north. */
  readonly show: (level: Level, kato: string | undefined) => Promise<Outline['extent'] | undefined>;
  /** The unit of a level at a point of the view. */
  readonly codeAt: (level: Level, point: readonly number[]) => Promise<string | undefined>;
}

/** A layer that draws the border of one unit over the data. */
export function createUnitOutline(view: ViewCode, districts: Districts): UnitOutline {
  let shown: readonly Outline[] = [];
  let asked = 0;
  const border = createSheet((context, pixels) => {
    const path = pathOf(shown, pixels);
    context.lineJoin = 'round';
    // Light below dark can be seen on every colour.
    for (const [colour, width] of [
      ['#ffffff', 5],
      ['#1d2733', 2.5],
    ] as const) {
      context.strokeStyle = colour;
      context.lineWidth = width * pixels.ratio;
      context.stroke(path);
    }
  });
  const layer = createDrawnLayer('map-unit', [border], 950);
  return {
    layer,
    async show(level, kato) {
      asked += 1;
      const own = asked;
      const outlines = kato === undefined ? [] : await districts.outlines(level, 'fine', view);
      if (own !== asked) return undefined;
      shown = outlines.filter((outline) => outline.kato === kato);
      border.forget();
      layer.changed();
      return shown[0]?.extent;
    },
    async codeAt(level, [x = Number.NaN, y = Number.NaN]) {
      const outlines = await districts.outlines(level, 'coarse', view);
      return outlines.findLast((outline) => isInside(outline, x, y))?.kato;
    },
  };
}
