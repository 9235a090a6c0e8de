import Fastify, { LogController } from 'fastify';
import { addSchemaCompilers, type App } from '../../http/request/schemas.ts';
import { addAuthentication } from '../../http/access/authentication.ts';
import { addProxyFiles } from '../../http/answer/proxy-files.ts';
import { addBodyParser } from '../../http/request/body.ts';
import { addCommonHeaders, requestIdOf } from '../../http/connection/common-headers.ts';
import { createConnectionGuard, serverSettings } from '../../http/connection/connections.ts';
import { addOwnAddresses } from '../../http/access/own-addresses.ts';
import { addCors, addHostCheck, refuseCrossSiteWrites } from '../../http/access/origins.ts';
import { addDocumentation } from '../../http/openapi/documentation.ts';
import { addAccessLog } from '../../http/access/access-log.ts';
import { addRequestMetrics, addRequestTracing } from '../../http/connection/request-telemetry.ts';
import { replaceMethod } from '../../http/connection/request-facts.ts';
import { addEarlyAnswers, addStallGuard } from '../../http/connection/slow-clients.ts';
import { addCompression } from '../../http/files/compression.ts';
import { addErrorMapping, answerFrameworkError } from '../../http/errors.ts';
import { registerConsole } from '../../http/console.ts';
import { addFramingRules, addRequestRules, collectMethods } from '../../http/request-rules.ts';
import { requireScopes } from '../../http/access/route-scopes.ts';
import { withoutSlash } from '../../http/openapi/standards.ts';
import type { Parts } from './parts.ts';
import { registerRoutes } from './routes.ts';

/** Creates the HTTP application with all routes and the handling of errors. It does not listen yet. */
export async function createApp(parts: Parts): Promise<App> {
  const { access } = parts;
  const connections = createConnectionGuard();
  const app: App = Fastify({
    ...serverSettings,
    trustProxy: access.trustedProxies.length > 0 && [...access.trustedProxies],
    loggerInstance: parts.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    rewriteUrl: (request) => withoutSlash(replaceMethod(request)),
    childLoggerFactory: (logger) => logger, // a logger per request, which few requests use, is more expensive than naming the request
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: connections.answerError,
  });
  connections.guard(app);
  addRequestMetrics(app);
  addRequestTracing(app);
  addAccessLog(app, parts.accessLog);
  addErrorMapping(app);
  addSchemaCompilers(app);
  addCommonHeaders(app);
  addFramingRules(app);
  addHostCheck(app, access.hosts);
  addCors(app, access.corsOrigins);
  addOwnAddresses(app, access);
  refuseCrossSiteWrites(app, access);
  addAuthentication(app, access.authentication);
  addRequestRules(app, parts);
  addBodyParser(app, parts.maxUploadBytes);
  addEarlyAnswers(app);
  addCompression(app);
  addProxyFiles(app, parts.filesLocation);
  addStallGuard(app);
  requireScopes(app);
  const answerOtherMethods = collectMethods(app);
  await addDocumentation(app, access);
  await registerConsole(app, parts);
  await registerRoutes(app, parts);
  answerOtherMethods();
  return app;
}
