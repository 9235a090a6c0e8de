import { createFeatureCollections } from './features/collections.ts';
import type { App } from '../http/request/schemas.ts';
import { addStandardDocument } from '../http/standards/documents.ts';
import { registerOgcCollectionRoutes } from './collection-routes.ts';
import { registerOgcItemRoutes } from './item-routes.ts';
import { createTileSources } from './tile-sources.ts';
import { registerOgcTileRoutes } from './tile-routes.ts';
import { registerOgcTilesetRoutes } from './tileset-routes.ts';
import type { Database } from '../database/tables/tables.ts';
import type { FeatureFiles } from '../geo/flatgeobuf/open-file.ts';
import type { Maps } from '../maps/service/maps.ts';
import type { VectorMaps } from '../maps/service/vector-maps.ts';
import type { TileBudget } from '../http/limits/tile-budget.ts';
import type { DrawnAnswers } from '../http/answer/drawn.ts';
import type { AccessPolicy } from '../http/access/access-policy.ts';

const description = `Single features for clients of OGC API - Features: vectors, values of tables by unit and date, districts and regions. WGS 84 longitude and
latitude, or Web Mercator. Filters are CQL2, or properties as parameters. Tiles for clients of OGC API - Tiles: vector tiles of the same, map tiles of rasters.`;

interface Dependencies {
  readonly db: Database;
  readonly featureFiles: FeatureFiles;
  readonly maps: Maps;
  readonly vectorMaps: VectorMaps;
  readonly tileBudget: TileBudget;
  readonly drawnAnswers: DrawnAnswers;
  readonly access: AccessPolicy;
}

/** Registers the OGC APIs and their description. */
export async function registerOgcRoutes(app: App, parts: Dependencies): Promise<void> {
  const collections = createFeatureCollections(parts.db, parts.featureFiles);
  await addStandardDocument(
    app,
    { root: '/ogc', title: 'Steppe OGC API', description, tag: 'features' },
    parts.access,
  );
  registerOgcCollectionRoutes(app, collections, parts);
  registerOgcItemRoutes(app, collections, parts);
  const sources = createTileSources(parts, collections);
  registerOgcTilesetRoutes(app, sources, parts);
  registerOgcTileRoutes(app, sources, parts);
}
