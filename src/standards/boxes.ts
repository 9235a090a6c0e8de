/** West, south, east, north in degrees; west is never east of east. */
export type Box = readonly [west: number, south: number, east: number, north: number];

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;

/** Parses the parameter `bbox`: four numbers, or six with heights. @returns the numbers in their order; undefined for anything else */
export function parseBbox(text: string): readonly number[] | undefined {
  const parts = text.split(',');
  if (!parts.every((part) => decimal.test(part))) return undefined;
  const numbers = parts.map(Number);
  return isBbox(numbers) ? numbers : undefined;
}

/** Returns whether these are the corners of a box: south before north, lowest before highest. West may be greater than east. */
export function isBbox(numbers: readonly number[]): boolean {
  if ((numbers.length !== 4 && numbers.length !== 6) || !numbers.every(Number.isFinite)) return false;
  const [, south, , north] = flat(numbers);
  return south <= north && (numbers.length === 4 || (numbers[2] ?? 0) <= (numbers[5] ?? 0));
}

/** Returns the corners without heights. */
export function flat(numbers: readonly number[]): readonly [number, number, number, number] {
  const [west = 0, south = 0, ...rest] = numbers;
  const [east = 0, north = 0] = numbers.length === 6 ? rest.slice(1) : rest;
  return [west, south, east, north];
}

/** Splits a bbox in degrees into boxes within -180 to 180: two if it crosses 180°. */
export function boxesOf(numbers: readonly number[]): readonly Box[] {
  const [west, south, east, north] = flat(numbers);
  if (west > east) return acrossOf([wrapped(west), south, wrapped(east), north]);
  if (west >= -180 && east <= 180) return [[west, south, east, north]];
  if (east - west >= 360) return [[-180, south, 180, north]];
  return acrossOf([wrapped(west), south, wrapped(west) + (east - west), north]);
}

function acrossOf([west, south, east, north]: readonly [number, number, number, number]): readonly Box[] {
  if (west > east) return acrossOf([west, south, east + 360, north]);
  if (east <= 180) return [[west, south, east, north]];
  return [
    [west, south, 180, north],
    [-180, south, east - 360, north],
  ];
}

/** Normalizes a longitude to -180 to 180; 180 itself stays. */
function wrapped(longitude: number): number {
  if (longitude >= -180 && longitude <= 180) return longitude;
  const turned = (longitude + 180) % 360;
  return turned < 0 ? turned + 180 : turned - 180;
}

/** Returns whether two boxes share a point. */
export function overlap(one: Box, other: Box): boolean {
  return one[0] <= other[2] && other[0] <= one[2] && one[1] <= other[3] && other[1] <= one[3];
}
