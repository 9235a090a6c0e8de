import type { FastifyRequest } from 'fastify';
import { withoutTrailingSlashes } from '../../lib/addresses.ts';
import type { App } from '../request/schemas.ts';
import type { AccessPolicy } from './access-policy.ts';

type PublicUrl = Pick<AccessPolicy, 'publicUrl'>;

/**
 * Returns the address at which the client finds the service, without a slash at its end: `PUBLIC_URL`, else the host that the request
 * names. What proxies claim in headers of their own does not count, not even that of a trusted one, which may pass on what a client has made up.
 */
export function baseUrlOf({ headers }: Pick<FastifyRequest, 'headers'>, access: PublicUrl): string {
  return addressOf('', access) || `http://${headers.host ?? ''}`;
}

/** Returns the address of one of our paths: below `PUBLIC_URL`, which may have a path of its own; without that setting, the path. */
export function addressOf(path: string, { publicUrl }: PublicUrl): string {
  return publicUrl === undefined ? path : withoutTrailingSlashes(publicUrl.href) + path;
}

/** The headers of answers that hold addresses; routes, and the plugins that serve files, write paths into them. */
const headersWithAddress = ['location', 'content-location', 'link'] as const;

/** Makes addresses of the paths that answers name in their headers, so that no route has to know where the service is found. */
export function addOwnAddresses(app: App, access: PublicUrl): void {
  if (access.publicUrl === undefined) return;
  app.addHook('onSend', (_request, reply, payload, done) => {
    for (const name of headersWithAddress) {
      const value = reply.getHeader(name);
      if (typeof value === 'string') reply.header(name, withAddresses(name, value, access));
    }
    done(null, payload);
  });
}

/** Paths begin with one slash: two would lead to another host. In `Link` they stand in angle brackets. */
function withAddresses(name: (typeof headersWithAddress)[number], value: string, access: PublicUrl): string {
  if (name === 'link')
    return value.replaceAll(/<(\/(?!\/)[^>]*)>/g, (_link, path: string) => `<${addressOf(path, access)}>`);
  return /^\/(?!\/)/.test(value) ? addressOf(value, access) : value;
}
