import { Problem } from '../../../errors.ts';
import { MiB } from '../../../units.ts';

export interface BandDescription {
  /** GDAL's name: `Byte`, `Int16`, `Float32`, `CFloat64`, … */
  readonly dataType: string;
  readonly hasPalette: boolean;
  readonly colorInterpretation: string | undefined;
  /** Bits that a value takes in the file when that is not the width of its type. */
  readonly bits: number | undefined;
}

export interface RasterDescription {
  readonly width: number;
  readonly height: number;
  readonly blockWidth: number;
  readonly blockHeight: number;
  readonly bands: readonly BandDescription[];
  /** A mask that belongs to all bands and is stored in the file. */
  readonly hasMask: boolean;
}

/** 100,000 by 100,000 pixels in 2.5 bands; a country in 10 m. */
const maxValues = 25e9;
const maxBlockBytes = 256 * MiB;
const maxBands = 4096;

/** Bytes of one value of a data type. */
export function bytesOf(dataType: string): number {
  const bits = Number(/\d+$/.exec(dataType)?.[0] ?? 8);
  return (bits / 8) * (dataType.startsWith('C') ? 2 : 1);
}

/** Refuses what would take hours or all memory, however small the file that asks for it. @throws {Problem} */
export function refuseUnreasonable(raster: RasterDescription): void {
  if (raster.bands.length === 0) {
    throw new Problem('invalid', 'The file holds no raster band; upload a GeoTIFF with at least one.');
  }
  if (raster.bands.length > maxBands) {
    throw new Problem(
      'invalid',
      `The raster has ${raster.bands.length} bands; split it into files of at most ${maxBands}.`,
    );
  }
  if (raster.width * raster.height * raster.bands.length > maxValues) {
    throw new Problem(
      'invalid',
      `The raster has ${raster.width} by ${raster.height} pixels in ${raster.bands.length} bands, which is more than can be processed; cut it into parts.`,
    );
  }
  const widest = Math.max(...raster.bands.map((band) => bytesOf(band.dataType)));
  if (raster.blockWidth * raster.blockHeight * widest > maxBlockBytes) {
    throw new Problem(
      'invalid',
      `The raster is stored in blocks of ${raster.blockWidth} by ${raster.blockHeight} pixels, which do not fit into memory; save it with tiles of 512 pixels.`,
    );
  }
}
