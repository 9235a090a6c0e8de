import { areaProblems } from '../../../messages/hectares.ts';

/** Small numbers for the different values of a band, in the order in which they come: 0 stands for no value. */
export interface ValueCodes {
  /** @param mask 0 where there is no value. @throws {Problem} for too many values. */
  encode(values: ArrayLike<number>, mask: Uint8Array | undefined, target: Uint16Array): void;
  /** The values by their numbers, as they are stored. */
  values(): readonly number[];
}

const smallTypes: Readonly<Record<string, { readonly least: number; readonly count: number }>> = {
  Byte: { least: 0, count: 2 ** 8 },
  Int8: { least: -(2 ** 7), count: 2 ** 8 },
  UInt16: { least: 0, count: 2 ** 16 },
  Int16: { least: -(2 ** 15), count: 2 ** 16 },
};

export function createValueCodes(dataType: string, most: number): ValueCodes {
  const found: number[] = [Number.NaN];
  const add = (value: number): number => {
    if (found.length > most) throw areaProblems.notClasses(most);
    return found.push(value) - 1;
  };
  const values = () => found;
  const small = smallTypes[dataType];
  if (small !== undefined) {
    const codes = new Uint16Array(small.count);
    const { least } = small;
    return {
      values,
      encode(stored, mask, target) {
        for (let i = 0; i < stored.length; i += 1) {
          if (mask !== undefined && mask[i] === 0) target[i] = 0;
          else {
            const value = stored[i] ?? 0;
            target[i] = codes[value - least] || (codes[value - least] = add(value));
          }
        }
      },
    };
  }
  const codes = new Map<number, number>();
  return {
    values,
    encode(stored, mask, target) {
      let [last, code] = [Number.NaN, 0];
      for (let i = 0; i < stored.length; i += 1) {
        if (mask !== undefined && mask[i] === 0) {
          target[i] = 0;
          continue;
        }
        // Also what is wider than a number: a value that it cannot hold is not a class.
        const value = Number(stored[i]);
        if (value !== last) {
          last = value;
          code = Number.isFinite(value) ? (codes.get(value) ?? 0) : 0;
          if (code === 0 && Number.isFinite(value)) codes.set(value, (code = add(value)));
        }
        target[i] = code;
      }
    },
  };
}
