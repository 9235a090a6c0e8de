import type { Scope } from '../../access/authenticator.ts';
import type { App } from '../request/schemas.ts';

/** Credentials that a route requires: none; optional ones, which its handler verifies; any valid ones; or ones with this scope. */
type RouteScope = 'open' | 'optional' | 'credentials' | Scope;

declare module 'fastify' {
  interface FastifyContextConfig {
    scope?: RouteScope;
    /** Limit of a JSON body, if lower than usual. */
    maxBodyBytes?: number;
    /** True if the route reads the bytes of a JSON body itself, to report errors in its own format. */
    readsBytes?: boolean;
    /** Operation id that an OGC standard requires in its own API description. */
    standardOperationId?: string;
    /** True for a POST that only reads, and for OPTIONS on its path: pages of other origins may send it where they may read. */
    changesNothing?: boolean;
  }
  interface FastifyInstance {
    /** Scope of routes that plugins register here, because these cannot declare one. */
    pluginScope?: RouteScope;
  }
}

/** Returns true if a route needs neither credentials nor the database. */
export function isOpen(scope: RouteScope | undefined): scope is 'open' | 'optional' {
  return scope === 'open' || scope === 'optional';
}

/**
 * Refuses a route that declares no scope (`config: { scope }`), so that the application cannot start with it.
 * @throws {Error} from the registration of the route.
 */
export function requireScopes(app: App): void {
  app.addHook('onRoute', function (route) {
    const scope = route.config?.scope ?? this.pluginScope;
    if (scope === undefined) throw new Error(`no scope is declared for ${String(route.method)} ${route.url}`);
    const changesNothing = route.config?.changesNothing ?? (route.method === 'POST' && scope === 'data:read');
    route.config = { ...route.config, scope, changesNothing };
  });
}
