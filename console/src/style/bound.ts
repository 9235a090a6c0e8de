/** How the samples of a raster become its values. */
export interface Grain {
  /** As in TIFF: 3 is floating point, others are whole numbers. */
  readonly format: number;
  readonly bits: number;
  readonly scale: number;
  readonly offset: number;
}

/** Of double precision, a place that computed values hardly fall on. */
const closeness = 1.3e-13;

/**
 * Returns a number just below the bound of a class that no pixel has. QGIS counts a value on a bound to the class below, GeoServer and we
 * to the one above: where no value is on it, all have the same class.
 */
export function boundBetweenValues(bound: number, { format, bits, scale, offset }: Grain): number {
  const step = Math.abs(scale);
  if (format !== 3 && step > 0) {
    const first = Math.ceil(Number(((bound - offset) / step).toPrecision(12)));
    return Number(((first - 0.5) * step + offset).toPrecision(15));
  }
  if (format === 3 && bits <= 32 && scale === 1 && offset === 0) {
    const [below, above] = floatsAround(bound);
    // Nearer to the one above, which is then also the float nearest to it.
    return below + (above - below) * 0.75;
  }
  return bound - Math.max(Math.abs(bound), Number.MIN_VALUE) * closeness;
}

/** The last float of 32 bits below a number, and the first that is not. */
function floatsAround(number: number): readonly [number, number] {
  const nearest = Math.fround(number);
  return nearest < number ? [nearest, nextFloat(nearest, 1)] : [nextFloat(nearest, -1), nearest];
}

const smallestFloat = 2 ** -149;

function nextFloat(value: number, direction: 1 | -1): number {
  if (value === 0) return direction * smallestFloat;
  const float = Float32Array.of(value);
  const bitsOf = new Int32Array(float.buffer);
  bitsOf[0] = (bitsOf[0] ?? 0) + (value > 0 ? direction : -direction);
  return float[0] ?? value;
}
