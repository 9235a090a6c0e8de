import { maxAreaTuples, maxCountedAreas, type TupleArea } from '../../engine.ts';
import { areaProblems } from '../../../messages/areas/english.ts';

/** Areas by owner and tuple: exact sums of multiples of a quantum, independent of order. */
export interface AreaSums {
  /** @param area a multiple of the quantum, less than 2^52 of them. @throws {Problem} if there are too many sums. */
  add(owner: number, tuple: number, area: number): void;
  /** Returns the nonzero sums in square metres by tuple, in the order of `rank`. */
  list(owner: number, rank: Int32Array): readonly TupleArea[];
}

/** Sums below this many quanta stay exact when one more area is added. */
const carryQuanta = 2 ** 52;

/** @param quantum a power of two. */
export function createAreaSums(owners: number, quantum: number): AreaSums {
  /** Number of a sum plus 1, by owner and tuple; 0 for none. */
  const places = new Int32Array(owners * maxAreaTuples);
  let low = new Float64Array(1024);
  let high = new Float64Array(1024);
  let count = 0;
  const limit = carryQuanta * quantum;
  const place = (key: number): number => {
    if (count === maxCountedAreas) throw areaProblems.tooManyFigures(maxCountedAreas);
    if (count === low.length) {
      low = Float64Array.from({ length: 2 * count }, (_, i) => low[i] ?? 0);
      high = Float64Array.from({ length: 2 * count }, (_, i) => high[i] ?? 0);
    }
    count += 1;
    places[key] = count;
    return count;
  };
  const totalOf = (at: number): number => {
    const units = BigInt(high[at] ?? 0) * BigInt(carryQuanta) + BigInt((low[at] ?? 0) / quantum);
    return Number(units) * quantum;
  };
  return {
    add(owner, tuple, area) {
      const key = owner * maxAreaTuples + tuple;
      const at = (places[key] || place(key)) - 1;
      const sum = (low[at] ?? 0) + area;
      if (sum < limit) low[at] = sum;
      else {
        low[at] = sum - limit;
        high[at] = (high[at] ?? 0) + 1;
      }
    },
    list(owner, rank) {
      const found: [tuple: number, area: number][] = [];
      for (let tuple = 0; tuple < rank.length; tuple += 1) {
        const at = places[owner * maxAreaTuples + tuple] ?? 0;
        const area = at === 0 ? 0 : totalOf(at - 1);
        if (area > 0) found.push([rank[tuple] ?? 0, area]);
      }
      return found.toSorted(([one], [other]) => one - other);
    },
  };
}
