import { METHODS } from 'node:http';
import { requestProblems } from '../../messages/request.ts';
import { isOpen } from '../access/route-scopes.ts';
import type { App } from './schemas.ts';

/**
 * Notes every path that is registered from now on. The result, to be called after the last route, makes each path answer
 * OPTIONS, and 405 with `Allow` to the methods that it does not have.
 */
export function collectMethods(app: App): () => void {
  const paths = new Map<string, 'open' | 'credentials'>();
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) {
      app.addHttpMethod(method, { hasBody: true });
    }
  }
  app.addHook('onRoute', ({ url, config }) => {
    paths.set(url, isOpen(config?.scope) && paths.get(url) !== 'credentials' ? 'open' : 'credentials');
  });
  return () => {
    for (const [url, scope] of paths) addAnswers(app, url, scope);
  };
}

function addAnswers(app: App, url: string, scope: 'open' | 'credentials'): void {
  const methods = app.supportedMethods.filter((method) => app.hasRoute({ method, url }));
  const allow = [...methods, 'OPTIONS'].toSorted().join(', ');
  const options = { config: { scope }, schema: { hide: true } };
  app.options(url, options, (_request, reply) => reply.code(204).header('allow', allow).send());
  app.route({
    ...options,
    method: app.supportedMethods.filter((method) => !methods.includes(method) && method !== 'OPTIONS'),
    url,
    // Before the body is looked at: nothing in it could make the method right.
    onRequest: async (request, reply) => {
      reply.header('allow', allow);
      throw requestProblems.methodNotAllowed(request.method, allow);
    },
    handler: () => undefined,
  });
}
