interface Box {
  readonly index: number;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** With more boxes side by side than this, looking for groups would cost more than it saves. */
const maxOpen = 2000;

/** Groups of polygons (as WKB) whose boxes meet, directly or through others of their group. */
export function groupsThatMeet(polygons: readonly Buffer[]): readonly (readonly Buffer[])[] {
  const parents = polygons.map((_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (parents[root] !== root) {
      parents[root] = parents[parents[root] ?? root] ?? root;
      root = parents[root] ?? root;
    }
    return root;
  };
  let open: Box[] = [];
  for (const box of polygons.map(boxOf).toSorted((a, b) => a.west - b.west)) {
    open = open.filter(({ east }) => east >= box.west);
    if (open.length > maxOpen) return [polygons];
    for (const other of open) {
      if (other.south <= box.north && other.north >= box.south)
        parents[rootOf(other.index)] = rootOf(box.index);
    }
    open.push(box);
  }
  const groups = new Map<number, Buffer[]>();
  polygons.forEach((polygon, index) => {
    const root = rootOf(index);
    const group = groups.get(root);
    if (group === undefined) groups.set(root, [polygon]);
    else group.push(polygon);
  });
  return [...groups.values()];
}

/** The box of a polygon's outer ring, which is the first of its WKB. */
function boxOf(wkb: Buffer, index: number): Box {
  const positionsAt = 13;
  const end = positionsAt + wkb.readUInt32LE(positionsAt - 4) * 16;
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = positionsAt; at < end; at += 16) {
    const [x, y] = [wkb.readDoubleLE(at), wkb.readDoubleLE(at + 8)];
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < south) south = y;
    if (y > north) north = y;
  }
  return { index, west, south, east, north };
}
