import Fastify, { LogController } from 'fastify';
import { addSchemaCompilers, type App } from '../../http/request/schemas.ts';
import { addAuthentication } from '../../http/access/authentication.ts';
import { addBodyParser } from '../../http/request/body.ts';
import { addCommonHeaders, requestIdOf } from '../../http/connection/common-headers.ts';
import { createConnectionGuard, serverSettings } from '../../http/connection/connections.ts';
import { addOwnAddresses } from '../../http/access/own-addresses.ts';
import { addCors, addHostCheck, refuseCrossSiteWrites } from '../../http/access/origins.ts';
import { addDocumentation } from '../../http/openapi/documentation.ts';
import { addAccessLog } from '../../http/access/access-log.ts';
import { addRequestMetrics, addRequestTracing } from '../../http/connection/request-telemetry.ts';
import { replaceMethod } from '../../http/connection/request-facts.ts';
import { addEarlyAnswers } from '../../http/connection/early-answers.ts';
import { addCompression } from '../../http/files/compression.ts';
import { addErrorMapping, answerFrameworkError } from '../../http/errors.ts';
import { registerConsole } from '../../http/console.ts';
import { addFramingRules, addRequestRules, collectMethods } from '../../http/request-rules.ts';
import { requireScopes } from '../../http/access/route-scopes.ts';
import { registerDenominatorRoutes } from '../../tables/rates/routes.ts';
import { registerMetadataRoutes } from '../../metadata/routes.ts';
import { registerTableFileRoutes } from '../../tables/export/routes.ts';
import { registerCadenceRoutes } from '../../catalogue/cadence-routes.ts';
import { registerCapabilityRoutes } from './capabilities.ts';
import { registerCategoryRoutes, registerDatasetGroupRoutes } from '../../catalogue/routes.ts';
import { registerComparisonRoutes } from '../../landscape/comparison/routes.ts';
import { registerAreaRoutes } from '../../areas/routes.ts';
import { registerSheetRoutes } from '../../print/routes.ts';
import { registerDatasetFileRoutes } from '../../datasets/file-routes.ts';
import { registerDatasetRoutes } from '../../datasets/routes.ts';
import { registerDescriptionRoute } from '../../http/description.ts';
import { registerDistrictHistoryRoutes } from '../../units/history/routes.ts';
import { registerDistrictRoutes } from '../../units/routes.ts';
import { registerDossierRoutes } from '../../landscape/dossier/routes.ts';
import { registerEventRoutes } from '../../events/routes.ts';
import { registerHealthRoutes } from './health.ts';
import { registerMapRoutes } from '../../maps/routes.ts';
import { registerLandscapeWatchRoutes } from '../../landscape/watch/routes.ts';
import { registerLandscapePlanRoutes } from '../../landscape/plan/routes.ts';
import { registerLandscapeGraphRoute } from '../../landscape/groups/graph-routes.ts';
import { registerLandscapeRoutes } from '../../landscape/routes.ts';
import { registerOgcRoutes } from '../../ogc/routes.ts';
import { registerProcessingRoutes } from '../../datasets/processing-routes.ts';
import { registerTableMatchRoutes } from '../../tables/match/routes.ts';
import { registerRunRecordRoutes } from '../../landscape/runs/record-routes.ts';
import { registerResumableUploadRoutes } from '../../datasets/resumable/routes.ts';
import { registerStacRoutes } from '../../stac/routes.ts';
import { registerStyleRoutes } from '../../maps/styles/routes.ts';
import { withoutSlash } from '../../http/openapi/doors.ts';
import { registerUploadRoutes } from '../../datasets/upload/routes.ts';
import { registerWebhookRoutes } from '../../webhooks/routes.ts';
import { registerZonalRoutes } from '../../zonal/routes.ts';
import type { Services } from './services.ts';
import { addStallGuard } from '../../http/connection/slow-clients.ts';

/** Creates the HTTP edge: every route, and one way to answer whatever goes wrong. It does not listen yet. */
export async function createApp(services: Services): Promise<App> {
  const { access } = services;
  const connections = createConnectionGuard();
  const app: App = Fastify({
    ...serverSettings,
    trustProxy: access.trustedProxies.length > 0 && [...access.trustedProxies],
    loggerInstance: services.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    rewriteUrl: (request) => withoutSlash(replaceMethod(request)),
    childLoggerFactory: (logger) => logger, // a logger for each request, which few of them ever use, costs more than to name it
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: connections.answerError,
  });
  connections.guard(app);
  addRequestMetrics(app);
  addRequestTracing(app);
  addAccessLog(app, services.accessLog);
  addErrorMapping(app);
  addSchemaCompilers(app);
  addCommonHeaders(app);
  addFramingRules(app);
  addHostCheck(app, access.hosts);
  addCors(app, access.corsOrigins);
  addOwnAddresses(app, access);
  refuseCrossSiteWrites(app, access);
  addAuthentication(app, access.authentication);
  addRequestRules(app, services);
  addBodyParser(app, services.maxUploadBytes);
  addEarlyAnswers(app);
  addCompression(app);
  addStallGuard(app);
  requireScopes(app);
  const answerOtherMethods = collectMethods(app);
  await addDocumentation(app, access);
  registerDescriptionRoute(app);
  await registerConsole(app, services);
  registerHealthRoutes(app, services);
  registerCapabilityRoutes(app, services);
  registerCategoryRoutes(app, services);
  registerDatasetGroupRoutes(app, services);
  registerCadenceRoutes(app, services);
  registerDatasetRoutes(app, services);
  registerUploadRoutes(app, services);
  registerResumableUploadRoutes(app, services);
  registerDatasetFileRoutes(app, services);
  registerEventRoutes(app, services);
  registerWebhookRoutes(app, services);
  registerAreaRoutes(app, services);
  registerZonalRoutes(app, services);
  registerSheetRoutes(app, services);
  registerStyleRoutes(app, services);
  registerProcessingRoutes(app, services);
  registerTableFileRoutes(app, services);
  registerDenominatorRoutes(app, services);
  registerMetadataRoutes(app, services);
  registerTableMatchRoutes(app, services);
  registerDistrictRoutes(app, services);
  registerDistrictHistoryRoutes(app, services);
  registerLandscapeRoutes(app, services);
  registerLandscapePlanRoutes(app, services);
  registerLandscapeWatchRoutes(app, services);
  registerLandscapeGraphRoute(app, services);
  registerRunRecordRoutes(app, services);
  registerDossierRoutes(app, services);
  registerComparisonRoutes(app, services);
  registerMapRoutes(app, services);
  await registerStacRoutes(app, services);
  // Most services do without it, and its tools have schemas of their own.
  if (services.hasMcp) (await import('../../mcp/routes.ts')).registerMcpRoute(app, services);
  await registerOgcRoutes(app, services);
  answerOtherMethods();
  return app;
}
