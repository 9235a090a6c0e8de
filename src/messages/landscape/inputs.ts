import { quoted } from '../../lib/readable.ts';
import { sentences } from '../base/define.ts';
import { createWording } from './wording.ts';
import { percentOf } from './zoning.ts';

const { listed, measured } = createWording('en', (count) => ` and ${count} more`);
const percent = (share: number) =>
  percentOf(share, { less: (text) => `Less than ${text}`, more: (text) => `More than ${text}` });
const ofValues = (share: number | undefined) =>
  share === undefined ? 'Some of the values' : `${percent(share)} of the values`;

/** The values that a slot accepts, or that a raster has. */
export interface ValueSpan {
  readonly from: number;
  /** Undefined for an open upper end. */
  readonly to: number | undefined;
  readonly least: number;
  readonly greatest: number;
}

/** Classes of a raster, and those that a slot defines. */
export interface ClassLists {
  readonly found: readonly number[];
  readonly known: readonly number[];
}

/** West, south, east and north in degrees. */
export type Box = readonly number[];

/** Another input of a run, with the extents of both. */
export interface OtherPlace {
  /** Code of its dataset group, and its display name. */
  readonly group: string;
  readonly title: string;
  readonly name: string;
  readonly box: Box;
  readonly own: Box;
}

/** Rounds the degrees of a box for display: a precision of some hundred metres shows the fault. */
export const degreesOf = (box: Box): readonly number[] =>
  box.map((degrees) => Math.round(degrees * 100) / 100);

function placeOf(box: Box): string {
  const [west = 0, south = 0, east = 0, north = 0] = degreesOf(box).map(measured);
  return `longitude ${west} to ${east}, latitude ${south} to ${north}`;
}

const where = ({ box, own }: OtherPlace) => `This one lies at ${placeOf(own)}, the other at ${placeOf(box)}.`;
const other = ({ title, name }: OtherPlace) => `${quoted(name)} (${title})`;

const beyond = ({ from, to }: Pick<ValueSpan, 'from' | 'to'>) =>
  to === undefined ? `below ${measured(from)}` : `outside ${measured(from)} to ${measured(to)}`;

/** Differences between a raster and what its slot accepts. */
export const inputFindings = sentences('input_finding', {
  noReferenceSystem:
    'The raster has no coordinate reference system, so a run cannot place it. Assign the one that its coordinates are in, for example with gdal_translate -a_srs EPSG:32642, and upload the raster again.',
  noPlace: 'The raster has no georeference, so a run cannot place it. Georeference it and upload it again.',
  picture: (bands: number) =>
    `This is a picture: ${measured(bands)} bands of bytes that hold colours. Upload a raster with one band of values.`,
  severalBands: (bands: number) =>
    `The raster has ${measured(bands)} bands. A run reads band 1 and none of the others.`,
  noValue: 'No pixel of the raster has a value.',
  allOutside: ({ least, greatest, ...range }: ValueSpan) =>
    `All values are ${beyond(range)}: the raster has ${measured(least)} to ${measured(greatest)}.`,
  someOutside: (share: number | undefined, { least, greatest, ...range }: ValueSpan) =>
    `${ofValues(share)} are ${beyond(range)} and count as no value: the raster has ${measured(least)} to ${measured(greatest)}.`,
  factor: (factor: number, { least, greatest }: Pick<ValueSpan, 'least' | 'greatest'>) =>
    `Divide by ${measured(factor)}? The values would then be ${measured(least)} to ${measured(greatest)}. Divide them, or declare the scale ${1 / factor} in the file (gdal_translate -a_scale ${1 / factor}), and upload the raster again. The service converts nothing by itself.`,
  noKnownClass: ({ found, known }: ClassLists) =>
    `No class of the raster is known: it has ${listed(found.map(measured))}; the slot takes ${known.map(measured).join(', ')}.`,
  unknownClasses: (share: number, found: readonly number[]) =>
    `${percent(share)} of the values are of unknown classes and count as no value: ${listed(found.map(measured))}.`,
  unknownAsZero: (share: number, found: readonly number[]) =>
    `${percent(share)} of the values are of unknown classes and count as class 0: ${listed(found.map(measured))}.`,
  noClasses: (share: number | undefined, { least, greatest }: Pick<ValueSpan, 'least' | 'greatest'>) =>
    `${ofValues(share)} are none of the classes of the slot: the raster has ${measured(least)} to ${measured(greatest)}.`,
  elsewhere: (place: OtherPlace) =>
    `The raster does not overlap ${other(place)}, whose grid is that of the run. ${where(place)}`,
  apart: (place: OtherPlace) =>
    `The raster does not overlap ${other(place)}, so no place has values of both. ${where(place)}`,
  littleOverlap: (share: number) =>
    `The raster covers only a part of the elevation: ${percent(share).toLowerCase()} of its area.`,
  beingCounted: 'The values are still being counted and are not judged yet.',
  notCounted: 'The values could not be counted and are not judged.',
});
