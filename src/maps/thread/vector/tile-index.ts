import GeoJSONVT from 'geojson-vt';
import { MiB } from '../../../lib/units.ts';
import type { VectorSource } from './tasks.ts';
import { boundPositions, countPositions } from './bound-positions.ts';
import { featuresOf, type SourceFeature } from './collection.ts';
import { describeFeatures, type VectorFacts } from './describe.ts';
import type { ParsedSource } from './read-source.ts';
import { columnsOf, type FeatureFacts, factsOf } from './attributes.ts';

/** Units of a side of a tile, and how far geometry reaches beyond it. */
export const extent = 4096;
const buffer = 64;
/** Deeper tiles than this the library does not cut at all. */
export const maxZoom = 22;
/** Tiles keep what was cut for them; then it is quicker to begin again than to hold ever more. */
const maxGrownBytes = 64 * MiB;
const bytesPerTile = 512;
const bytesPerPosition = 24;

type Feature = Extract<ConstructorParameters<typeof GeoJSONVT>[0], { readonly type: 'Feature' }>;
export type RawFeature = NonNullable<ReturnType<GeoJSONVT['getTileRaw']>>['features'][number];

/** A source from which tiles are cut; ids of its features are their indices. */
export interface TileIndex {
  readonly thinned: boolean;
  /** The bytes that it is worth in a cache. */
  readonly bytes: number;
  cut(z: number, x: number, y: number): readonly RawFeature[];
  /** What is known of the feature with an id, as a request wants it. */
  factsOf(id: number, datetime: string | undefined): FeatureFacts;
  /** Returns where it is, and what its tiles contain about features. */
  describe(): VectorFacts;
  /** True when it has cut so much that it is better made again. */
  isFull(): boolean;
}

/** Makes the index of a GeoJSON. */
export function createTileIndex(
  { json, textBytes }: ParsedSource,
  source: Pick<VectorSource, 'kind' | 'columns'>,
): TileIndex {
  const { features, thinned } = boundPositions(featuresOf(json));
  const geojson = { type: 'FeatureCollection' as const, features: features.flatMap(partsOf) };
  const options = { maxZoom, extent, buffer, indexMaxZoom: 0 };
  const index = new GeoJSONVT(geojson, options);
  const positions = countPositions(features);
  const columns = columnsOf(features, source);
  const described = describeFeatures(features, columns);
  const properties = features.map(({ properties }) => properties);
  let cutPositions = 0;
  return {
    thinned,
    bytes: Math.max(textBytes, positions * bytesPerPosition),
    cut(z, x, y) {
      const before = index.tileCoords.length;
      const cut = index.getTileRaw(z, x, y)?.features ?? [];
      const isNew = index.tileCoords.length > before;
      if (isNew) cutPositions += cut.reduce((sum, feature) => sum + positionsIn(feature), 0);
      return cut;
    },
    describe: () => described,
    factsOf: (id, datetime) => factsOf(properties[id] ?? {}, id, columns, datetime),
    isFull: () => index.tileCoords.length * bytesPerTile + cutPositions * bytesPerPosition > maxGrownBytes,
  };
}

function positionsIn(feature: RawFeature): number {
  switch (feature.type) {
    case 4:
      return 1;
    case 1:
      return feature.geometry.length / 2;
    default:
      return feature.geometry.reduce((sum, { length }) => sum + length / 2, 0);
  }
}

/** One feature of the library for each kind of geometry. */
function partsOf({ points, lines, polygons }: SourceFeature, id: number): readonly Feature[] {
  const geometries = [
    ...(polygons.length > 0 ? [{ type: 'MultiPolygon' as const, coordinates: polygons }] : []),
    ...(lines.length > 0 ? [{ type: 'MultiLineString' as const, coordinates: lines }] : []),
    ...(points.length > 0 ? [{ type: 'MultiPoint' as const, coordinates: points }] : []),
  ];
  return geometries.map((geometry) => ({ type: 'Feature', id, geometry, properties: null }));
}
