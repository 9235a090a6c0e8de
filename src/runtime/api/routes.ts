import type { App } from '../../http/request/schemas.ts';
import type { Parts } from './parts.ts';
import { registerDescriptionRoute } from '../../http/description.ts';
import { registerHealthRoutes } from './health.ts';
import { registerCapabilityRoutes } from './capabilities.ts';
import { registerCategoryRoutes, registerDatasetGroupRoutes } from '../../catalogue/routes.ts';
import { registerCadenceRoutes } from '../../catalogue/cadence-routes.ts';
import { registerDatasetRoutes } from '../../datasets/routes/datasets.ts';
import { registerUploadRoutes } from '../../datasets/upload/routes.ts';
import { registerResumableUploadRoutes } from '../../datasets/resumable/routes.ts';
import { registerReferenceRoutes } from '../../datasets/reference/routes.ts';
import { registerStacReferenceRoutes } from '../../datasets/reference/stac/routes.ts';
import { registerDatasetFileRoutes } from '../../datasets/routes/files.ts';
import { registerProcessingRoutes } from '../../datasets/routes/processing.ts';
import { registerDistrictRoutes } from '../../units/routes.ts';
import { registerMappingRoute } from '../../tables/routes.ts';
import { registerTableMatchRoutes } from '../../tables/match/routes.ts';
import { registerSeriesRoute, registerDenominatorRoutes } from '../../tables/rates/routes.ts';
import { registerTableFileRoutes } from '../../tables/export/routes.ts';
import { registerGeoParquetRoute } from '../../tables/export/geo-parquet.ts';
import { forgetWhatIsChanged, registerStyleRoutes } from '../../maps/styles/routes.ts';
import { registerRasterTileRoutes } from '../../maps/routes/raster-tiles.ts';
import { registerVectorTileRoutes } from '../../maps/routes/vector-tiles.ts';
import { registerMapDescriptionRoutes } from '../../maps/routes/descriptions.ts';
import { registerLegendRoutes } from '../../maps/routes/legends.ts';
import { registerThumbnailRoutes } from '../../maps/routes/thumbnails.ts';
import { registerGeoPackageRoute } from '../../maps/export/geo-package.ts';
import { registerAreaRoutes } from '../../areas/routes.ts';
import { registerZonalRoutes } from '../../zonal/routes.ts';
import { registerGroupRoutes } from '../../landscape/groups/routes.ts';
import { registerRunRoutes } from '../../landscape/routes.ts';
import { registerRunRecordRoutes, registerLineageRoute } from '../../landscape/runs/record-routes.ts';
import { registerLandscapePlanRoutes } from '../../landscape/plan/routes.ts';
import { registerGapRoutes } from '../../landscape/gaps/routes.ts';
import { registerLandscapeWatchRoutes } from '../../landscape/watch/routes.ts';
import { registerLimitRoutes } from '../../landscape/limits/routes.ts';
import { registerLimitMapRoutes } from '../../landscape/limits/map-routes.ts';
import { registerBalanceRoutes } from '../../landscape/balance/routes.ts';
import { registerLayerRoutes } from '../../landscape/balance/layer-routes.ts';
import { registerRunAreaRoutes } from '../../landscape/balance/area-routes.ts';
import { registerMakeRoutes } from '../../landscape/make/routes.ts';
import { registerRunPolygonRoutes } from '../../landscape/polygons/routes.ts';
import { registerExplainRoute } from '../../landscape/explain/routes.ts';
import { registerComparisonRoutes } from '../../landscape/comparison/routes.ts';
import { registerRunReportRoute } from '../../landscape/report/routes.ts';
import { registerDossierRoutes } from '../../landscape/dossier/routes.ts';
import { registerSheetRoutes } from '../../print/routes.ts';
import { registerRegisterRoutes } from '../../registers/routes.ts';
import { registerFormRoutes } from '../../forms/routes.ts';
import { registerSourceFileRoutes } from '../../source-files/routes.ts';
import { registerEventRoutes } from '../../events/routes.ts';
import { registerWebhookRoutes } from '../../webhooks/routes.ts';
import { registerMetadataRoutes } from '../../metadata/routes.ts';
import { registerStacRoutes } from '../../stac/routes.ts';
import { registerOgcRoutes } from '../../ogc/routes.ts';

/**
 * Registers the routes of all slices, in the order of the slices. [docs/routes.md](../../../docs/routes.md) lists each method and path
 * with its slice.
 */
export async function registerRoutes(app: App, parts: Parts): Promise<void> {
  registerDescriptionRoute(app);
  registerHealthRoutes(app, parts);
  registerCapabilityRoutes(app, parts);

  registerCategoryRoutes(app, parts);
  registerDatasetGroupRoutes(app, parts);
  registerCadenceRoutes(app, parts);

  registerDatasetRoutes(app, parts);
  registerUploadRoutes(app, parts);
  registerResumableUploadRoutes(app, parts);
  registerReferenceRoutes(app, parts);
  registerStacReferenceRoutes(app, parts);
  registerDatasetFileRoutes(app, parts);
  registerProcessingRoutes(app, parts);

  registerDistrictRoutes(app, parts);

  registerMappingRoute(app, parts);
  registerTableMatchRoutes(app, parts);
  registerSeriesRoute(app, parts);
  registerDenominatorRoutes(app, parts);
  registerTableFileRoutes(app, parts);
  registerGeoParquetRoute(app, parts);

  forgetWhatIsChanged(app, parts);
  registerStyleRoutes(app, parts);
  registerRasterTileRoutes(app, parts);
  registerVectorTileRoutes(app, parts);
  registerMapDescriptionRoutes(app, parts);
  registerLegendRoutes(app, parts);
  registerThumbnailRoutes(app, parts);
  registerGeoPackageRoute(app, parts);

  registerAreaRoutes(app, parts);

  registerZonalRoutes(app, parts);

  registerGroupRoutes(app, parts);
  registerRunRoutes(app, parts);
  registerRunRecordRoutes(app, parts);
  registerLineageRoute(app, parts);
  registerLandscapePlanRoutes(app, parts);
  registerGapRoutes(app, parts);
  registerLandscapeWatchRoutes(app, parts);
  registerLimitRoutes(app, parts);
  registerLimitMapRoutes(app, parts);
  registerBalanceRoutes(app, parts);
  registerLayerRoutes(app, parts);
  registerRunAreaRoutes(app, parts);
  registerRunPolygonRoutes(app, parts);
  registerMakeRoutes(app, parts);
  registerExplainRoute(app, parts);
  registerComparisonRoutes(app, parts);
  registerRunReportRoute(app, parts);
  registerDossierRoutes(app, parts);

  registerSheetRoutes(app, parts);

  registerRegisterRoutes(app, parts);
  registerFormRoutes(app, parts);
  registerSourceFileRoutes(app, parts);

  registerEventRoutes(app, parts);

  registerWebhookRoutes(app, parts);

  registerMetadataRoutes(app, parts);

  await registerStacRoutes(app, parts);
  await registerOgcRoutes(app, parts);
  // Optional and rarely enabled; its tools have their own schemas.
  if (parts.hasMcp) (await import('../../mcp/routes.ts')).registerMcpRoute(app, parts);
}
