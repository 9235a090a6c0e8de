import { createCache } from '../../common/cache.ts';
import {
  type CollectionFacts,
  type FeatureCollections,
  isDatasetId,
  unitCollections,
} from './features/collections.ts';
import { vectorZooms } from '../maps/formats/tile-json.ts';
import type { ViewWait } from '../maps/service/drawn-datasets.ts';
import type { MapRaster, Maps } from '../maps/service/maps.ts';
import type { VectorMap, VectorMaps } from '../maps/service/vector-maps.ts';
import { featureSentences } from '../messages/standards/english.ts';
import type { Tileset } from './tile-schemas.ts';
import { districtZooms } from '../maps/routes/vector-tiles.ts';

/** The time for which the box of a collection is cached: a client requests dozens of its tiles at once. */
const keepMs = 1000;
const maxKept = 1000;

type FoundTileset = Omit<Tileset, 'tileJson'> & {
  /** The path of the TileJSON, without a leading slash. */
  readonly tileJsonPath: string | undefined;
};

export type TileSources = ReturnType<typeof createTileSources>;

/** Creates the look-up of the tilesets of collections; they are the tiles of the maps of this service. */
export function createTileSources(
  { maps, vectorMaps }: { readonly maps: Maps; readonly vectorMaps: VectorMaps },
  collections: Pick<FeatureCollections, 'find'>,
) {
  const facts = createCache<CollectionFacts | undefined>({
    max: maxKept,
    ttlMs: keepMs,
    isLasting: (known) => known !== undefined,
  });

  return {
    /** Returns the map tiles of a raster. @throws {Problem} when the collection does not exist, or cannot be drawn. */
    async map(collectionId: string, wait: ViewWait): Promise<FoundTileset & { readonly raster: MapRaster }> {
      if (!isDatasetId(collectionId)) throw featureSentences.noCollection();
      const raster = await maps.raster(collectionId, wait);
      const { id, name: title, bbox, version } = raster;
      const [, maxZoom] = await maps.zoomsOf(raster);
      const [west, south, east, north] = bbox ?? [];
      const isPlaced = west !== undefined && south !== undefined && east !== undefined && north !== undefined;
      const box = isPlaced ? ([west, south, east, north] as const) : undefined;
      const tileJsonPath = `datasets/${id}/tilejson.json`;
      return { kind: 'map', collectionId: id, title, box, maxZoom, version, tileJsonPath, raster };
    },

    /** Returns the vector tiles of a collection. @throws {Problem} when the collection does not exist, or is a raster. */
    async vector(collectionId: string): Promise<FoundTileset & { readonly map: VectorMap }> {
      const level = unitCollections.get(collectionId);
      if (level === undefined && !isDatasetId(collectionId)) throw featureSentences.noCollection();
      const map =
        level === undefined
          ? await vectorMaps.ofDataset(await maps.dataset(collectionId))
          : await vectorMaps.ofUnits(level);
      const known = await facts.get(collectionId, async () => await collections.find(collectionId));
      if (known === undefined) throw featureSentences.noCollection();
      const { id, title, box } = known;
      const [, maxZoom] = level === undefined ? vectorZooms : districtZooms;
      const tileJsonPath = level === undefined ? `datasets/${id}/tilejson.json` : undefined;
      return {
        kind: 'vector',
        collectionId: id,
        title,
        box,
        maxZoom,
        version: map.version,
        tileJsonPath,
        map,
      };
    },
  };
}
