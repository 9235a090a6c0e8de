import type { Tile } from '../model/tiles.ts';

/** About what one process computes before it ends: a death costs no more, and its start is lost in the time it takes. */
const batchPixels = 32e6;

/**
 * Deals windows out for child processes, in runs of neighbours: they share blocks of their sources, which a process
 * then decodes once. There is a batch for every worker as long as there are windows.
 */
export function batchesOf(windows: readonly Tile[], workers: number): readonly (readonly Tile[])[] {
  const pixels = windows.reduce((sum, { width, height }) => sum + width * height, 0);
  const count = Math.min(windows.length, Math.max(workers, Math.ceil(pixels / batchPixels)));
  return Array.from({ length: count }, (_, index) =>
    windows.slice(
      Math.floor((index * windows.length) / count),
      Math.floor(((index + 1) * windows.length) / count),
    ),
  );
}
