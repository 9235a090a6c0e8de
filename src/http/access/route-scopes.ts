import type { Scope } from '../../access/authenticator.ts';
import type { App } from '../request/schemas.ts';

/** The credentials that a request needs: none, none but valid ones if any, any valid ones, or some with this scope. */
export type Need = 'nothing' | 'nothing invalid' | 'credentials' | Scope;
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const capabilities = '/capabilities';

/** The paths that need neither credentials nor the database: the probes, the page, the documentation and the capabilities. */
export const openPaths = /^\/(?:healthz|readyz|capabilities|openapi\.json|assets\/\*|docs(?:\/.*)?)?$/;

/** The scope of every other operation. HEAD needs that of GET. */
const scopesByPath: Readonly<Record<string, Readonly<Partial<Record<Method, Scope>>>>> = {
  '/categories': { GET: 'data:read', POST: 'catalog:write' },
  '/categories/:id': { GET: 'data:read', PUT: 'catalog:write', DELETE: 'catalog:write' },
  '/dataset-groups': { GET: 'data:read', POST: 'catalog:write' },
  '/dataset-groups/:id': { GET: 'data:read', PUT: 'catalog:write', DELETE: 'catalog:write' },
  '/dataset-groups/:id/latest': { GET: 'data:read' },
  '/dataset-groups/:id/legend.json': { GET: 'data:read' },
  '/dataset-groups/:id/legend.png': { GET: 'data:read' },
  '/dataset-groups/:id/sld': { GET: 'data:read', POST: 'catalog:write' },
  '/dataset-groups/:id/sld/report': { GET: 'data:read' },
  '/datasets': { GET: 'data:read', POST: 'data:write' },
  '/datasets/:id': { GET: 'data:read', PUT: 'data:write', PATCH: 'data:write', DELETE: 'data:write' },
  '/datasets/:id.cog': { GET: 'data:read' },
  '/datasets/:id.geojson': { GET: 'data:read' },
  '/datasets/:id/tiles/:z/:x/:y.mvt': { GET: 'data:read' },
  '/datasets/:id/tiles/:z/:x/:y.png': { GET: 'data:read' },
  '/datasets/:id/tilejson.json': { GET: 'data:read' },
  '/datasets/:id/style.json': { GET: 'data:read' },
  '/dataset-groups/:id/style.json': { GET: 'data:read' },
  '/datasets/:id/wmts': { GET: 'data:read' },
  '/datasets/:id/thumbnail.png': { GET: 'data:read' },
  '/dataset-groups/:id/tiles/:z/:x/:y.png': { GET: 'data:read' },
  '/dataset-groups/:id/tilejson.json': { GET: 'data:read' },
  '/dataset-groups/:id/wmts': { GET: 'data:read' },
  '/datasets/:id/download': { GET: 'data:read' },
  '/datasets/:id/legend.json': { GET: 'data:read' },
  '/datasets/:id/legend.png': { GET: 'data:read' },
  '/datasets/:id/mapping': { POST: 'data:write' },
  '/datasets/:id/observations': { GET: 'data:read' },
  '/datasets/:id/report': { GET: 'data:read' },
  '/datasets/:id/retry': { POST: 'data:write' },
  '/datasets/:id/series': { GET: 'data:read' },
  '/datasets/:id/sld': { GET: 'data:read', POST: 'data:write' },
  '/datasets/:id/sld/report': { GET: 'data:read' },
  '/datasets/:id/status': { GET: 'data:read' },
  '/districts.geojson': { GET: 'data:read' },
  '/districts/tilejson.json': { GET: 'data:read' },
  '/districts/tiles/:z/:x/:y.mvt': { GET: 'data:read' },
  '/landscape/results': { GET: 'data:read' },
  '/landscape/runs': { GET: 'data:read', POST: 'landscape:run' },
  '/landscape/runs/:id': { GET: 'data:read' },
  '/landscape/slots': { GET: 'data:read' },
  '/landscape/slots/:code': { POST: 'data:write' },
};

/** A map, because an object also has names such as `constructor`. */
const scopeTable: ReadonlyMap<string, ReadonlyMap<string, Scope>> = new Map(
  Object.entries(scopesByPath).map(([path, scopes]) => [path, new Map(Object.entries(scopes))]),
);

/**
 * Returns what a request needs. A path that does not exist (`path` is undefined) and a method that it does not have need
 * credentials, so that nothing is disclosed without them. Browsers send OPTIONS without any.
 */
export function needOf(method: string, path: string | undefined): Need {
  if (method !== 'OPTIONS' && path === capabilities) return 'nothing invalid'; // its route looks at them
  if (method === 'OPTIONS' || (path !== undefined && openPaths.test(path))) return 'nothing';
  return scopeOf(method, path) ?? 'credentials';
}

/**
 * Refuses routes without a scope until the result is called, so that an application that lacks one cannot start.
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
