import type { App } from '../http/request/schemas.ts';
import { addDoorDocument } from '../http/standards/documents.ts';
import type { Services } from '../runtime/api/services.ts';
import { registerStacCatalogRoutes } from './catalog-routes.ts';
import { registerStacItemRoutes } from './item-routes.ts';

const description = `Datasets for clients of the SpatioTemporal Asset Catalog: STAC API 1.0 with items of STAC 1.1. Collections are dataset groups, and
categories with datasets that have no group; items are datasets that are ready.`;

/** Registers the catalogue for clients of STAC, and its description. */
export async function registerStacRoutes(app: App, services: Services): Promise<void> {
  await addDoorDocument(
    app,
    { root: '/stac', title: 'Steppe STAC API', description, tag: 'stac' },
    services.access,
  );
  registerStacCatalogRoutes(app, services);
  registerStacItemRoutes(app, services);
}
