import { METHODS } from 'node:http';
import type { HTTPMethods } from 'fastify';
import { Problem } from '../errors.ts';
import type { App } from './app-type.ts';

/**
 * Notes the methods of every path from now on. Call the result when all routes are registered: it gives each path an
 * answer to its other methods, 405 with `Allow`, and to OPTIONS.
 */
export function collectMethods(app: App): () => void {
  const methodsByPath = new Map<string, Set<string>>();
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) {
      app.addHttpMethod(method, { hasBody: true });
    }
  }
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByPath.get(url) ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    methodsByPath.set(url, methods);
  });
  return () => {
    for (const [url, methods] of [...methodsByPath]) addAnswers(app, url, methods);
  };
}

function addAnswers(app: App, url: string, methods: ReadonlySet<string>): void {
  const allow = [...methods, 'OPTIONS'].toSorted().join(', ');
  const others = app.supportedMethods.filter((method) => !methods.has(method) && method !== 'OPTIONS');
  const schema = { hide: true };
  app.options(
    url,
    { schema },
    async (_request, reply) => await reply.code(204).header('allow', allow).send(),
  );
  app.route({
    method: others satisfies HTTPMethods[],
    url,
    schema,
    // Before the body is looked at: nothing in it could make the method right.
    onRequest: async (request, reply) => {
      reply.header('allow', allow);
      throw new Problem('method_not_allowed', `${request.method} is not allowed here, but ${allow} are`);
    },
    handler: () => undefined,
  });
}
