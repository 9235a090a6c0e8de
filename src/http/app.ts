import Fastify, { LogController } from 'fastify';
import type { App } from './app-type.ts';
import { addBodyParser } from './body-parser.ts';
import { requestIdOf } from './common-headers.ts';
import { answerConnectionError, guardConnections, serverSettings } from './connections.ts';
import { addDocumentation } from './documentation.ts';
import { addEarlyAnswers } from './early-answers.ts';
import { addErrorMapping, answerFrameworkError } from './errors.ts';
import { collectMethods } from './methods.ts';
import { addRequestRules } from './request-rules.ts';
import { registerCategoryRoutes } from './routes/categories.ts';
import { registerDatasetFileRoutes } from './routes/dataset-files.ts';
import { registerUploadRoutes } from './routes/dataset-upload.ts';
import { registerDatasetGroupRoutes } from './routes/dataset-groups.ts';
import { registerDatasetRoutes } from './routes/datasets.ts';
import { registerHealthRoutes } from './routes/health.ts';
import { registerImportReportRoutes } from './routes/import-report.ts';
import { registerLandscapeResultRoutes } from './routes/landscape-results.ts';
import { registerLandscapeRunRoutes } from './routes/landscape-runs.ts';
import { registerLandscapeSlotRoutes } from './routes/landscape-slots.ts';
import { registerMappingRoutes } from './routes/mapping.ts';
import { registerStyleRoutes } from './routes/styles.ts';
import { addSchemaCompilers } from './schemas.ts';
import type { Services } from './services.ts';

/** The HTTP edge: every route, and one way to answer whatever goes wrong. It does not listen yet. */
export async function createApp(services: Services): Promise<App> {
  const app: App = Fastify({
    ...serverSettings,
    loggerInstance: services.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: answerConnectionError,
  });
  guardConnections(app, services.maxUploadBytes);
  addErrorMapping(app);
  addSchemaCompilers(app);
  addRequestRules(app, services);
  addBodyParser(app, services.maxUploadBytes);
  addEarlyAnswers(app);
  const answerOtherMethods = collectMethods(app);
  await addDocumentation(app);
  registerHealthRoutes(app, services);
  registerCategoryRoutes(app, services);
  registerDatasetGroupRoutes(app, services);
  registerDatasetRoutes(app, services);
  registerUploadRoutes(app, services);
  registerDatasetFileRoutes(app, services);
  registerStyleRoutes(app, services);
  registerMappingRoutes(app, services);
  registerImportReportRoutes(app, services);
  registerLandscapeSlotRoutes(app, services);
  registerLandscapeRunRoutes(app, services);
  registerLandscapeResultRoutes(app, services);
  answerOtherMethods();
  return app;
}
