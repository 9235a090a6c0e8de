import type { Scope } from '../../access/scopes.ts';
import type { App } from '../fastify/app-type.ts';

/** What a request needs: nothing, any valid credentials, or some with this scope. */
export type Need = 'nothing' | 'credentials' | Scope;
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Open to everybody, whatever the mode: what a person needs to begin, and a machine to see that we live. */
const openPaths = /^\/(?:healthz|readyz|openapi\.json|(?:docs|assets)(?:\/.*)?)?$/;

/** The scope of every other operation. HEAD is as GET. */
const scopesByPath: Readonly<Record<string, Readonly<Partial<Record<Method, Scope>>>>> = {
  '/metrics': { GET: 'data:read' },
  '/categories': { GET: 'data:read', POST: 'catalog:write' },
  '/categories/:id': { GET: 'data:read', PUT: 'catalog:write', DELETE: 'catalog:write' },
  '/dataset-groups': { GET: 'data:read', POST: 'catalog:write' },
  '/dataset-groups/:id': { GET: 'data:read', PUT: 'catalog:write', DELETE: 'catalog:write' },
  '/dataset-groups/:id/latest': { GET: 'data:read' },
  '/dataset-groups/:id/sld': { GET: 'data:read', POST: 'catalog:write' },
  '/datasets': { GET: 'data:read', POST: 'data:write' },
  '/datasets/:id': { GET: 'data:read', PUT: 'data:write', PATCH: 'data:write', DELETE: 'data:write' },
  '/datasets/:id.cog': { GET: 'data:read' },
  '/datasets/:id.geojson': { GET: 'data:read' },
  '/datasets/:id/download': { GET: 'data:read' },
  '/datasets/:id/mapping': { POST: 'data:write' },
  '/datasets/:id/observations': { GET: 'data:read' },
  '/datasets/:id/report': { GET: 'data:read' },
  '/datasets/:id/retry': { POST: 'data:write' },
  '/datasets/:id/sld': { GET: 'data:read', POST: 'data:write' },
  '/datasets/:id/status': { GET: 'data:read' },
  '/landscape/results': { GET: 'data:read' },
  '/landscape/runs': { GET: 'data:read', POST: 'landscape:run' },
  '/landscape/runs/:id': { GET: 'data:read' },
  '/landscape/slots': { GET: 'data:read' },
  '/landscape/slots/:code': { POST: 'data:write' },
};

/** Not the object itself, which also answers to names such as `constructor`. */
const scopeTable: ReadonlyMap<string, ReadonlyMap<string, Scope>> = new Map(
  Object.entries(scopesByPath).map(([path, scopes]) => [path, new Map(Object.entries(scopes))]),
);

/**
 * What a request needs. Paths and methods that there are not (`path` is undefined then, or has no such method) need
 * credentials: who has none learns nothing. OPTIONS is asked by browsers without any.
 */
export function needOf(method: string, path: string | undefined): Need {
  if (method === 'OPTIONS' || (path !== undefined && openPaths.test(path))) return 'nothing';
  return scopeOf(method, path) ?? 'credentials';
}

/**
 * Refuses routes without a scope from now on until the result is called: an application that forgot one is not made.
 * @throws {Error} from the registration of such a route.
 */
export function requireScopes(app: App): () => void {
  let areAllRoutesThere = false;
  app.addHook('onRoute', ({ method, url }) => {
    if (areAllRoutesThere || openPaths.test(url)) return;
    for (const each of [method].flat()) {
      if (scopeOf(each, url) === undefined) throw new Error(`no scope is declared for ${each} ${url}`);
    }
  });
  return () => {
    areAllRoutesThere = true;
  };
}

function scopeOf(method: string, path = ''): Scope | undefined {
  return scopeTable.get(path)?.get(method === 'HEAD' ? 'GET' : method);
}
