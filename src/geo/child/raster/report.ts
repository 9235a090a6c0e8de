import type { Dataset, RasterBand } from 'gdal-async';
import { rasterWarnings } from '../../../messages/raster/english.ts';
import type { RasterSource } from '../../findings.ts';
import type { FindingsCollector } from '../../gather-findings.ts';
import type { CogStructure } from '../../formats/tiff/cog-structure.ts';
import {
  nameOfCrs,
  titleOfCrs,
  isDatumUnknown,
  type Place,
  transformPoint,
  createTransformationToWgs84,
  farthestCoordinate,
} from '../../gdal/transformation.ts';
import { datumShiftOf } from '../../gdal/datum-shift.ts';
import { outlineOf, planeBbox } from './image/bbox.ts';
import { projStringOf } from './image/proj-string.ts';
import type { CogPlan } from './image/cog-options.ts';
import {
  describeRaster,
  imageStructureOf,
  type RasterDescription,
  factDifferences,
} from './image/description.ts';
import { type Georeference, missOfControlPoints } from './image/georeference.ts';
import type { Message } from '../../../lib/message.ts';

/** Describes a raster for the report before its pixels are read. */
export function describeSource(
  dataset: Dataset,
  raster: RasterDescription,
  georeference: Georeference,
): RasterSource {
  const [, a, b, , c, d] = georeference.affine;
  return {
    width: raster.width,
    height: raster.height,
    bands: raster.bands.length,
    data_type: raster.bands[0]?.dataType ?? 'Byte',
    nodata: noDataOf(dataset.bands.get(1)),
    ...scalesOf(dataset),
    ...textsOf(dataset),
    crs: georeference.nativeWkt === undefined ? null : nameOfCrs(georeference.nativeWkt),
    proj: projStringOf(georeference),
    ...shiftOf(georeference),
    extent: georeference.isPlaced ? [...planeBbox(outlineOf(georeference))] : null,
    resolution: georeference.isPlaced ? [Math.hypot(a, c), Math.hypot(b, d)] : null,
    cog: null,
  };
}

/** The last shift, because the outputs of a run have one grid, and finding a shift takes up to a tenth of a second. */
let lastShift: { readonly of: string; readonly found: Pick<RasterSource, 'shift'> } | undefined;

function shiftOf(georeference: Georeference): Pick<RasterSource, 'shift'> {
  const of = JSON.stringify(georeference);
  if (lastShift?.of !== of) lastShift = { of, found: findShift(georeference) };
  return lastShift.found;
}

function findShift(georeference: Georeference): Pick<RasterSource, 'shift'> {
  const { wkt } = georeference;
  const shift = wkt === undefined ? undefined : datumShiftOf(wkt, placesOnEarth(georeference, wkt));
  return shift === undefined ? {} : { shift };
}

/** JSON has neither NaN nor infinity: they become text. */
function noDataOf(band: RasterBand): number | string | null {
  // The binding returns null or undefined for an absent number, although its types do not say so.
  const value: number | null = band.noDataValue ?? null;
  if (value === null) return null;
  // JSON parsers round integers beyond the precision of a double.
  const isWide = band.dataType?.endsWith('Int64') === true && Number.isInteger(value);
  // The last numbers of a type are rounded beyond its range.
  if (isWide && !Number.isSafeInteger(value))
    return String(
      band.dataType === 'UInt64'
        ? clamped(value, 0n, 2n ** 64n - 1n)
        : clamped(value, -(2n ** 63n), 2n ** 63n - 1n),
    );
  return Number.isFinite(value) ? value : String(value).toLowerCase();
}

function clamped(value: number, least: bigint, greatest: bigint): bigint {
  const whole = BigInt(value);
  return whole < least ? least : whole > greatest ? greatest : whole;
}

/** Returns scale and offset; both null if no band has either. */
function scalesOf(dataset: Dataset): Pick<RasterSource, 'scale' | 'offset'> {
  // The binding returns null for absent numbers, although its types do not say so; JSON has finite numbers only.
  const numbers = (numberOf: (band: RasterBand) => number | null, usual: number) =>
    dataset.bands.map(numberOf).map((number) => (Number.isFinite(number) ? Number(number) : usual));
  const [scales, offsets] = [numbers(({ scale }) => scale, 1), numbers(({ offset }) => offset, 0)];
  if (scales.every((scale) => scale === 1) && offsets.every((offset) => offset === 0))
    return { scale: null, offset: null };
  return { scale: ofBands(scales), offset: ofBands(offsets) };
}

/** Returns the names of the bands and the units of their values in the file. */
function textsOf(dataset: Dataset): Pick<RasterSource, 'band_names' | 'band_units'> {
  const texts = (textOf: (band: RasterBand) => string | null) => {
    const found = dataset.bands.map(textOf).map((text) => text?.trim() || null);
    return found.some((text) => text !== null) ? found : undefined;
  };
  const [names, units] = [texts(({ description }) => description), texts(({ unitType }) => unitType)];
  return {
    ...(names === undefined ? {} : { band_names: names }),
    ...(units === undefined ? {} : { band_units: units }),
  };
}

/** Returns one number for all bands, or one each if they differ. */
function ofBands(numbers: readonly number[]): number | number[] {
  const [first = 0] = numbers;
  return numbers.every((number) => number === first) ? first : [...numbers];
}

