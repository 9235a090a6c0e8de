import type { Dataset, RasterBand } from 'gdal-async';

/** GDAL's mask flags (GMF_*): all pixels valid, an alpha band, a nodata value. Anything else is a mask of its own. */
const noOwnMask = 0x01 | 0x04 | 0x08;

export type RasterDescription = ReturnType<typeof describeRaster>;
export type BandDescription = ReturnType<typeof describeBand>;

/** Describes a raster by its headers. */
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
    /** True when the file stores a mask of its own. */
    hasMask: bands.some((band) => (band.getMaskFlags() & noOwnMask) === 0),
  };
}

function describeBand(band: RasterBand) {
  const bits = imageStructureOf(band)['NBITS'];
  return {
    /** GDAL's name: `Byte`, `Int16`, `Float32`, `CFloat64`, … */
    dataType: isSignedByte(band) ? 'Int8' : (band.dataType ?? 'Byte'),
    // The binding's types promise null, it says undefined.
    hasPalette: (band.colorTable ?? undefined) !== undefined,
    colorInterpretation: band.colorInterpretation ?? undefined,
    /** Bits that a value takes in the file when that is not the width of its type. */
    bits: bits === undefined ? undefined : Number(bits),
  };
}

/** GDAL before 3.7 has no type for signed bytes: the metadata of the band hold the sign. */
export function isSignedByte(band: RasterBand): boolean {
  return imageStructureOf(band)['PIXELTYPE'] === 'SIGNEDBYTE';
}

/** GDAL's metadata about how the pixels of a file or band are stored. */
export function imageStructureOf(of: Dataset | RasterBand): Readonly<Record<string, string>> {
  return of.getMetadata('IMAGE_STRUCTURE');
}

/** Bytes of one value of a data type. */
export function bytesOf(dataType: string): number {
  const bits = Number(/\d+$/.exec(dataType)?.[0] ?? 8);
  return (bits / 8) * (dataType.startsWith('C') ? 2 : 1);
}
