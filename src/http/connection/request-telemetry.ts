import type { FastifyRequest } from 'fastify';
import { httpRequests, httpSeconds } from '../../metrics/instruments.ts';
import { beginTrace, isTracing, type OpenSpan } from '../../tracing/tracing.ts';
import type { App } from '../request/schemas.ts';
import { isProbe, methodOf } from './request-facts.ts';

/**
 * Creates a span for each request except probes. The span has the template of the route instead of the path, which may
 * hold client data. It continues the trace of a client that sends `traceparent`.
 */
export function addRequestTracing(app: App): void {
  if (!isTracing()) return;
  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  app.addHook('onRequest', (request, _reply, done) => {
    const span = isProbe(request.routeOptions.url) ? undefined : beginRequest(request);
    if (span === undefined) {
      done();
      return;
    }
    spans.set(request, span);
    span.run(done);
  });
  // A body is read in callbacks of its connection, outside the context of the span.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request);
    if (span === undefined) done();
    else span.run(done);
  });
  app.addHook('onResponse', (request, { statusCode: status, raw }, done) => {
    const span = spans.get(request);
    span?.set({
      'http.response.status_code': status,
      ...(raw.writableFinished ? {} : { 'steppe.aborted': true }),
    });
    if (status >= 500) span?.fail(String(status));
    span?.end();
    done();
  });
}

function beginRequest(request: FastifyRequest) {
  const { url: route } = request.routeOptions;
  const { traceparent } = request.headers;
  const method = methodOf(request);
  return beginTrace(
    {
      name: route === undefined ? method : `${method} ${route}`,
      kind: 'server',
      attributes: {
        'http.request.method': method,
        ...(route === undefined ? {} : { 'http.route': route }),
      },
    },
    typeof traceparent === 'string' ? traceparent : undefined,
  );
}

/** Counts answers by the template of their route, so that ids do not create series; probes are not counted. */
export function addRequestMetrics(app: App): void {
  app.addHook('onResponse', (request, { statusCode: status, elapsedTime }, done) => {
    const { url } = request.routeOptions;
    if (!isProbe(url)) {
      const route = url ?? 'none';
      const method = methodOf(request);
      httpRequests.inc({ route, method, status });
      httpSeconds.observe({ route, method }, elapsedTime / 1000);
    }
    done();
  });
}
