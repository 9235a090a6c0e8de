import type { App } from '../http/request/schemas.ts';
import { addStandardDocument } from '../http/standards/documents.ts';
import { registerStacCatalogRoutes } from './catalog-routes.ts';
import { registerStacItemRoutes } from './item-routes.ts';
import type { Database } from '../database/tables/tables.ts';
import type { AccessPolicy } from '../http/access/access-policy.ts';

const description = `Datasets for clients of the SpatioTemporal Asset Catalog: STAC API 1.0 with items of STAC 1.1. Collections are dataset groups, and
categories with datasets that have no group; items are datasets that are ready.`;

/** Registers the STAC catalogue and its description. */
export async function registerStacRoutes(
  app: App,
  parts: { readonly db: Database; readonly access: AccessPolicy },
): Promise<void> {
  await addStandardDocument(
    app,
    { root: '/stac', title: 'Steppe STAC API', description, tag: 'stac' },
    parts.access,
  );
  registerStacCatalogRoutes(app, parts);
  registerStacItemRoutes(app, parts);
}
