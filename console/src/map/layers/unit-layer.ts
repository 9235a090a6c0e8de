import type { ViewCode } from '../../raster/projection.ts';
import { cssOf } from '../../../../common/maps/style/colour-map.ts';
import type { Sign } from '../../../../common/maps/style/sld-sign.ts';
import { signWithoutValue } from '../../../../common/maps/units/unit-paint.ts';
import type { Detail, Districts, Level } from '../units/districts.ts';
import { createDrawnLayer, createSheet, type Pixels } from '../drawing/canvas-layer.ts';
import { standardPixel } from '../place/scale-length.ts';
import type { UnitLayerModel } from './layer-model.ts';
import { stripes } from '../drawing/hatching.ts';
import { isInside, type Outline, pathOf } from '../units/outlines.ts';
import { unitsAt } from '../units/unit-series.ts';
import { whyEmptyAt } from '../units/unit-history.ts';

/** Metres per pixel below which the rounded borders would look jagged. */
const fineBelow = 400;

/** A layer of districts coloured by the values of a date. */
export function createUnitLayer(
  view: ViewCode,
  districts: Districts,
  model: UnitLayerModel,
  onFailure: (error: unknown) => void,
) {
  const { paint, codes } = model;
  const textures = { empty: texture('stripes'), absent: texture('dots'), outside: texture('plain') } as const;
  let whyEmpty = whyEmptyAt(model.series, undefined);
  const hatched = new Map([...(model.hatched ?? [])].map((colour) => [colour, stripes(colour, '#ffffff')]));
  let units = unitsAt(model, undefined);
  let only: number | undefined;
  let outlines: readonly Outline[] = [];
  let paths: { readonly pixels: Pixels | undefined; readonly of: readonly Path2D[] } | undefined;

  /** The paths depend on the view alone, not on the date. */
  const pathsIn = (pixels: Pixels) => {
    if (paths?.pixels !== pixels)
      paths = { pixels, of: outlines.map((outline) => pathOf([outline], pixels)) };
    return paths.of;
  };
  /** The symbols of a unit at the scale of a view; undefined if another class is shown alone. */
  const signsOf = ({ kato }: Outline, { metresPerPixel, ratio }: Pixels): readonly Sign[] | undefined => {
    const properties = units.get(kato);
    const denominator = (metresPerPixel * ratio) / standardPixel;
    const index = properties && paint.entryOf(properties, denominator);
    if (only !== undefined && index !== only) return undefined;
    return properties === undefined ? [] : paint.signsOf(properties, denominator);
  };
  const fills = createSheet((context, pixels) => {
    for (const each of [...Object.values(textures), ...hatched.values()])
      if (each instanceof CanvasPattern) each.setTransform({ a: pixels.ratio, d: pixels.ratio });
    const drawn = pathsIn(pixels);
    for (const [at, outline] of outlines.entries()) {
      const path = drawn[at];
      const signs = signsOf(outline, pixels);
      if (path === undefined || signs === undefined) continue;
      const colours = signs.flatMap(({ fill }) => (fill === undefined ? [] : cssOf(fill)));
      for (const colour of signs.length === 0 ? [textures[whyEmpty(outline.kato)]] : colours) {
        context.fillStyle = typeof colour === 'string' ? (hatched.get(colour) ?? colour) : colour;
        context.fill(path, 'evenodd');
      }
    }
  });
  // Lines take longer to draw than areas, and do not depend on the date unless the style has rules.
  const borders = createSheet((context, pixels) => {
    context.lineJoin = 'round';
    const drawn = pathsIn(pixels);
    for (const [at, outline] of outlines.entries()) {
      const path = drawn[at];
      const signs = signsOf(outline, pixels);
      if (path === undefined || signs === undefined) continue;
      for (const { stroke } of signs.length === 0 ? [signWithoutValue] : signs) {
        if (stroke === undefined) continue;
        context.strokeStyle = cssOf(stroke.colour);
        context.lineWidth = stroke.width * pixels.ratio;
        context.setLineDash(stroke.dashes.map((dash) => dash * pixels.ratio));
        context.stroke(path);
      }
    }
  });
  const layer = createDrawnLayer('map-data', [fills, borders]);
  const redraw = (sheets: readonly (typeof fills)[]) => {
    for (const sheet of sheets) sheet.forget();
    layer.changed();
  };
  /** Borders of a level; none if the layer has no unit of it. */
  const outlinesOf = async (level: Level, detail: Detail) => {
    const hasSome = (await districts.units(level)).some(({ kato }) => codes.has(kato));
    return hasSome ? await districts.outlines(level, detail, view) : [];
  };
  let shown: Detail | undefined;
  const update = async (resolution: number) => {
    const detail = resolution < fineBelow ? 'fine' : 'coarse';
    if (detail === shown) return;
    shown = detail;
    try {
      // Regions are drawn below districts, so that a table with both shows both.
      const all = await Promise.all(model.levels.map(async (level) => await outlinesOf(level, detail)));
      outlines = all.flat().filter(({ kato }) => codes.has(kato));
      paths = undefined;
      redraw([fills, borders]);
    } catch (error) {
      shown = undefined;
      onFailure(error);
    }
  };
  return {
    layer,
    update,
    showDate(date: string | undefined) {
      units = unitsAt(model, date);
      whyEmpty = whyEmptyAt(model.series, date);
      redraw(only === undefined && !paint.isByRules ? [fills] : [fills, borders]);
    },
    showOnly(index: number | undefined) {
      only = index;
      redraw([fills, borders]);
    },
    /** The KATO code of the uppermost unit at a point of the view. */
    codeAt: ([x = Number.NaN, y = Number.NaN]: readonly number[]) =>
      outlines.findLast((outline) => isInside(outline, x, y))?.kato,
  };
}

const side = 8;
/** Colours for units without a value; no ramp contains them. */
const [ground, ink, paper] = ['#e4e4df', '#b9b9b2', '#f4f4f0'] as const;

/**
 * The textures of units without a value: stripes for no value, dots for a unit that did not exist then, plain for a unit outside the table.
 */
export function texture(kind: 'stripes' | 'dots' | 'plain'): CanvasPattern | string {
  if (kind === 'plain') return paper;
  if (kind === 'stripes') return stripes(ground, ink);
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext('2d');
  if (context === null) return paper;
  context.fillStyle = ground;
  context.fillRect(0, 0, side, side);
  context.fillStyle = ink;
  context.fillRect(3, 3, 3, 3);
  return context.createPattern(canvas, 'repeat') ?? ground;
}
