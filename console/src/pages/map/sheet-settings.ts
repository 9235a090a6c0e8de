import { type Extent, toAlbers } from '../../../../common/maps/paper/albers.ts';
import {
  frameAround,
  metresPerPoint,
  paperOf,
  paperSizes,
  roundScaleBelow,
} from '../../../../common/maps/paper/papers.ts';
import { type NomenclatureSheet, readNomenclature } from '../../../../common/maps/paper/nomenclature.ts';
import { type Datum, openPlane, planeOf } from '../../../../common/maps/paper/planes.ts';
import { frameOfSheet, placesOfRing } from '../../../../common/maps/paper/sheet-frame.ts';

export const papers = [
  'A4.landscape',
  'A4.portrait',
  'A3.landscape',
  'A3.portrait',
  'A2.landscape',
  'A2.portrait',
  'A1.landscape',
  'A1.portrait',
] as const;
export type Paper = (typeof papers)[number];

export const bordersChoices = ['', 'region', 'district', 'okrug', 'all', 'none'] as const;

/** The denominators that are offered. */
export const scales = [50_000, 100_000, 200_000, 300_000, 500_000, 1_000_000, 2_000_000, 5_000_000] as const;

/** The settings of a map on paper. */
export interface SheetSettings {
  /** Undefined for the smallest paper on which a sheet of the state map fits; A4 in landscape for other maps. */
  readonly paper: Paper | undefined;
  /** Undefined for the next round scale that fits. */
  readonly scale: number | undefined;
  /** `view`, `whole`, `state` or the KATO code of a unit. */
  readonly what: string;
  /** The sheet of the state map, if `what` is `state`. */
  readonly sheet: NomenclatureSheet | undefined;
  readonly datum: Datum;
}

const codesOfDatums = { q23: 'qaztrf-23', s42: 'sk-42' } as const satisfies Record<string, Datum>;

/**
 * Reads `A4.landscape.auto.view`, or `auto.auto.auto.s42.M.42.047.A` for a sheet of the state map, from the address; invalid parts take
 * their defaults.
 */
export function readSheet(text: string): SheetSettings {
  const [size = '', orientation = '', scale = '', what = '', ...name] = text.split('.');
  const found = papers.find((each) => each === `${size}.${orientation}`);
  const datum = Object.entries(codesOfDatums).find(([code]) => code === what)?.[1];
  const sheet = datum === undefined ? 'form' : readNomenclature(name.join('-'));
  const isState = typeof sheet !== 'string';
  return {
    paper: found ?? (isState ? undefined : 'A4.landscape'),
    scale: scales.find((each) => each === Number(scale)),
    what: isState ? 'state' : /^(?:whole|\d{9})$/.test(what) ? what : 'view',
    sheet: isState ? sheet : undefined,
    datum: datum ?? 'qaztrf-23',
  };
}

export function writeSheet({ paper, scale, what, sheet, datum }: SheetSettings): string {
  const start = `${paper ?? 'auto.auto'}.${scale ?? 'auto'}`;
  if (what !== 'state' || sheet === undefined) return `${start}.${what}`;
  const code = datum === 'sk-42' ? 's42' : 'q23';
  return `${start}.${code}.${latinName(sheet.name).replaceAll('-', '.')}`;
}

/** Writes the quarters of a name in Latin letters of the same order. */
const latinName = (name: string) =>
  name.replaceAll(/[А-Га-г]/g, (letter) => 'ABCDabcd'['АБВГабвг'.indexOf(letter)] ?? letter);

/** Returns the frame of a sheet of the state map in degrees. */
export function frameOfState(sheet: NomenclatureSheet, datum: Datum) {
  const plane = openPlane(planeOf(sheet, datum));
  return placesOfRing(frameOfSheet(sheet, plane).ring, plane);
}

/** The words of the annex of a decision, as a person writes them. */
export interface AnnexText {
  readonly body: string;
  readonly number: string;
  readonly date: string;
  /** A line for each: `post | name`, or `value = name`. */
  readonly signatures: string;
  readonly names: string;
}

/** True if some parts of the decision are given and others are missing. */
export function isIncomplete({ body, number, date }: AnnexText): boolean {
  const given = [body, number, date].filter((text) => text.trim() !== '').length;
  return given > 0 && given < 3;
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(';');

/** The view of a map: its centre, and its size in metres on the ground. */
export interface ShownView {
  readonly lon: number;
  readonly lat: number;
  readonly width: number;
  readonly height: number;
}

const sidesOf = (paper: Paper | undefined) => {
  const [size, orientation] = (paper ?? 'A4.landscape').split('.');
  return {
    size: paperSizes.find((each) => each === size) ?? 'A4',
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

/** Parts of a sheet that are not in the address. */
export interface SheetExtras {
  readonly view: ShownView | undefined;
  /** The language of the sheet. */
  readonly language: string;
  /** Ids of further layers, from below to above. */
  readonly layers: readonly string[];
  readonly borders: (typeof bordersChoices)[number];
  readonly annex: AnnexText;
}

/** The path of the sheet of a layer. */
export function sheetPath(id: string, settings: SheetSettings, extras: SheetExtras): string {
  const { paper, scale, what, sheet, datum } = settings;
  const { view, language, layers, borders, annex } = extras;
  const { size, orientation } = sidesOf(paper);
  const query = new URLSearchParams(
    paper === undefined ? { lang: language, wait: '10' } : { size, orientation, lang: language, wait: '10' },
  );
  if (what === 'view' && view !== undefined) {
    query.set('center', `${view.lon.toFixed(5)},${view.lat.toFixed(5)}`);
    query.set('scale', String(frameOfView(settings, view).denominator));
  } else if (what === 'state' && sheet !== undefined) {
    query.set('nomenclature', sheet.name);
    query.set('datum', datum);
  } else {
    if (scale !== undefined) query.set('scale', String(scale));
    if (/^\d{9}$/.test(what)) query.set('kato', what);
  }
  if (layers.length > 0) query.set('layers', layers.join(','));
  if (borders !== '') query.set('borders', borders);
  for (const [name, text] of [
    ['decision_body', annex.body.trim()],
    ['decision_number', annex.number.trim()],
    ['decision_date', annex.date],
    ['signatures', linesOf(annex.signatures)],
    ['names', linesOf(annex.names)],
  ] as const)
    if (text !== '') query.set(name, text);
  return `./datasets/${encodeURIComponent(id)}/sheet.pdf?${query.toString()}`;
}
