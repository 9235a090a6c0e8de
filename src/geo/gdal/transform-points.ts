import gdal, { type CoordinateTransformation } from 'gdal-async';
import type { PointTransformation } from '../raster-reader.ts';

/** Little-endian WKB of a line: byte order, kind, number of points; then pairs of doubles. */
const headerBytes = 9;
const lineString = 2;

/**
 * Transforms many points by one call of GDAL's, which is several times quicker than a call for each. When one of them
 * has no image the call fails as a whole, and each is transformed by itself.
 */
export function createPointTransformation(transformation: CoordinateTransformation): PointTransformation {
  return (xs, ys) => {
    const line = gdal.Geometry.fromWKB(encodeLine(xs, ys));
    try {
      line.transform(transformation);
      decodeLine(line.toWKB('LSB'), xs, ys);
    } catch {
      for (let i = 0; i < xs.length; i += 1) {
        [xs[i], ys[i]] = transformPoint(transformation, xs[i] ?? 0, ys[i] ?? 0);
      }
    }
  };
}

function encodeLine(xs: Float64Array, ys: Float64Array): Buffer {
  const pairs = new Float64Array(2 * xs.length);
  for (let i = 0; i < xs.length; i += 1) {
    pairs[2 * i] = xs[i] ?? 0;
    pairs[2 * i + 1] = ys[i] ?? 0;
  }
  const wkb = Buffer.alloc(headerBytes + pairs.byteLength);
  wkb.writeUInt8(1, 0);
  wkb.writeUInt32LE(lineString, 1);
  wkb.writeUInt32LE(xs.length, 5);
  wkb.set(new Uint8Array(pairs.buffer), headerBytes);
  return wkb;
}

function decodeLine(wkb: Buffer, xs: Float64Array, ys: Float64Array): void {
  const from = wkb.byteOffset + headerBytes;
  // Doubles have to begin at a multiple of eight bytes.
  const pairs = new Float64Array(wkb.buffer.slice(from, from + 16 * xs.length));
  for (let i = 0; i < xs.length; i += 1) {
    xs[i] = pairs[2 * i] ?? Number.NaN;
    ys[i] = pairs[2 * i + 1] ?? Number.NaN;
  }
}

/** Transforms one point; NaN, NaN when it has no image, such as beyond the horizon of a projection. */
export function transformPoint(
  transformation: CoordinateTransformation,
  x: number,
  y: number,
): readonly [x: number, y: number] {
  try {
    const point = transformation.transformPoint(x, y);
    return [point.x, point.y];
  } catch {
    return [Number.NaN, Number.NaN];
  }
}
