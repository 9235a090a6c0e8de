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

/** Bytes of one value of a data type. */
export function bytesOf(dataType: string): number {
  const bits = Number(/\d+$/.exec(dataType)?.[0] ?? 8);
  return (bits / 8) * (dataType.startsWith('C') ? 2 : 1);
}
