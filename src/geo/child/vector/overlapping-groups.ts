/** Boxes side by side beyond which looking for groups would cost more than it saves. */
const maxOpen = 2000;

/** Offsets of the first position in WKB, behind the number of positions; in a polygon, of its outer ring. */
const positionsAt = { line: 9, polygon: 13 } as const;

/** Groups lines or polygons (as WKB) whose boxes overlap, directly or through others of their group. */
export function overlappingGroups(
  geometries: readonly Buffer[],
  kind: keyof typeof positionsAt = 'polygon',
): readonly (readonly Buffer[])[] {
  const parents = geometries.map((_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (parents[root] !== root) {
      parents[root] = parents[parents[root] ?? root] ?? root;
      root = parents[root] ?? root;
    }
    return root;
  };
  const boxes = geometries.map((wkb, index) => ({ index, ...boxOf(wkb, positionsAt[kind]) }));
  let open: typeof boxes = [];
  for (const box of boxes.toSorted((a, b) => a.west - b.west)) {
    open = open.filter(({ east }) => east >= box.west);
    if (open.length > maxOpen) return [geometries];
    for (const other of open) {
      if (other.south <= box.north && other.north >= box.south)
        parents[rootOf(other.index)] = rootOf(box.index);
    }
    open.push(box);
  }
  return [...Map.groupBy(geometries, (_, index) => rootOf(index)).values()];
}

function boxOf(wkb: Buffer, begin: number) {
  const end = begin + wkb.readUInt32LE(begin - 4) * 16;
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = begin; at < end; at += 16) {
    const [x, y] = [wkb.readDoubleLE(at), wkb.readDoubleLE(at + 8)];
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < south) south = y;
    if (y > north) north = y;
  }
  return { west, south, east, north };
}
