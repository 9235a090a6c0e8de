/** So many of some items, evenly, the first and the last among them; none where there is no room for both. */
export function thinOut<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items;
  if (most < 2) return [];
  const step = (items.length - 1) / (most - 1);
  const kept = new Set(Array.from({ length: most }, (_, index) => Math.round(index * step)));
  return items.filter((_, index) => kept.has(index));
}
