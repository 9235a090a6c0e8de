import type { RasterBand } from 'gdal-async';
import { zonalProblems } from '../../../messages/areas/english.ts';
import type { UnitValues, ValueCounts } from '../../engine.ts';
import { type GdalLog, refusePixelErrors, unreadablePixels } from '../../gdal/log-file.ts';
import type { ValuesRequest } from '../../protocol.ts';
import type { RasterWindow } from '../../raster-reader.ts';
import { isSignedByte } from '../raster/image/description.ts';
import { readMask } from '../raster/image/pixels.ts';
import { createFloatSum, type FloatSum } from '../raster/statistics/exact-sums.ts';
import { distributionOf } from './distribution.ts';
import { createValueStore } from './value-store.ts';
import { walkRaster } from './walk-raster.ts';

/** GDAL's mask flag GMF_ALL_VALID. */
const allValid = 0x01;
/** Maximum count of numbers between two calls of `fold`. */
const foldEvery = 2 ** 20;
/** Codes of pixels with and without a value. */
const tuples = [[1], [null]];
const [hasValue, hasNone] = [0, 1];

/**
 * Summarizes the values of a raster in every unit at full resolution: mean, deviation and quantiles weighted by the
 * area of each pixel times its share in the unit. The result is bit-identical for any storage of the raster.
 * @throws {Problem} if the raster has no numbers or is not on the earth, and for polygons that cannot be counted.
 */
export async function countValues({ inputPath, unitsPath, scratch }: ValuesRequest): Promise<ValueCounts> {
  let values: Float64Array = new Float64Array(0);
  let codes = new Uint16Array(0);
  const request = { inputPaths: [inputPath], unitsPath, withUnion: false, scratch };
  const counted = await walkRaster(request, ({ sources, units, gdalLog, quantum, pixels }) => {
    const band = sources[0]?.bands.get(1);
    if (band === undefined || band.dataType?.startsWith('C') !== false) throw zonalProblems.noNumbers();
    const store = createValueStore({ owners: units, unit: unitOfWeights(quantum, pixels), folder: scratch });
    const sums = Array.from({ length: units }, createValueSum);
    let offset = 0;
    return {
      listener: {
        addPart(unit, place, area, share) {
          const value = values[offset + place] ?? NaN;
          if (codes[offset + place] !== hasValue) return;
          store.add(unit, value, area);
          sums[unit]?.add(value * share);
        },
        addRun(unit, from, to, areas) {
          const sum = sums[unit];
          for (let place = from; place < to; place += 1) {
            if (codes[offset + place] !== hasValue) continue;
            const value = values[offset + place] ?? NaN;
            store.add(unit, value, areas[place] ?? 0);
            sum?.add(value);
          }
        },
      },
      async read(window) {
        const found = await readValues(band, window, gdalLog);
        values = found;
        if (codes.length < found.length) codes = new Uint16Array(found.length);
        for (let i = 0; i < found.length; i += 1) codes[i] = Number.isFinite(found[i]) ? hasValue : hasNone;
        return codes;
      },
      beginRow: (from) => (offset = from),
      finish() {
        const found = sums.map((sum, unit): UnitValues | null => {
          const distribution = distributionOf((visit) => store.visit(unit, visit));
          return distribution === undefined ? null : { ...distribution, sum: finite(sum.total()) };
        });
        store.close();
        return { found, rank: Int32Array.from(tuples.keys()) };
      },
    };
  });
  const { found, units, ...areas } = counted;
  return {
    ...areas,
    tuples,
    units: units.map((unit, i) => ({ ...unit, values: found[i] ?? null })),
  };
}

/** Returns the unit of weights in square metres for which the sum over a whole raster is exact in float64. */
function unitOfWeights(quantum: number, pixels: number): number {
  // The sum of 2^18 areas that are multiples of the quantum is exact.
  return quantum * 2 ** Math.max(0, Math.ceil(Math.log2(pixels)) - 18);
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** Creates an exact sum of finite numbers, independent of their order. */
function createValueSum() {
  const bits = new Float64Array(1);
  const halves = new Uint32Array(bits.buffer);
  let sum: FloatSum | undefined;
  let count = 0;
  return {
    add(value: number): void {
      sum ??= createFloatSum();
      bits[0] = value;
      sum.add(halves[1] ?? 0, halves[0] ?? 0);
      count += 1;
      if (count % foldEvery === 0) sum.fold();
    },
    total: (): number => sum?.meanOf(1) ?? 0,
  };
}

/** Returns the values of a window with scale and offset applied; NaN for gaps. */
async function readValues(band: RasterBand, window: RasterWindow, gdalLog: GdalLog): Promise<Float64Array> {
  const { x, y, width, height } = window;
  const [scale, offset] = [band.scale ?? 1, band.offset ?? 0];
  // GDAL's mask does not support negative values of signed bytes.
  const isSigned = isSignedByte(band);
  const read = async () => {
    const mask =
      isSigned || (band.getMaskFlags() & allValid) !== 0 ? undefined : await readMask(band, window);
    return { mask, stored: await band.pixels.readAsync(x, y, width, height) };
  };
  const { mask, stored } = await read().catch((cause: unknown) => {
    throw unreadablePixels(cause);
  });
  refusePixelErrors(await gdalLog.take());
  const noData = isSigned ? band.noDataValue : null;
  const own = isSigned ? Int8Array.from(stored) : stored;
  const values = new Float64Array(own.length);
  for (let i = 0; i < own.length; i += 1) {
    const value = Number(own[i]);
    const isNone = (mask !== undefined && mask[i] === 0) || value === noData;
    // Avoids -0.
    values[i] = isNone ? NaN : value * scale + offset + 0;
  }
  return values;
}
