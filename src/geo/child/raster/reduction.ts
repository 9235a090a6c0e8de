/** Pixels of a square tile, row by row. */
export type TilePixels = Float32Array | Uint8Array;

/** Halves a square tile: each pixel of the result stands for two by two. */
export type Reduce = (tile: TilePixels, side: number, noData: number) => TilePixels;

/** The rule for overviews of numbers, and of classes. */
export function reductionOf(dataType: 'Float32' | 'Byte'): Reduce {
  return dataType === 'Float32' ? averageFloats : mostFrequentClasses;
}

/** Puts a halved tile into the one of the next level that it is a quarter of. */
export function putQuarter(
  tile: TilePixels,
  side: number,
  { column, row }: { readonly column: number; readonly row: number },
  quarter: TilePixels,
): void {
  const half = side / 2;
  const corner = ((row & 1) * side + (column & 1)) * half;
  for (let line = 0; line < half; line += 1)
    tile.set(quarter.subarray(line * half, (line + 1) * half), corner + line * side);
}

/** Gives each pixel the mean of those of its four that have a value, summed in double precision and rounded once. */
const averageFloats: Reduce = (tile, side, noData) => {
  const reduced = new Float32Array((side / 2) ** 2);
  for (let y = 0, to = 0; y < side; y += 2) {
    for (let at = y * side; at < (y + 1) * side; at += 2, to += 1) {
      const a = tile[at] ?? noData;
      const b = tile[at + 1] ?? noData;
      const c = tile[at + side] ?? noData;
      const d = tile[at + side + 1] ?? noData;
      let sum = 0;
      let count = 0;
      if (a !== noData) {
        sum += a;
        count += 1;
      }
      if (b !== noData) {
        sum += b;
        count += 1;
      }
      if (c !== noData) {
        sum += c;
        count += 1;
      }
      if (d !== noData) {
        sum += d;
        count += 1;
      }
      reduced[to] = count === 0 ? noData : sum / count;
    }
  }
  return reduced;
};

/** Gives each pixel the class that most of its four have, of equals the first in reading order; it invents none. */
const mostFrequentClasses: Reduce = (tile, side, noData) => {
  const reduced = new Uint8Array((side / 2) ** 2);
  for (let y = 0, to = 0; y < side; y += 2) {
    for (let at = y * side; at < (y + 1) * side; at += 2, to += 1) {
      const a = tile[at] ?? noData;
      const b = tile[at + 1] ?? noData;
      const c = tile[at + side] ?? noData;
      const d = tile[at + side + 1] ?? noData;
      reduced[to] = a === b && a === c && a === d ? a : mostFrequent([a, b, c, d], noData);
    }
  }
  return reduced;
};

function mostFrequent(four: readonly number[], noData: number): number {
  let best = noData;
  let most = 0;
  for (const candidate of four) {
    if (candidate === noData) continue;
    let count = 0;
    for (const other of four) if (other === candidate) count += 1;
    if (count > most) {
      best = candidate;
      most = count;
    }
  }
  return best;
}
