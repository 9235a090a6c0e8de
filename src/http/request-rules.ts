import type { FastifyRequest } from 'fastify';
import type { Problem } from '../lib/errors.ts';
import { bodyProblems, requestProblems, serviceProblems } from '../messages/request/english.ts';
import { isOpen } from './access/route-scopes.ts';
import { methodOf, unknownMethod } from './connection/request-facts.ts';
import { maxBodyBytes } from './request/body.ts';
import type { App } from './request/schemas.ts';

/**
 * Refuses requests that Node's parser accepts but two readers of one connection could interpret differently: a Host
 * sent twice (RFC 9112 section 3.2), and a body in a transfer coding other than `chunked` (section 6.1).
 */
export function addFramingRules(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    const problem = findFramingProblem(request);
    if (problem === undefined) return done();
    reply.header('connection', 'close');
    throw problem;
  });
}

function findFramingProblem({ raw }: FastifyRequest): Problem | undefined {
  if (hasHostTwice(raw.rawHeaders)) return requestProblems.hostRepeated();
  const coding = raw.headers['transfer-encoding'];
  if (coding === undefined) return undefined;
  if (raw.httpVersion === '1.0') return requestProblems.codingInHttp10();
  return coding.trim().toLowerCase() === 'chunked' ? undefined : requestProblems.codingNotChunked();
}

function hasHostTwice(namesAndValues: readonly string[]): boolean {
  let count = 0;
  for (let at = 0; at < namesAndValues.length; at += 2) {
    if (namesAndValues[at]?.toLowerCase() === 'host') count += 1;
  }
  return count > 1;
}

interface Dependencies {
  readonly maxUploadBytes: number;
  readonly draining: AbortSignal;
  readonly isPrepared: () => boolean;
}

/** Adds the checks of every request, whatever its route. */
export function addRequestRules(app: App, { maxUploadBytes, draining, isPrepared }: Dependencies): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      reply.header('connection', 'close');
      throw requestProblems.hostMissing();
    }
    const { url, config } = request.routeOptions; // no url for an unknown path: 404 without the database
    if (url !== undefined && !isOpen(config.scope) && !isPrepared()) {
      throw serviceProblems.unavailable('database');
    }
    checkHeaders(request, maxBodyBytes(request, maxUploadBytes));
    checkQuery(request);
    done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (draining.aborted) reply.header('connection', 'close');
    done(null, payload);
  });
}

function checkHeaders({ headers }: FastifyRequest, maxBytes: number): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw bodyProblems.encoded();
  // Before the body is read: the client may still be waiting for 100 Continue.
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw bodyProblems.tooLarge(maxBytes);
}

function checkQuery({ url, routeOptions }: FastifyRequest): void {
  const start = url.indexOf('?');
  if (start === -1 || routeOptions.schema?.querystring === undefined) return; // the query is never read
  try {
    decodeURIComponent(url.slice(start));
  } catch (cause) {
    throw requestProblems.queryNotUtf8().because(cause);
  }
}

/**
 * Collects every path that is registered from now on.
 * @returns a function to call after the last route; it makes each path answer OPTIONS, and 405 with `Allow` to methods
 * that the path does not have.
 */
export function collectMethods(app: App): () => void {
  const paths = new Map<string, PathRules>();
  app.addHttpMethod(unknownMethod, { hasBody: true });
  app.addHook('onRoute', ({ url, config }) => {
    const before = paths.get(url);
    paths.set(url, {
      scope: isOpen(config?.scope) && before?.scope !== 'credentials' ? 'open' : 'credentials',
      changesNothing: config?.changesNothing === true || before?.changesNothing === true,
    });
  });
  return () => {
    for (const [url, rules] of paths) addAnswers(app, url, rules);
  };
}

interface PathRules {
  readonly scope: 'open' | 'credentials';
  /** True if its POST only reads. */
  readonly changesNothing: boolean;
}

function addAnswers(app: App, url: string, { scope, changesNothing }: PathRules): void {
  const methods = app.supportedMethods.filter((method) => app.hasRoute({ method, url }));
  const allow = [...methods, 'OPTIONS'].toSorted().join(', ');
  const options = { config: { scope }, schema: { hide: true } };
  const ofPath = { ...options, config: { scope, changesNothing } };
  app.options(url, ofPath, (_request, reply) => reply.code(204).header('allow', allow).send());
  app.route({
    ...options,
    method: app.supportedMethods.filter((method) => !methods.includes(method) && method !== 'OPTIONS'),
    url,
    // Before the body is read: its content cannot make the method valid.
    onRequest: async (request, reply) => {
      reply.header('allow', allow);
      throw requestProblems.methodNotAllowed(methodOf(request), allow);
    },
    handler: () => undefined,
  });
}
