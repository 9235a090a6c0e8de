import { type Extent, toAlbers } from '../../../../common/maps/paper/albers.ts';
import {
  frameAround,
  metresPerPoint,
  paperOf,
  roundScaleBelow,
} from '../../../../common/maps/paper/papers.ts';

export const papers = ['A4.landscape', 'A4.portrait', 'A3.landscape', 'A3.portrait'] as const;
export type Paper = (typeof papers)[number];

/** The denominators that are offered. */
export const scales = [50_000, 100_000, 200_000, 300_000, 500_000, 1_000_000, 2_000_000, 5_000_000] as const;

/** The settings of a map on paper; `what` is `view`, `whole` or the KATO code of a unit. */
export interface SheetSettings {
  readonly paper: Paper;
  /** Undefined for the next round scale that fits. */
  readonly scale: number | undefined;
  readonly what: string;
}

/** Reads `A4.landscape.auto.view` from the address; invalid parts take their defaults. */
export function readSheet(text: string): SheetSettings {
  const [size = '', orientation = '', scale = '', what = ''] = text.split('.');
  const paper = papers.find((each) => each === `${size}.${orientation}`) ?? 'A4.landscape';
  return {
    paper,
    scale: scales.find((each) => each === Number(scale)),
    what: /^(?:whole|\d{9})$/.test(what) ? what : 'view',
  };
}

export function writeSheet({ paper, scale, what }: SheetSettings): string {
  return `${paper}.${scale ?? 'auto'}.${what}`;
}

/** The view of a map: its centre, and its size in metres on the ground. */
export interface ShownView {
  readonly lon: number;
  readonly lat: number;
  readonly width: number;
  readonly height: number;
}

const sidesOf = (paper: Paper) => {
  const [size, orientation] = paper.split('.');
  return {
    size: size === 'A3' ? ('A3' as const) : ('A4' as const),
    orientation: orientation === 'portrait' ? ('portrait' as const) : ('landscape' as const),
  };
};

/** Finds scale and frame of a sheet at the centre of a view. */
export function frameOfView({ paper, scale }: SheetSettings, { lon, lat, width, height }: ShownView) {
  const { size, orientation } = sidesOf(paper);
  const { map } = paperOf(size, orientation);
  // The whole frame is in sight, so that the map shows the content of the sheet.
  const fitting = Math.min(width / map.width, height / map.height) / metresPerPoint;
  const denominator = scale ?? Math.min(100_000_000, Math.max(1000, roundScaleBelow(fitting)));
  const [x, y] = toAlbers(lon, lat);
  const frame: Extent = frameAround({ left: x, right: x, top: y, bottom: y }, map, denominator);
  return { denominator, frame };
}

/** The path of the sheet of a raster. @param language the language of the sheet */
export function sheetPath(
  id: string,
  settings: SheetSettings,
  { view, language }: { readonly view: ShownView | undefined; readonly language: string },
): string {
  const { size, orientation } = sidesOf(settings.paper);
  const query = new URLSearchParams({ size, orientation, lang: language, wait: '10' });
  if (settings.what === 'view' && view !== undefined) {
    query.set('center', `${view.lon.toFixed(5)},${view.lat.toFixed(5)}`);
    query.set('scale', String(frameOfView(settings, view).denominator));
  } else {
    if (settings.scale !== undefined) query.set('scale', String(settings.scale));
    if (/^\d{9}$/.test(settings.what)) query.set('kato', settings.what);
  }
  return `./datasets/${encodeURIComponent(id)}/sheet.pdf?${query.toString()}`;
}
