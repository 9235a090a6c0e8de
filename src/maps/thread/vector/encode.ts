import { fromVectorTileJs, GeoJSONWrapper } from '@maplibre/vt-pbf';
import type { FeatureFacts } from './attributes.ts';
import { extent, countVertices, thinParts, type TilePart } from './tile-parts.ts';

/** Part of the service's promise: a browser draws such a tile at once. */
export const maxTileVertices = 250_000;
export const maxTileBytes = 500_000;
/** Larger tiles are not even tried: they would take seconds and hundreds of megabytes. */
const maxTriedBytes = 16 * maxTileBytes;
const bytesPerVertex = 4;

/** A layer of a tile before encoding. */
export interface TileLayer {
  readonly name: string;
  readonly parts: readonly TilePart[];
  readonly factsOf: (feature: number) => FeatureFacts;
}

/** Encodes a tile, thinned until it is small enough. Empty layers are omitted. */
export function encodeTile(layers: readonly TileLayer[]): {
  bytes: Uint8Array<ArrayBuffer>;
  thinned: boolean;
} {
  const vertices = layers.reduce((sum, { parts }) => sum + countVertices(parts), 0);
  const likelyBytes = vertices * bytesPerVertex + layers.reduce((sum, layer) => sum + bytesOfFacts(layer), 0);
  let share = Math.min(1, maxTileVertices / vertices, maxTriedBytes / likelyBytes);
  for (;;) {
    const bytes = write(share === 1 ? layers : layers.map((layer) => thinned(layer, share)));
    if (bytes.length <= maxTileBytes) return { bytes, thinned: share < 1 };
    share *= (0.9 * maxTileBytes) / bytes.length;
  }
}

function thinned(layer: TileLayer, share: number): TileLayer {
  return { ...layer, parts: thinParts(layer.parts, Math.floor(countVertices(layer.parts) * share)) };
}

function bytesOfFacts({ parts, factsOf }: TileLayer): number {
  let bytes = 0;
  for (const feature of new Set(parts.map((part) => part.feature))) {
    for (const value of Object.values(factsOf(feature).attributes)) {
      bytes += typeof value === 'string' ? value.length : 8;
    }
  }
  return bytes;
}

function write(layers: readonly TileLayer[]): Uint8Array<ArrayBuffer> {
  const shown = layers
    .filter(({ parts }) => parts.length > 0)
    .map((layer) => [layer.name, wrap(layer)] as const);
  return new Uint8Array(fromVectorTileJs({ layers: Object.fromEntries(shown) }));
}

function wrap(layer: TileLayer): GeoJSONWrapper {
  const wrapped = new GeoJSONWrapper(featuresOf(layer), { version: 2, extent });
  wrapped.name = layer.name;
  return wrapped;
}

type Feature = GeoJSONWrapper['features'][number];

/** Reassembles features from their parts, kind by kind; parts of a feature are adjacent. */
function featuresOf({ parts, factsOf }: TileLayer): Feature[] {
  const groups: TilePart[][] = [];
  for (const part of parts) {
    const group = groups.at(-1);
    const [first] = group ?? [];
    if (first?.feature === part.feature && first.kind === part.kind) group?.push(part);
    else groups.push([part]);
  }
  return groups.flatMap((group): Feature[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { id, attributes: tags } = factsOf(first.feature);
    const paths = group.flatMap((part) => part.paths.map(pairsOf));
    if (first.kind === 'points') return [{ id, tags, type: 1, geometry: paths.flat() }];
    return [{ id, tags, type: first.kind === 'line' ? 2 : 3, geometry: paths }];
  });
}

function pairsOf(path: Int16Array | Int32Array): [number, number][] {
  return Array.from({ length: path.length / 2 }, (_, index) => [
    path[2 * index] ?? 0,
    path[2 * index + 1] ?? 0,
  ]);
}
