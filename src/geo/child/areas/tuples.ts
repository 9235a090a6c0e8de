import { maxAreaTuples } from '../../engine.ts';
import { areaProblems } from '../../../messages/areas/english.ts';
import { createValueCodes, type StoredType } from './value-codes.ts';

/** Storage of the values of a raster. */
export interface StoredValues extends StoredType {
  readonly scale: number;
  readonly offset: number;
}

interface Pixels {
  readonly values: ArrayLike<number>;
  /** 0 marks pixels without a value; undefined if every pixel has one. */
  readonly mask: Uint8Array | undefined;
}

type Tuple = readonly (number | null)[];

/** Numbers for the tuples of values of several rasters, in the order of their occurrence. */
export interface TupleCodes {
  readonly mostClasses: number;
  /** Returns the tuple numbers of pixels; the next call may reuse the array. @throws {Problem} for too many tuples. */
  encode(rasters: readonly Pixels[], count: number): Uint16Array;
  /** Returns all tuples in order, gaps last, and the position of each by number. @throws {Problem} for values that are not integers. */
  finish(): { readonly values: Tuple[]; readonly rank: Int32Array };
}

export function createTupleCodes(rasters: readonly StoredValues[], mostClasses: number): TupleCodes {
  const codes = rasters.map((raster) => createValueCodes(raster, mostClasses));
  const numbers = new Map<number, number>();
  const tuples: (readonly number[])[] = [];
  let rooms: readonly Uint16Array[] = [];

  function numberOf(key: number, tuple: () => readonly number[]): number {
    const known = numbers.get(key);
    if (known !== undefined) return known;
    if (tuples.length === maxAreaTuples) throw areaProblems.tooManyTuples(maxAreaTuples);
    numbers.set(key, tuples.length);
    return tuples.push(tuple()) - 1;
  }

  return {
    mostClasses,
    encode(pixels, count) {
      if ((rooms[0]?.length ?? 0) < count) rooms = [...codes, 0].map(() => new Uint16Array(count));
      const [single, another] = codes;
      const target = rooms[0]?.subarray(0, count) ?? new Uint16Array(count);
      if (single !== undefined && another === undefined) {
        const { values = [], mask } = pixels[0] ?? {};
        single.encode(values, mask, target);
        return target;
      }
      const own = codes.map((each, i) => {
        const ofRaster = rooms[i + 1]?.subarray(0, count) ?? new Uint16Array(count);
        const { values = [], mask } = pixels[i] ?? {};
        each.encode(values, mask, ofRaster);
        return ofRaster;
      });
      const joined = target;
      const [first = joined, second, ...others] = own;
      let [last, number] = [-1, 0];
      for (let i = 0; i < count; i += 1) {
        let key = first[i] ?? 0;
        if (second !== undefined) key = key * keyBase + (second[i] ?? 0);
        for (const other of others) key = key * keyBase + (other[i] ?? 0);
        if (key !== last) {
          last = key;
          const at = i;
          number = numberOf(key, () => own.map((each) => each[at] ?? 0));
        }
        joined[i] = number;
      }
      return joined;
    },
    finish() {
      const [single, another] = codes;
      const found =
        single !== undefined && another === undefined ? single.values().map((_, code) => [code]) : tuples;
      const values = found.map((tuple): Tuple =>
        tuple.map((code, i) => {
          const { scale, offset } = rasters[i] ?? { scale: 1, offset: 0 };
          const stored = codes[i]?.values()[code] ?? Number.NaN;
          const value = stored * scale + offset + 0;
          if (code === 0) return null;
          if (!Number.isSafeInteger(value) || scale === 0) throw areaProblems.notClasses(mostClasses);
          return value;
        }),
      );
      const occurring = (number: number) =>
        another !== undefined || number > 0 || single?.hasHoles() === true;
      const order = [...values.keys()]
        .filter(occurring)
        .toSorted((one, other) => compare(values[one] ?? [], values[other] ?? []));
      const rank = new Int32Array(values.length);
      for (const [place, number] of order.entries()) rank[number] = place;
      return { values: order.map((number) => [...(values[number] ?? [])]), rank };
    },
  };
}

/** Greater than every code: four of them fit into a number. */
const keyBase = 2 ** 13;

function compare(one: Tuple, other: Tuple): number {
  for (const [i, value] of one.entries()) {
    const difference = (value ?? Infinity) - (other[i] ?? Infinity);
    if (!Number.isNaN(difference) && difference !== 0) return difference;
  }
  return 0;
}
