import { floatNoData } from '../../model/bands.ts';

/** The elevation at an index, or `centre` where there is none. */
export function heightOr(centre: number, values: Float32Array, index: number): number {
  const height = values[index] ?? centre;
  return height === floatNoData ? centre : height;
}
