import { areaProblems } from '../../../messages/areas/english.ts';

/** Numbers for the distinct values of a band, in the order of their occurrence; 0 means no value. */
export interface ValueCodes {
  /** @param mask 0 marks gaps. @throws {Problem} for too many values. */
  encode(values: ArrayLike<number>, mask: Uint8Array | undefined, target: Uint16Array): void;
  /** Stored values by number. */
  values(): readonly number[];
  /** Returns whether a pixel without a value occurred. */
  hasHoles(): boolean;
}

const smallTypes: Readonly<Record<string, { readonly least: number; readonly count: number }>> = {
  Byte: { least: 0, count: 2 ** 8 },
  Int8: { least: -(2 ** 7), count: 2 ** 8 },
  UInt16: { least: 0, count: 2 ** 16 },
  Int16: { least: -(2 ** 15), count: 2 ** 16 },
};

/** Storage of the values of a band. */
export interface StoredType {
  readonly dataType: string;
  /** A value that means no data, in addition to a mask. */
  readonly noData?: number | undefined;
}

/** Returns whether a type has few enough values to number each, so that one of them can mean no data without a mask. */
export function isSmallType(dataType: string): boolean {
  return smallTypes[dataType] !== undefined;
}

export function createValueCodes({ dataType, noData }: StoredType, most: number): ValueCodes {
  const found: number[] = [Number.NaN];
  const add = (value: number): number => {
    if (found.length > most) throw areaProblems.notClasses(most);
    return found.push(value) - 1;
  };
  let holes = false;
  const common = { values: () => found, hasHoles: () => holes };
  const small = smallTypes[dataType];
  if (small !== undefined) {
    /** -1 for values that have not occurred. */
    const codes = new Int32Array(small.count).fill(-1);
    const { least } = small;
    if (noData !== undefined && codes[noData - least] === -1) codes[noData - least] = 0;
    return {
      ...common,
      encode(stored, mask, target) {
        for (let i = 0; i < stored.length; i += 1) {
          let code = 0;
          if (mask === undefined || mask[i] !== 0) {
            const value = stored[i] ?? 0;
            code = codes[value - least] ?? 0;
            if (code < 0) codes[value - least] = code = add(value);
          }
          if (code === 0) holes = true;
          target[i] = code;
        }
      },
    };
  }
  const codes = new Map<number, number>();
  return {
    ...common,
    encode(stored, mask, target) {
      let [last, code] = [Number.NaN, 0];
      for (let i = 0; i < stored.length; i += 1) {
        if (mask !== undefined && mask[i] === 0) {
          target[i] = 0;
          holes = true;
          continue;
        }
        // Includes values beyond the precision of a number, which cannot be classes.
        const value = Number(stored[i]);
        if (value !== last) {
          last = value;
          code = Number.isFinite(value) ? (codes.get(value) ?? 0) : 0;
          if (code === 0 && Number.isFinite(value)) codes.set(value, (code = add(value)));
        }
        if (code === 0) holes = true;
        target[i] = code;
      }
    },
  };
}
