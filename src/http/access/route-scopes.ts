import type { Scope } from '../../access/authenticator.ts';
import type { App } from '../request/schemas.ts';

/** The credentials that a route needs: none, none but valid ones if any (its handler checks them), any valid ones, or some with this scope. */
type RouteScope = 'open' | 'optional' | 'credentials' | Scope;

declare module 'fastify' {
  interface FastifyContextConfig {
    scope?: RouteScope;
    /** Of a JSON body, where that is less than usual. */
    maxBodyBytes?: number;
    /** True of a route that reads the bytes of a JSON body itself, because it answers faults in them in a form of its own. */
    readsBytes?: boolean;
    /** The operation id that an OGC standard demands in its own API description. */
    standardOperationId?: string;
    /** True of a POST that only reads, as all with `data:read` do, and of OPTIONS on its path: pages of others may send it where they may read. */
    changesNothing?: boolean;
  }
  interface FastifyInstance {
    /** The scope of routes that plugins register here: they cannot declare any. */
    pluginScope?: RouteScope;
  }
}

/** Returns whether a route needs neither credentials nor the database. */
export function isOpen(scope: RouteScope | undefined): scope is 'open' | 'optional' {
  return scope === 'open' || scope === 'optional';
}

/**
 * Refuses a route that declares no scope (`config: { scope }`), so that an application with such a route cannot start.
 * @throws {Error} from the registration of such a route.
 */
export function requireScopes(app: App): void {
  app.addHook('onRoute', function (route) {
    const scope = route.config?.scope ?? this.pluginScope;
    if (scope === undefined) throw new Error(`no scope is declared for ${String(route.method)} ${route.url}`);
    const changesNothing = route.config?.changesNothing ?? (route.method === 'POST' && scope === 'data:read');
    route.config = { ...route.config, scope, changesNothing };
  });
}
