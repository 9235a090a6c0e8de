import type { ViewCode } from '../raster/projection.ts';
import { cssOf } from '../../../src/portrayal/style/colour-map.ts';
import type { Detail, Districts, Level } from './districts.ts';
import { createDrawnLayer, createSheet, type Pixels } from './drawn-layer.ts';
import { hatching } from './hatching.ts';
import type { UnitLayerModel } from './loaded-layer.ts';
import { isInside, type Outline, pathOf } from './outlines.ts';
import { dateIndex, valuesAt } from './series.ts';

/** Below so many metres of a pixel the rounded borders would show as stairs. */
const fineBelow = 400;
const borderWidth = 0.6;

/** A layer of districts coloured by the values of a date. */
export function createUnitLayer(
  view: ViewCode,
  districts: Districts,
  model: UnitLayerModel,
  onFailure: (error: unknown) => void,
) {
  const { series, classes, codes } = model;
  const colours = classes.list.map(({ colour }) => cssOf(colour));
  const none = hatching();
  let values = valuesAt(series, dateIndex(series, undefined));
  let only: number | undefined;
  let outlines: readonly Outline[] = [];
  let paths: { readonly pixels: Pixels | undefined; readonly of: readonly Path2D[] } | undefined;

  /** The paths of a view serve all dates. */
  const pathsIn = (pixels: Pixels) => {
    if (paths?.pixels !== pixels)
      paths = { pixels, of: outlines.map((outline) => pathOf([outline], pixels)) };
    return paths.of;
  };
  const classOf = ({ kato }: Outline) => {
    const value = values.get(kato);
    return value === undefined ? undefined : classes.classOf(value);
  };
  const isShown = (index: number | undefined) => only === undefined || index === only;
  const fills = createSheet((context, pixels) => {
    if (none instanceof CanvasPattern) none.setTransform({ a: pixels.ratio, d: pixels.ratio });
    const drawn = pathsIn(pixels);
    for (const [at, outline] of outlines.entries()) {
      const index = classOf(outline);
      const path = drawn[at];
      if (path === undefined || !isShown(index)) continue;
      context.fillStyle = (index === undefined ? none : colours[index]) ?? none;
      context.fill(path, 'evenodd');
    }
  });
  // A line takes longer to draw than an area, and stays where it is from date to date.
  const borders = createSheet((context, pixels) => {
    context.strokeStyle = '#ffffff';
    context.lineWidth = borderWidth * pixels.ratio;
    context.lineJoin = 'round';
    const drawn = pathsIn(pixels);
    for (const [at, outline] of outlines.entries()) {
      const path = drawn[at];
      if (path !== undefined && isShown(classOf(outline))) context.stroke(path);
    }
  });
  const layer = createDrawnLayer('map-data', [fills, borders]);
  const redraw = (sheets: readonly (typeof fills)[]) => {
    for (const sheet of sheets) sheet.forget();
    layer.changed();
  };
  /** Borders of a level, where the layer has any of its units. */
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
      // Regions lie below districts, so that a table of both shows both.
      const [regions, units] = await Promise.all([
        outlinesOf('region', detail),
        outlinesOf('district', detail),
      ]);
      outlines = [...regions, ...units].filter(({ kato }) => codes.has(kato));
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
      values = valuesAt(series, dateIndex(series, date));
      redraw(only === undefined ? [fills] : [fills, borders]);
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
