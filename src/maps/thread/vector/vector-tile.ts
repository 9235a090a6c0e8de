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
  /** `YYYY-MM-DD`: units get only the `value` of this date instead of all attributes. */
  readonly datetime: string | undefined;
  /** By code and date; they replace the values of units. */
  readonly rates?: UnitRates | undefined;
}

export interface VectorTileResult {
  /** A Mapbox Vector Tile, version 2, uncompressed; empty if it contains no features. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** True if parts were removed because the tile or its source has too many. */
  readonly isThinned: boolean;
}

/** Limit of the texts behind all indices of a thread. */
const maxIndexBytes = 128 * MiB;

/** Creates the cache of tile indices of a thread. */
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

/** Creates the handler that cuts tiles from stored GeoJSON and caches their indices. */
export function createVectorTileHandler(indices = createIndices()) {
  /**
   * Cuts a tile of Web Mercator.
   * @throws {Problem} `not_found` if a source is gone; `invalid` if it is too large to be drawn.
   */
  return async function vectorTile(
    { layers, tile: { z, x, y }, datetime, rates }: VectorTileRequest,
    context: ThreadContext,
  ): Promise<VectorTileResult> {
    const cut = await Promise.all(
      layers.map(async (source) => {
        const index = await indexOf(indices, source, context);
        const parts = partsOf(index.cut(z, x, y));
        if (index.isFull()) indices.forget(source.key); // current users continue with it
        const factsOf = (feature: number) => index.factsOf(feature, datetime, rates);
        return { name: source.name, parts, factsOf, thinned: index.thinned };
      }),
    );
    const { bytes, thinned } = encodeTile(cut);
    return { bytes, isThinned: thinned || cut.some((layer) => layer.thinned) };
  };
}

/** Margin of geometry around a tile, in its units. */
const buffer = 64;
/** The library does not cut deeper tiles. */
const maxZoom = 22;
/** Limit of the memory that cut tiles retain; beyond it, a new index is cheaper. */
const maxGrownBytes = 64 * MiB;
const bytesPerTile = 512;
const bytesPerPosition = 24;

type Feature = Extract<ConstructorParameters<typeof GeoJSONVT>[0], { readonly type: 'Feature' }>;

/** Index of a source for cutting tiles; ids of its features are their indices. */
export interface TileIndex {
  readonly thinned: boolean;
  /** Size for the cache. */
  readonly bytes: number;
  cut(z: number, x: number, y: number): readonly RawFeature[];
  /** Returns the attributes of the feature with an id, for a request. */
  factsOf(id: number, datetime: string | undefined, rates?: UnitRates): FeatureFacts;
  /** Returns the extent and the attributes of its tiles. */
  describe(): VectorFacts;
  /** True if it retains so much that a new index is better. */
  isFull(): boolean;
}

/** Creates the index of a GeoJSON. */
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

/** Returns one feature of the library for each kind of geometry. */
function geometriesOf({ points, lines, polygons }: SourceFeature, id: number): readonly Feature[] {
  const geometries = [
    ...(polygons.length > 0 ? [{ type: 'MultiPolygon' as const, coordinates: polygons }] : []),
    ...(lines.length > 0 ? [{ type: 'MultiLineString' as const, coordinates: lines }] : []),
    ...(points.length > 0 ? [{ type: 'MultiPoint' as const, coordinates: points }] : []),
  ];
  return geometries.map((geometry) => ({ type: 'Feature', id, geometry, properties: null }));
}
