import Fastify, { LogController } from 'fastify';
import { addSchemaCompilers, type App } from './request/schemas.ts';
import { addAuthentication } from './access/authentication.ts';
import { addBodyParser } from './request/body.ts';
import { addCommonHeaders, requestIdOf } from './connection/common-headers.ts';
import { createConnectionGuard, serverSettings } from './connection/connections.ts';
import { addOwnAddresses } from './access/own-addresses.ts';
import { addCors, addHostCheck, refuseCrossSiteWrites } from './access/origins.ts';
import { addDocumentation } from './openapi/documentation.ts';
import { addAccessLog } from './access/access-log.ts';
import { addRequestMetrics, addRequestTracing } from './connection/request-telemetry.ts';
import { replaceMethod } from './connection/request-facts.ts';
import { addEarlyAnswers } from './connection/early-answers.ts';
import { addCompression } from './files/compression.ts';
import { addErrorMapping, answerFrameworkError } from './errors.ts';
import { registerConsole } from './console.ts';
import { addFramingRules, addRequestRules, collectMethods } from './request-rules.ts';
import { requireScopes } from './access/route-scopes.ts';
import { registerDenominatorRoutes } from './routes/denominators.ts';
import { registerMetadataRoutes } from './routes/metadata.ts';
import { registerTableFileRoutes } from './routes/table-files.ts';
import { registerCadenceRoutes } from './routes/cadences.ts';
import { registerCapabilityRoutes } from './routes/capabilities.ts';
import { registerCategoryRoutes, registerDatasetGroupRoutes } from './routes/catalogue.ts';
import { registerComparisonRoutes } from './routes/comparisons.ts';
import { registerAreaRoutes } from './routes/areas.ts';
import { registerSheetRoutes } from './routes/sheets.ts';
import { registerDatasetFileRoutes } from './routes/dataset-files.ts';
import { registerDatasetRoutes } from './routes/datasets.ts';
import { registerDescriptionRoute } from './routes/description.ts';
import { registerDistrictHistoryRoutes } from './routes/district-history.ts';
import { registerDistrictRoutes } from './routes/districts.ts';
import { registerDossierRoutes } from './routes/dossier.ts';
import { registerEventRoutes } from './routes/events.ts';
import { registerHealthRoutes } from './routes/health.ts';
import { registerMapRoutes } from './routes/maps.ts';
import { registerLandscapeWatchRoutes } from './routes/landscape-watch.ts';
import { registerLandscapePlanRoutes } from './routes/landscape-plans.ts';
import { registerLandscapeGraphRoute } from './routes/landscape-graph.ts';
import { registerLandscapeRoutes } from './routes/landscape.ts';
import { registerOgcRoutes } from './routes/ogc.ts';
import { registerProcessingRoutes } from './routes/processing.ts';
import { registerTableMatchRoutes } from './routes/table-match.ts';
import { registerRunRecordRoutes } from './routes/run-records.ts';
import { registerResumableUploadRoutes } from './routes/resumable-uploads.ts';
import { registerStacRoutes } from './routes/stac.ts';
import { registerStyleRoutes } from './routes/styles.ts';
import { withoutSlash } from './openapi/doors.ts';
import { registerUploadRoutes } from './routes/uploads.ts';
import { registerWebhookRoutes } from './routes/webhooks.ts';
import { registerZonalRoutes } from './routes/zonal.ts';
import type { Services } from './routes/services.ts';
import { addStallGuard } from './connection/slow-clients.ts';

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
  if (services.hasMcp) (await import('./routes/mcp.ts')).registerMcpRoute(app, services);
  await registerOgcRoutes(app, services);
  answerOtherMethods();
  return app;
}
