import type { Tile } from '../model/tiles.ts';

/** Side of a block in pixels. */
export const blockSide = 64;

/** A part of the grid, and the blocks drawn from it. */
export interface Stratum {
  /** The number of blocks in the part. */
  readonly size: number;
  readonly blocks: readonly Tile[];
}

interface SampleOptions {
  /** The approximate number of parts of the grid. */
  readonly strata: number;
  /** The number of blocks drawn from each part, at least 2. */
  readonly perStratum: number;
  readonly seed: number;
}

/** 256 blocks for a large grid. */
export const defaultSample: SampleOptions = { strata: 64, perStratum: 4, seed: 20_260_101 };

/**
 * Divides a grid into blocks, groups them into rectangular parts of about equal size, and draws blocks at random from each part without
 * replacement: the same blocks for the same grid and options. Blocks at the right and the lower edge are clipped.
 */
export function sampleBlocks(
  grid: { readonly width: number; readonly height: number },
  { strata, perStratum, seed }: SampleOptions = defaultSample,
): readonly Stratum[] {
  const across = Math.ceil(grid.width / blockSide);
  const down = Math.ceil(grid.height / blockSide);
  const columns = Math.max(1, Math.min(across, Math.round(Math.sqrt((strata * across) / down))));
  const rows = Math.max(1, Math.min(down, Math.round(strata / columns)));
  const random = createRandom(seed);
  const edge = (part: number, parts: number, length: number) => Math.floor((part * length) / parts);
  return Array.from({ length: columns * rows }, (_, index) => {
    const [column, row] = [index % columns, Math.floor(index / columns)];
    const [left, right] = [edge(column, columns, across), edge(column + 1, columns, across)];
    const [top, bottom] = [edge(row, rows, down), edge(row + 1, rows, down)];
    const wide = right - left;
    const size = wide * (bottom - top);
    const blocks = draw(size, Math.min(size, perStratum), random).map((place) =>
      blockAt(grid, left + (place % wide), top + Math.floor(place / wide)),
    );
    return { size, blocks };
  });
}

function blockAt(
  { width, height }: { readonly width: number; readonly height: number },
  column: number,
  row: number,
) {
  const [x, y] = [column * blockSide, row * blockSide];
  return { x, y, width: Math.min(blockSide, width - x), height: Math.min(blockSide, height - y) };
}

/** Draws `count` different whole numbers less than `size`, ascending (Floyd's algorithm). */
function draw(size: number, count: number, random: (below: number) => number): readonly number[] {
  const drawn = new Set<number>();
  for (let last = size - count; last < size; last += 1) {
    const candidate = random(last + 1);
    drawn.add(drawn.has(candidate) ? last : candidate);
  }
  return [...drawn].toSorted((one, other) => one - other);
}

/** Creates a pseudo-random generator of whole numbers less than a bound (mulberry32). */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** The examined and the matching area of a block. */
export interface Looked {
  readonly whole: number;
  readonly found: number;
}

export interface EstimatedShare {
  readonly share: number;
  readonly standardError: number;
}

/**
 * Estimates the matching share of the whole area from the sums of all parts (combined ratio estimator), and its standard error with
 * finite population correction. Both are 0 without any area.
 */
export function estimateShare(
  strata: readonly { readonly size: number; readonly blocks: readonly Looked[] }[],
): EstimatedShare {
  const sum = (of: (block: Looked) => number) =>
    strata.reduce(
      (total, { size, blocks }) =>
        total + (size / blocks.length) * blocks.reduce((part, block) => part + of(block), 0),
      0,
    );
  const whole = sum((block) => block.whole);
  if (whole === 0) return { share: 0, standardError: 0 };
  const share = Math.min(1, sum((block) => block.found) / whole);
  const variance = strata.reduce((total, { size, blocks }) => {
    const count = blocks.length;
    if (count >= size || count < 2) return total;
    const residuals = blocks.map(({ whole: all, found }) => found - share * all);
    const mean = residuals.reduce((part, each) => part + each, 0) / count;
    const spread = residuals.reduce((part, each) => part + (each - mean) ** 2, 0) / (count - 1);
    return total + size ** 2 * (1 - count / size) * (spread / count);
  }, 0);
  return { share, standardError: Math.sqrt(variance) / whole };
}
