import type { Tile } from '../../../../common/maps/raster/web-mercator.ts';
import { type Cache, createCache } from '../../../../common/cache.ts';
import { MiB } from '../../../lib/units.ts';
import { type VectorSource, readSource, type ParsedSource, type VectorLayer } from './read-source.ts';
import type { ThreadContext } from '../objects/context.ts';
import { encodeTile } from './encode.ts';
import { extent, partsOf, type RawFeature } from './tile-parts.ts';
import GeoJSONVT from 'geojson-vt';
import { boundPositions, countPositions } from './bound-positions.ts';
import { featuresOf, type SourceFeature } from './collection.ts';
import {
  describeFeatures,
  type VectorFacts,
  columnsOf,
  type FeatureFacts,
  factsOf,
  ratedOf,
  type UnitRates,
} from './attributes.ts';

export interface VectorTileRequest {
  readonly layers: readonly VectorLayer[];
  readonly tile: Tile;
  /** `YYYY-MM-DD`: units get the `value` of this date alone, instead of all that is known of them. */
  readonly datetime: string | undefined;
  /** By code and date: what units have in the place of their values. */
  readonly rates?: UnitRates | undefined;
}

export interface VectorTileResult {
  /** A Mapbox Vector Tile, version 2, not compressed; empty where nothing lies. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** True when parts were left out, because the tile or its source has too many. */
  readonly isThinned: boolean;
}

/** Bytes of the texts from which the indices of a thread are made, together. */
const maxIndexBytes = 128 * MiB;

/** Creates the place of the indices of a thread. */
export function createIndices(maxBytes: number = maxIndexBytes): Cache<TileIndex> {
  return createCache<TileIndex>({ maxBytes, bytesOf: ({ bytes }) => bytes });
}

/** Returns the index of an object. @throws {Problem} as `readSource` does. */
export async function indexOf(
  indices: Cache<TileIndex>,
  source: VectorSource,
  context: ThreadContext,
): Promise<TileIndex> {
  const make = async () => createTileIndex(await readSource(source.key, context), source);
  return await indices.get(source.key, make);
}

/** Creates the handler that cuts tiles from stored GeoJSON; it keeps the indices of what it has cut from. */
export function createVectorTileHandler(indices = createIndices()) {
  /**
   * Cuts a tile of Web Mercator.
   * @throws {Problem} `not_found` when a source is gone; `invalid` when it is too large to be drawn.
   */
  return async function vectorTile(
    { layers, tile: { z, x, y }, datetime, rates }: VectorTileRequest,
    context: ThreadContext,
  ): Promise<VectorTileResult> {
    const cut = await Promise.all(
      layers.map(async (source) => {
        const index = await indexOf(indices, source, context);
        const parts = partsOf(index.cut(z, x, y));
        if (index.isFull()) indices.forget(source.key); // those who have it go on with it
        const factsOf = (feature: number) => index.factsOf(feature, datetime, rates);
        return { name: source.name, parts, factsOf, thinned: index.thinned };
      }),
    );
    const { bytes, thinned } = encodeTile(cut);
    return { bytes, isThinned: thinned || cut.some((layer) => layer.thinned) };
  };
}

/** How far geometry reaches beyond a tile, in its units. */
const buffer = 64;
/** Deeper tiles than this the library does not cut at all. */
const maxZoom = 22;
/** Tiles keep what was cut for them; then it is quicker to begin again than to hold ever more. */
const maxGrownBytes = 64 * MiB;
const bytesPerTile = 512;
const bytesPerPosition = 24;

type Feature = Extract<ConstructorParameters<typeof GeoJSONVT>[0], { readonly type: 'Feature' }>;

/** A source from which tiles are cut; ids of its features are their indices. */
export interface TileIndex {
  readonly thinned: boolean;
  /** The bytes that it is worth in a cache. */
  readonly bytes: number;
  cut(z: number, x: number, y: number): readonly RawFeature[];
  /** What is known of the feature with an id, as a request wants it. */
  factsOf(id: number, datetime: string | undefined, rates?: UnitRates): FeatureFacts;
  /** Returns where it is, and what its tiles contain about features. */
  describe(): VectorFacts;
  /** True when it has cut so much that it is better made again. */
  isFull(): boolean;
}

/** Makes the index of a GeoJSON. */
function createTileIndex(
  { json, textBytes }: ParsedSource,
  source: Pick<VectorSource, 'kind' | 'columns'>,
): TileIndex {
  const { features, thinned } = boundPositions(featuresOf(json));
  const geojson = { type: 'FeatureCollection' as const, features: features.flatMap(geometriesOf) };
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
    factsOf: (id, datetime, rates) => factsOf(ratedOf(properties[id] ?? {}, rates), id, columns, datetime),
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
function geometriesOf({ points, lines, polygons }: SourceFeature, id: number): readonly Feature[] {
  const geometries = [
    ...(polygons.length > 0 ? [{ type: 'MultiPolygon' as const, coordinates: polygons }] : []),
    ...(lines.length > 0 ? [{ type: 'MultiLineString' as const, coordinates: lines }] : []),
    ...(points.length > 0 ? [{ type: 'MultiPoint' as const, coordinates: points }] : []),
  ];
  return geometries.map((geometry) => ({ type: 'Feature', id, geometry, properties: null }));
}
