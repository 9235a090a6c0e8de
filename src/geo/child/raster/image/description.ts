import gdal, { type Dataset, type RasterBand } from 'gdal-async';
import { isDeepStrictEqual } from 'node:util';
import type { Problem } from '../../../../lib/errors.ts';
import { rasterProblems } from '../../../../messages/raster/english.ts';

/** GDAL's mask flags (GMF_*): all pixels valid, an alpha band, a nodata value. Any other flag is a stored mask. */
const noOwnMask = 0x01 | 0x04 | 0x08;

export type RasterDescription = ReturnType<typeof describeRaster>;
export type BandDescription = ReturnType<typeof describeBand>;

export function describeRaster(dataset: Dataset) {
  const { x: width, y: height } = dataset.rasterSize;
  const bands = dataset.bands.map((band) => band);
  const blockSize = bands[0]?.blockSize ?? { x: width, y: height };
  return {
    width,
    height,
    blockWidth: blockSize.x,
    blockHeight: blockSize.y,
    bands: bands.map(describeBand),
    /** True if the file stores a mask. */
    hasMask: bands.some((band) => (band.getMaskFlags() & noOwnMask) === 0),
  };
}

function describeBand(band: RasterBand) {
  const bits = imageStructureOf(band)['NBITS'];
  return {
    /** GDAL's name: `Byte`, `Int16`, `Float32`, `CFloat64`, … */
    dataType: isSignedByte(band) ? 'Int8' : (band.dataType ?? 'Byte'),
    // The binding returns undefined, although its types say null.
    hasPalette: (band.colorTable ?? undefined) !== undefined,
    colorInterpretation: band.colorInterpretation ?? undefined,
    /** Bits of a stored value if they differ from the width of its type. */
    bits: bits === undefined ? undefined : Number(bits),
  };
}

/** GDAL before 3.7 has no type for signed bytes: the band's metadata contain the sign. */
export function isSignedByte(band: RasterBand): boolean {
  return imageStructureOf(band)['PIXELTYPE'] === 'SIGNEDBYTE';
}

/** Returns GDAL's metadata about the storage of a file's or band's pixels. */
export function imageStructureOf(of: Dataset | RasterBand): Readonly<Record<string, string>> {
  return of.getMetadata('IMAGE_STRUCTURE');
}

/** Bytes per value of a data type. */
export function bytesOf(dataType: string): number {
  const bits = Number(/\d+$/.exec(dataType)?.[0] ?? 8);
  return (bits / 8) * (dataType.startsWith('C') ? 2 : 1);
}

/** Metadata domains that a GeoTIFF keeps. */
const metadataDomains = ['', 'RPC', 'COLOR_PROFILE', 'GEOLOCATION', 'xml:XMP', 'xml:GDAL_METADATA'];

/** A fact that differs between a raster and its COG. */
interface FactDifference {
  /** One-based; absent for a fact of the whole raster. */
  readonly band?: number;
  readonly fact: string;
  readonly inSource: unknown;
  readonly inCog: unknown;
}

/** Compares the metadata of two rasters of the same shape and of their bands: everything except georeference and pixels. */
export function factDifferences(source: Dataset, cog: Dataset): readonly FactDifference[] {
  const ofBands = bandNumbers(source).flatMap((number) =>
    differences(bandFactsOf(source.bands.get(number)), bandFactsOf(cog.bands.get(number))).map(
      (difference) => ({ ...difference, band: number }),
    ),
  );
  return [...differences(factsOf(source), factsOf(cog)), ...ofBands];
}

/** One-based. */
export function bandNumbers(dataset: Dataset): number[] {
  return Array.from({ length: dataset.bands.count() }, (_, index) => index + 1);
}

function factsOf(dataset: Dataset) {
  const domains = metadataDomains.map((domain) => [domain, metadataOf(dataset, domain)] as const);
  return {
    'coordinate reference system': dataset.srs?.toWKT(),
    'ground control points': dataset.getGCPs(),
    'system of the control points': dataset.getGCPProjection(),
    metadata: Object.fromEntries(domains),
  };
}

function bandFactsOf(band: RasterBand) {
  const structure = imageStructureOf(band);
  return {
    nodata: band.noDataValue,
    scale: band.scale,
    offset: band.offset,
    unit: band.unitType,
    description: band.description,
    // GDAL reports none for "white is zero", which no GeoTIFF of its own can state for a first band.
    'colour interpretation': band.colorInterpretation ?? (band.id === 1 ? 'Gray' : undefined),
    categories: band.categoryNames,
    'colour table': band.colorTable?.map((colour) => colour),
    metadata: metadataOf(band, ''),
    bits: structure['NBITS'],
    sign: structure['PIXELTYPE'],
  };
}

function metadataOf(of: Dataset | RasterBand, domain: string): Record<string, string> {
  const all: Record<string, string> = domain === '' ? of.getMetadata() : of.getMetadata(domain);
  // Statistics are derived, overviews are the COG's own, and pixels of undeclared type are areas.
  const kept = Object.entries(all).filter(
    ([key, value]) =>
      !/^(STATISTICS_|OVR_RESAMPLING_ALG$)/.test(key) && `${key}=${value}` !== 'AREA_OR_POINT=Area',
  );
  return Object.fromEntries(kept);
}

/** Compares the members of the first object with those of the second. */
export function differences(source: object, cog: object): readonly FactDifference[] {
  const inCog = new Map<string, unknown>(Object.entries(cog));
  return Object.entries(source).flatMap(([fact, value]: [string, unknown]) =>
    isDeepStrictEqual(value, inCog.get(fact)) ? [] : [{ fact, inSource: value, inCog: inCog.get(fact) }],
  );
}

export function describeDifference({ band, fact, inSource, inCog }: FactDifference): string {
  return `${band === undefined ? '' : `band ${band}: `}${fact}: ${printed(inSource)} in the source, ${printed(inCog)} in the COG`;
}

/** Formats a value for people, in at most one line. */
export function printed(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'none');
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

/**
 * Opens a raster whose blocks are decoded by several threads, or by one if bands are stored separately: GDAL 3.6 gives
 * further decoders the tags of the whole image, and libtiff logs for each block that they do not fit one band.
 * @throws {Problem} if the file is not a GeoTIFF that GDAL can open.
 */
export async function openSource(path: string): Promise<Dataset> {
  const source = await openTiff(path);
  const isApart = source.bands.count() > 2 && imageStructureOf(source)['INTERLEAVE'] === 'BAND';
  if (!isApart) return source;
  source.close();
  const threads = gdal.config.get('GDAL_NUM_THREADS');
  gdal.config.set('GDAL_NUM_THREADS', '1');
  try {
    return await openTiff(path);
  } finally {
    gdal.config.set('GDAL_NUM_THREADS', threads);
  }
}

async function openTiff(path: string): Promise<Dataset> {
  try {
    return await gdal.drivers.get('GTiff').openAsync(path, 'r');
  } catch (cause) {
    throw openProblem(cause).because(cause);
  }
}

function openProblem(cause: unknown): Problem {
  const reason = cause instanceof Error ? cause.message : '';
  const badTag = /Bad value [\d.e+-]{1,40} for "(\w{1,64})" tag/.exec(reason)?.[1];
  if (badTag !== undefined) return rasterProblems.badTag(badTag);
  return /codec|compression/i.test(reason) ? rasterProblems.unknownCompression() : rasterProblems.notATiff();
}