/** Describes the storage of an upload that is its own COG. */
export function describeKeptCog(dataset: Dataset): RasterSource['cog'] {
  const structure = imageStructureOf(dataset);
  const metadata: Record<string, string> = dataset.getMetadata();
  const compression = structure['COMPRESSION'] ?? 'NONE';
  const predictor = structure['PREDICTOR'];
  return {
    passed_through: true,
    // GDAL's name includes the colour space.
    compression: compression === 'YCbCr JPEG' ? 'JPEG' : compression,
    predictor: predictor === undefined ? null : Number(predictor),
    overview_resampling: metadata['OVR_RESAMPLING_ALG'] ?? structure['OVERVIEW_RESAMPLING'] ?? null,
  };
}

const predictorNumbers = { NO: 1, STANDARD: 2, FLOATING_POINT: 3 } as const;

/** Describes the storage of a COG that was written as planned. */
export function describeWrittenCog(plan: CogPlan): RasterSource['cog'] {
  return {
    passed_through: false,
    compression: plan.options['COMPRESS'] ?? null,
    predictor: predictorNumbers[plan.predictor],
    overview_resampling: plan.overviewResampling === 'NONE' ? null : plan.overviewResampling,
  };
}

/** Control points with smaller deviations were set by hand, and are not more exact themselves. */
const unnoticedPixels = 1;

/** Warns of facts about a usable raster that a user should know. */
export function warnOfRaster(
  findings: FindingsCollector,
  source: Dataset,
  {
    georeference,
    structure,
    image = 1,
  }: {
    readonly georeference: Georeference;
    readonly structure?: CogStructure | undefined;
    /** Number of the image that is read. */
    readonly image?: number;
  },
): void {
  const place = placeWarning(georeference, source);
  if (place !== undefined) findings.warn('no_georeference', place);
  const missedPixels = missOfControlPoints(source, georeference);
  if (missedPixels > unnoticedPixels)
    findings.warn('georeference_fitted', rasterWarnings.fitted(Math.ceil(missedPixels)));
  if (hasUnknownDatum(georeference)) findings.warn('datum_unknown', rasterWarnings.datumUnknown());
  const images = structure?.otherImages ?? 0;
  if (image > 1) findings.warn('layers_left_out', rasterWarnings.imageWithPlace(image));
  else if (images > 0) findings.warn('layers_left_out', rasterWarnings.otherImages(images));
}

/** Stride of the sampled outline, dense enough for any datum. */
const placeEvery = 16;

function hasUnknownDatum(georeference: Georeference): boolean {
  const { wkt } = georeference;
  return wkt !== undefined && isDatumUnknown(wkt, placesOnEarth(georeference, wkt));
}

/** Returns places of the outline on the earth, in longitude and latitude. */
function placesOnEarth(georeference: Georeference, wkt: string): readonly Place[] {
  const farthest = farthestCoordinate({ wkt });
  const toWgs84 = createTransformationToWgs84({ wkt });
  return outlineOf(georeference)
    .filter(([x, y], index) => index % placeEvery === 0 && Math.max(Math.abs(x), Math.abs(y)) <= farthest)
    .map(([x, y]) => transformPoint(toWgs84, x, y))
    .filter((place) => place.every(Number.isFinite));
}

function placeWarning({ isPlaced, nativeWkt, wkt }: Georeference, source: Dataset): Message | undefined {
  const rpcs: Readonly<Record<string, string>> = source.getMetadata('RPC');
  if (!isPlaced && Object.keys(rpcs).length > 0) return rasterWarnings.rpcsAlone();
  if (!isPlaced) return rasterWarnings.noGeotransform();
  if (nativeWkt === undefined) return rasterWarnings.noCrs();
  return wkt === undefined ? rasterWarnings.notOnEarth(titleOfCrs(nativeWkt)) : undefined;
}

/** Bit widths that programs usually support. */
const usualBits: readonly (number | undefined)[] = [undefined, 1, 2, 4];
/** Number of colour bands by GDAL's name of the colour space; GDAL reads them as red, green, blue and alpha. */
const colourBands: ReadonlyMap<string, number> = new Map([
  ['CMYK', 4],
  ['CIELAB', 3],
]);

/** Warns of values that other programs may read differently, or not at all. */
export function warnOfValues(findings: FindingsCollector, source: Dataset, structure?: CogStructure): void {
  const space = imageStructureOf(source)['SOURCE_COLOR_SPACE'] ?? '';
  const bands = colourBands.get(space);
  if (bands !== undefined) {
    const lost = Math.max(0, (structure?.bands ?? 0) - bands);
    findings.warn('colours_converted', rasterWarnings.coloursConverted(space, lost));
  }
  const unusual = describeRaster(source).bands.find(({ bits }) => !usualBits.includes(bits));
  if (unusual?.bits !== undefined)
    findings.warn('unusual_bits', rasterWarnings.unusualBits(unusual.bits, unusual.dataType));
}

/** Warns of losses in a written COG that no pixel shows. */
export function warnOfCog(findings: FindingsCollector, source: Dataset, cog: Dataset): void {
  const bandsByFact = new Map<string, number[]>();
  for (const { fact, band } of factDifferences(source, cog)) {
    const bands = bandsByFact.get(fact) ?? [];
    bandsByFact.set(fact, band === undefined ? bands : [...bands, band]);
  }
  const facts = Array.from(bandsByFact, ([fact, bands]) => ({ fact, bands }));
  if (
    zeroIsWhite(source) &&
    !zeroIsWhite(cog) &&
    !describeRaster(cog).bands.some(({ hasPalette }) => hasPalette)
  )
    findings.warn('cog_differs', rasterWarnings.zeroIsWhite());
  else if (facts.length > 0) findings.warn('cog_differs', rasterWarnings.cogDiffers(facts));
}

function zeroIsWhite(dataset: Dataset): boolean {
  return imageStructureOf(dataset)['MINISWHITE'] === 'YES';
}
