/** Anything that says how much memory it holds. */
export interface Sized {
  readonly byteLength: number;
}

export interface TileCache<Tile extends Sized> {
  /** The tile of this key, made by `load` unless it is there or under way; a failure is not kept. */
  get(key: string, load: () => Promise<Tile>): Promise<Tile>;
  /** Forgets every key that begins so. */
  forget(prefix: string): void;
  /** Bytes held by finished tiles. */
  heldBytes(): number;
}

/** Keeps the tiles that were used last, as many as fit into `maxBytes`; one that is larger than that is not kept. */
export function createTileCache<Tile extends Sized>(maxBytes: number): TileCache<Tile> {
  const finished = new Map<string, Tile>();
  const underWay = new Map<string, Promise<Tile>>();
  let held = 0;

  const drop = (key: string) => {
    held -= finished.get(key)?.byteLength ?? 0;
    finished.delete(key);
  };
  const keep = (key: string, tile: Tile) => {
    drop(key);
    if (tile.byteLength > maxBytes) return;
    finished.set(key, tile);
    held += tile.byteLength;
    for (const oldest of finished.keys()) {
      if (held <= maxBytes) break;
      drop(oldest);
    }
  };
  const fetchTile = async (key: string, load: () => Promise<Tile>) => {
    try {
      const tile = await load();
      // Not kept when it was forgotten meanwhile.
      if (underWay.has(key)) keep(key, tile);
      return tile;
    } finally {
      underWay.delete(key);
    }
  };
  return {
    async get(key, load) {
      const known = finished.get(key);
      if (known !== undefined) {
        finished.delete(key);
        finished.set(key, known);
        return known;
      }
      const started = underWay.get(key);
      if (started !== undefined) return await started;
      const made = fetchTile(key, load);
      underWay.set(key, made);
      return await made;
    },
    forget(prefix) {
      for (const key of finished.keys()) if (key.startsWith(prefix)) drop(key);
      for (const key of underWay.keys()) if (key.startsWith(prefix)) underWay.delete(key);
    },
    heldBytes: () => held,
  };
}
