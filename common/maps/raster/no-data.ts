import type { SampleType } from './samples.ts';

/** Inclusive range of the samples of a raster that mean no data. */
export interface Hidden {
  readonly least: number;
  readonly greatest: number;
}

/** An empty range. */
export const nothingHidden: Hidden = { least: Number.NaN, greatest: Number.NaN };

const number = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?/i;

/** Parses a number like GDAL: trailing text is ignored, a comma is a point, and words are 0. */
export function numberOfGdal(text: string): number {
  const trimmed = text.trim();
  if (/^[+-]?nan|^-?1\.#(?:qnan|snan|ind)/i.test(trimmed)) return Number.NaN;
  const infinite = /^([+-]?)(?:inf|1\.#inf)/i.exec(trimmed);
  if (infinite !== null) return infinite[1] === '-' ? -Infinity : Infinity;
  return Number((number.exec(trimmed)?.[0] ?? '0').replace(',', '.'));
}

/** Range of nodata values that GDAL's masks accept for integer samples, by number of bits. */
const ranges = {
  unsigned: (bits: number) => [0, bits <= 8 ? 255 : bits <= 32 ? 2 ** 32 - 1 : 2 ** 64] as const,
  signed: (bits: number) =>
    bits <= 32 ? ([-(2 ** 31), 2 ** 31 - 1] as const) : ([-(2 ** 63), 2 ** 63] as const),
};

/**
 * Returns the samples that GDAL's mask hides for a nodata value: for floats, those that it considers equal; for
 * integers, the truncated value, or none if the type cannot represent it. NaN is never a value.
 */
export function hiddenBy(noData: number | undefined, { format, bits }: SampleType): Hidden {
  if (noData === undefined || Number.isNaN(noData)) return nothingHidden;
  if (format === 3) return bits > 32 ? nearDoubles(noData) : nearFloats(noData);
  const one = (value: number) => ({ least: value, greatest: value });
  // GDAL 3.6 reads signed bytes as unsigned, which have no value below 0.
  if (format === 2 && bits <= 8) return one(noData < 0 || noData > 255 ? noData : (noData << 24) >> 24);
  const [least, greatest] = format === 2 ? ranges.signed(bits) : ranges.unsigned(bits);
  return noData >= least && noData <= greatest ? one(Math.trunc(noData)) : nothingHidden;
}

const { fround } = Math;
const floatEpsilon = 2 ** -23;
const greatestFloat = fround(3.402_823_466_385_288_6e38);
/** Tolerance of GDAL for equal floats, in units in the last place of their sum. */
const ulps = 2;

function nearFloats(noData: number): Hidden {
  if (Math.abs(noData) > greatestFloat && Number.isFinite(noData)) return nothingHidden;
  const value = fround(noData);
  // The sum of two large numbers overflows to infinity; then nearly all numbers of the same sign are equal, as in GDAL.
  const isEqual = (other: number) =>
    other === value ||
    fround(Math.abs(fround(other - value))) <
      fround(fround(floatEpsilon * Math.abs(fround(other + value))) * ulps);
  return around(value, greatestFloat, isEqual, fround);
}

function nearDoubles(value: number): Hidden {
  // The tolerance is that of 32-bit floats.
  const isEqual = (other: number) =>
    other === value || Math.abs(other - value) < floatEpsilon * Math.abs(other + value) * ulps;
  return around(value, Number.MAX_VALUE, isEqual, (other) => other);
}

/** Finds the bounds of the numbers that are equal to one. */
function around(
  value: number,
  greatest: number,
  isEqual: (other: number) => boolean,
  round: (other: number) => number,
): Hidden {
  if (!Number.isFinite(value) || value === 0) return { least: value, greatest: value };
  const end = (far: number) => {
    if (isEqual(far)) return far;
    let [inside, outside] = [value, far];
    for (;;) {
      const middle = round(inside / 2 + outside / 2);
      if (middle === inside || middle === outside) return inside;
      if (isEqual(middle)) inside = middle;
      else outside = middle;
    }
  };
  return value < 0 ? { least: end(-greatest), greatest: end(0) } : { least: end(0), greatest: end(greatest) };
}

/** GDAL metadata of a band in a TIFF. */
export interface BandNotes {
  /** value = sample × scale + offset. */
  readonly scale: number;
  readonly offset: number;
  /** GDAL's name of the band's colour, such as `Red`. */
  readonly colour: string | undefined;
  readonly description: string | undefined;
}

export const plainBand: BandNotes = { scale: 1, offset: 0, colour: undefined, description: undefined };

const item = /<Item\b([^<>]*)>([^<]*)<\/Item>/g;
const maxItems = 100_000;

/** Parses GDAL's metadata of a TIFF: one entry per band; defaults for a band without any. */
export function bandNotesOf(xml: string, bands: number): readonly BandNotes[] {
  const notes = new Map<number, BandNotes>();
  for (const [, attributes = '', text = ''] of xml.matchAll(item).take(maxItems)) {
    const [sample, role] = [attributeOf(attributes, 'sample'), attributeOf(attributes, 'role')];
    const band = sample === undefined ? Number.NaN : Math.trunc(numberOfGdal(sample));
    if (!(band >= 0 && band < bands)) continue;
    notes.set(band, { ...(notes.get(band) ?? plainBand), ...noteOf(role, text) });
  }
  return Array.from({ length: bands }, (_, band) => notes.get(band) ?? plainBand);
}

function noteOf(role: string | undefined, text: string): Partial<BandNotes> {
  switch (role?.toLowerCase()) {
    case 'scale':
      return { scale: numberOfGdal(text) };
    case 'offset':
      return { offset: numberOfGdal(text) };
    case 'colorinterp':
      return { colour: text.trim() };
    case 'description':
      return { description: text.trim() };
    default:
      return {};
  }
}

function attributeOf(attributes: string, name: string): string | undefined {
  return new RegExp(`\\b${name}\\s*=\\s*["']([^"']*)["']`).exec(attributes)?.[1];
}

const primaries = ['red', 'green', 'blue'] as const;

/**
 * Returns the one-based bands of red, green and blue: from GDAL's metadata, or their descriptions, or the first three
 * of a picture. Undefined if the bands are not colours.
 */
export function colourBandsOf(
  notes: readonly BandNotes[],
  isPicture: boolean,
): readonly [number, number, number] | undefined {
  const named = (nameOf: (note: BandNotes) => string | undefined) => {
    const [red, green, blue] = primaries.map(
      (colour) => notes.findIndex((note) => nameOf(note)?.toLowerCase() === colour) + 1,
    );
    return red && green && blue ? ([red, green, blue] as const) : undefined;
  };
  const own = named(({ colour }) => colour);
  if (own !== undefined) return own;
  if (isPicture) return notes.length >= 3 ? [1, 2, 3] : undefined;
  return named(({ description }) => description);
}
