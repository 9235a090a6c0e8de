const side = 2 ** 16 - 1;

/** Position of features without geometry: after all others. */
const last = 2 ** 32 - 1;

/** West, south, east, north in degrees; west exceeds east in an empty box. */
export type Box = readonly [west: number, south: number, east: number, north: number];

/**
 * Returns the indexes of boxes ordered by their centres along a Hilbert curve; empty ones come last. The order depends on the boxes only.
 */
export function hilbertOrder(count: number, boxAt: (index: number) => Box, extent: Box): Uint32Array {
  const [west, south, east, north] = extent;
  const [width, height] = [east - west, north - south];
  const places = Uint32Array.from({ length: count }, (_, index) => {
    const [minX, minY, maxX, maxY] = boxAt(index);
    if (minX > maxX) return last;
    const x = width > 0 ? Math.floor((side * ((minX + maxX) / 2 - west)) / width) : 0;
    const y = height > 0 ? Math.floor((side * ((minY + maxY) / 2 - south)) / height) : 0;
    return placeOnCurve(x, y);
  });
  return sortedBy(places);
}

/** Returns the position of 16-bit coordinates along the curve. */
function placeOnCurve(x: number, y: number): number {
  let [a, b, place] = [x, y, 0];
  for (let s = 2 ** 15; s >= 1; s /= 2) {
    const [right, up] = [(a & s) > 0 ? 1 : 0, (b & s) > 0 ? 1 : 0];
    place += s * s * ((3 * right) ^ up);
    if (up === 0) {
      if (right === 1) [a, b] = [side - a, side - b];
      [a, b] = [b, a];
    }
  }
  return place;
}

/** Radix sort with 16 bits per pass; stable. */
function sortedBy(keys: Uint32Array): Uint32Array {
  let order = Uint32Array.from(keys, (_, index) => index);
  for (const shift of [0, 16]) {
    const digit = (index: number) => ((keys[index] ?? 0) >>> shift) & 0xff_ff;
    const starts = new Uint32Array(2 ** 16 + 1);
    for (const index of order) starts[digit(index) + 1] = (starts[digit(index) + 1] ?? 0) + 1;
    for (let i = 1; i < starts.length; i += 1) starts[i] = (starts[i] ?? 0) + (starts[i - 1] ?? 0);
    const next = new Uint32Array(order.length);
    for (const index of order) {
      const at = starts[digit(index)] ?? 0;
      next[at] = index;
      starts[digit(index)] = at + 1;
    }
    order = next;
  }
  return order;
}
