import { createFeatureCollections } from './features/collections.ts';
import type { App } from '../http/request/schemas.ts';
import { addDoorDocument } from '../http/standards/documents.ts';
import { registerOgcCollectionRoutes } from './collection-routes.ts';
import { registerOgcItemRoutes } from './item-routes.ts';
import { createTileSources } from './tile-sources.ts';
import { registerOgcTileRoutes } from './tile-routes.ts';
import { registerOgcTilesetRoutes } from './tileset-routes.ts';
import type { Services } from '../runtime/api/services.ts';

const description = `Single features for clients of OGC API - Features: vectors, values of tables by unit and date, districts and regions. WGS 84 longitude and
latitude, or Web Mercator. Filters are CQL2, or properties as parameters. Tiles for clients of OGC API - Tiles: vector tiles of the same, map tiles of rasters.`;

/** Registers what clients of OGC APIs ask for, and its description. */
export async function registerOgcRoutes(app: App, services: Services): Promise<void> {
  const collections = createFeatureCollections(services.db, services.featureFiles);
  await addDoorDocument(
    app,
    { root: '/ogc', title: 'Steppe OGC API', description, tag: 'features' },
    services.access,
  );
  registerOgcCollectionRoutes(app, collections, services);
  registerOgcItemRoutes(app, collections, services);
  const sources = createTileSources(services, collections);
  registerOgcTilesetRoutes(app, sources, services);
  registerOgcTileRoutes(app, sources, services);
}
